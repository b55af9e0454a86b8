//===-- rpc/protocol/protocol.h - The mailbox between device and host -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One plain header for both sides: C11 for a device, C++20 for the host. It
// includes nothing but freestanding headers. Layouts and numbers are LLVM 22's
// (and 23's where said): images built elsewhere rely on them, see
// docs and spec "llvm-gpu-abi" sections 1 to 3.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_PROTOCOL_H
#define GPUEXEC_RPC_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define RPC_STATIC_ASSERT(condition, reason) static_assert(condition, reason)
#define RPC_ALIGNOF(type) alignof(type)
#else
#define RPC_STATIC_ASSERT(condition, reason) _Static_assert(condition, reason)
#define RPC_ALIGNOF(type) _Alignof(type)
#endif

//===-- Opcodes -----------------------------------------------------------===//

typedef enum rpc_opcode {
#define RPC_OPCODE(name, value, feature, sequence) RPC_##name = value,
#include "opcodes.def"
} rpc_opcode;

/// The calls of RPC_SYSTEM_CALL.
typedef enum rpc_system_call {
#define RPC_SYSTEM_CALL_NAME(name, number, sandbox) RPC_CALL_##name = number,
#include "system_calls.def"
} rpc_system_call;

/// The class of opcodes that is free for users' services (--service).
#define RPC_CLASS_USER 0x55u
/// The class of an opcode is its highest byte.
#define RPC_OPCODE_CLASS(opcode) ((uint32_t)(opcode) >> 24)

/// Translates an opcode of LLVM 19 into LLVM 20's. LLVM 19's header has 16 bits
/// for the opcode; the upper half of `word` is undefined. The opcodes of LLVM's
/// own tests, from 0x8000 on, have the same number in both versions; the others
/// are RPC_NOOP plus LLVM 19's number.
static inline uint32_t rpc_opcode_of_19(uint32_t word) {
  const uint32_t opcode = word & 0xffffu;
  return opcode < 0x8000u ? RPC_NOOP | opcode : opcode;
}

//===-- One port: a mailbox word on each side, a header, a packet per lane ===//

/// Written by the client before its first send, read by the server.
typedef struct rpc_header {
  uint64_t lane_mask; ///< bit i: lane i takes part
  uint32_t opcode;
  /// Padding in LLVM's header. With RPC_SOA the two low bits are the number of
  /// words in the answer; with RPC_FEATURE_CALLERS the upper 30 bits say which
  /// wave calls (RPC_CALLER).
  uint32_t soa_words;
} rpc_header;
RPC_STATIC_ASSERT(sizeof(rpc_header) == 16 && offsetof(rpc_header, opcode) == 8,
                  "LLVM's wire protocol, section 1.1");

#define RPC_PACKET_WORDS 8u
#define RPC_PACKET_BYTES 64u
/// Bytes of data in the first packet of a stream; the packet's first 8 bytes
/// hold the stream's size.
#define RPC_FIRST_STREAM_BYTES 56u
/// The word of a reply that carries the host's errno (RPC_FEATURE_ERRNO).
#define RPC_ERRNO_WORD 7u

/// One lane's packet. Only 8-byte alignment is certain, section 1.1.
typedef union rpc_packet {
  uint64_t words[RPC_PACKET_WORDS];
  unsigned char bytes[RPC_PACKET_BYTES];
} rpc_packet;
RPC_STATIC_ASSERT(sizeof(rpc_packet) == 64 && RPC_ALIGNOF(rpc_packet) == 8,
                  "LLVM's wire protocol, section 1.1");

//===-- The client object that a loader copies over __llvm_rpc_client -----===//

#define RPC_CLIENT_SYMBOL "__llvm_rpc_client"
/// The symbol in LLVM 19's images: a pointer to the client object, which has no
/// symbol of its own there.
#define RPC_CLIENT_SYMBOL_19 "__llvm_libc_rpc_client"

/// The client object of LLVM 19 to 22. Addresses are the device's. Only the
/// device uses `locks`, a bit per port.
typedef struct rpc_client22 {
  uint32_t port_count;
  uint32_t padding;
  uint64_t inbox;   ///< u32[port_count], written by the server
  uint64_t outbox;  ///< u32[port_count], written by the client
  uint64_t headers; ///< rpc_header[port_count]
  uint64_t packets; ///< rpc_packet[port_count][lanes]
  uint32_t locks[128];
} rpc_client22;
RPC_STATIC_ASSERT(sizeof(rpc_client22) == 552 &&
                      offsetof(rpc_client22, inbox) == 8 &&
                      offsetof(rpc_client22, locks) == 40,
                  "LLVM 19..22, section 1.3");

typedef struct rpc_client23 {
  uint32_t port_count;
  uint32_t padding;
  uint64_t doorbell; ///< rpc_doorbell
  uint64_t inbox;
  uint64_t outbox;
  uint64_t headers;
  uint64_t packets;
  uint32_t locks[512];
} rpc_client23;
RPC_STATIC_ASSERT(sizeof(rpc_client23) == 2096 &&
                      offsetof(rpc_client23, inbox) == 16 &&
                      offsetof(rpc_client23, locks) == 48,
                  "LLVM 23, section 1.3");

/// LLVM 23: the first 64 bytes of the buffer. A `value` of 0 tells the device
/// that the server polls; gpuexec's server always does.
typedef struct rpc_doorbell {
  uint64_t value;   ///< address of a 64-bit counter, or 0
  uint64_t mailbox; ///< address for the event id, or 0
  uint32_t event_id;
  uint32_t padding[11];
} rpc_doorbell;
RPC_STATIC_ASSERT(sizeof(rpc_doorbell) == 64, "LLVM 23, section 1.2");

/// The largest number of lanes in a mask, and of packets in a port.
#define RPC_MAX_LANES 64u

//===-- Streams -----------------------------------------------------------===//

/// The tag of a stream handle: its low two bits, section 3.2. With a tag other
/// than FILE the server ignores the other bits.
enum {
  RPC_STREAM_FILE = 0,
  RPC_STREAM_STDIN = 1,
  RPC_STREAM_STDOUT = 2,
  RPC_STREAM_STDERR = 3,
  RPC_STREAM_TAG_MASK = 3,
};

//===-- gpuexec's extension -----------------------------------------------===//

/// A device program that wants opcodes of class 'G' defines this symbol,
/// zeroed:
///     struct rpc_extensions __gpuexec_rpc_extensions;
/// (protected visibility, kept by the linker). gpuexec's loader copies
/// Server::extensions_object() over it before the first kernel; any other
/// loader leaves it zero; the program must then send no opcode of class 'G'.
#define RPC_EXTENSIONS_SYMBOL "__gpuexec_rpc_extensions"

enum {
  RPC_FEATURE_NONE = 0,
  RPC_FEATURE_ERRNO = 1u << 0,     ///< P[7] of the last reply holds errno
  RPC_FEATURE_BULK = 1u << 1,      ///< BULK_*: the host reads and writes memory
  RPC_FEATURE_POSIX = 1u << 2,     ///< the opcodes with POSIX in opcodes.def
  RPC_FEATURE_FAST_PATH = 1u << 3, ///< rpc_fast_slot
  RPC_FEATURE_SOA = 1u << 4,       ///< RPC_SOA
  RPC_FEATURE_STRINGS = 1u << 5,   ///< RPC_STRING_THERE
  RPC_FEATURE_PRINTF = 1u << 7,    ///< PRINTF_SLOTS, PRINTF_LONG_SLOTS
  RPC_FEATURE_CALLERS = 1u << 8,   ///< RPC_CALLER
  /// RPC_FAST_CALLER. Only together with RPC_FEATURE_CALLERS.
  RPC_FEATURE_CALLER_CELL = 1u << 9,
  RPC_FEATURE_RECORDS = 1u << 10, ///< WRITE_RECORDS, rpc_record
  RPC_FEATURE_GOES_ON = 1u << 11, ///< RPC_BUFFERED_GOES_ON
  /// rpc_long_request. Only together with RPC_FEATURE_FAST_PATH.
  RPC_FEATURE_LONG_REQUESTS = 1u << 12,
  RPC_FEATURE_SYSTEM_CALLS = 1u << 13, ///< SYSTEM_CALL
};

/// RPC_FEATURE_CALLERS: the client says which wave of the grid calls; a
/// recording needs that. The number is in a header's `soa_words`, or in the low
/// half of the last word of a fast slot's request; that request then has
/// RPC_FAST_WORDS words, and the high half of the last one is the lane. 0: the
/// client does not say who calls.
#define RPC_CALLER(wave) (((uint32_t)(wave) + 1) << 2)

/// RPC_FEATURE_CALLER_CELL: a fast slot's request may name wave and lane in one
/// cell behind its three words, if the wave's number is below
/// RPC_FAST_CALLER_WAVES. The number of words in such a request's tag is
/// RPC_FAST_CALLER_WORDS. The whole request then fits into one cache line; a
/// second line takes 0.2 microseconds (emulated device).
#define RPC_FAST_CALLER_WORDS 5u
#define RPC_FAST_CALLER_WAVES ((1u << 26) - 1)
#define RPC_FAST_CALLER(wave, lane) (((uint32_t)(wave) + 1) << 6 | (lane))
/// How many cells follow a request's first one; `words`: the number of words in
/// its tag.
#define RPC_FAST_CELLS(words)                                                  \
  ((words) == RPC_FAST_CALLER_WORDS ? 7u : 2 * (words))

/// RPC_FEATURE_STRINGS: when the host asks for a string of a printf, the client
/// may answer with these 8 bytes instead of the string. Their last byte is not
/// NUL, as a string's would be. The host then reads `size` bytes from the
/// address that it asked for.
#define RPC_STRING_THERE(size) (~(uint64_t)(size))

typedef struct rpc_extensions {
  uint32_t version;  ///< of this struct: 1. 0: the loader offers no extension
  uint32_t features; ///< RPC_FEATURE_*
  /// A lane's transfer of this many bytes or more is faster with BULK_* than
  /// with packets, on this device.
  uint64_t bulk_threshold;
  uint64_t fast_slots; ///< rpc_fast_slot[fast_slot_count]
  uint32_t fast_slot_count;
  /// The number of cache lines of mailbox words. Consecutive waves take ports
  /// in different lines, because waves that poll the same line wait for each
  /// other. It and the number of ports are powers of two. 0: consecutive waves
  /// take consecutive ports.
  uint32_t port_lines;
  uint64_t output;        ///< rpc_output, or 0
  uint64_t long_requests; ///< rpc_long_request[fast_slot_count], or 0
  uint64_t reserved[2];
} rpc_extensions;
RPC_STATIC_ASSERT(sizeof(rpc_extensions) == 64, "our own; grows in `reserved`");

/// The buffer of the program's standard output. It lies in the host's memory,
/// because its content must survive when the device fails. The device fills it
/// and sends from it with BULK_WRITE_STREAM.
#define RPC_OUTPUT_BYTES 32768u
typedef struct rpc_output {
  /// How much of `text` is filled and not yet sent: RPC_BUFFERED().
  uint64_t used;
  uint64_t signals; ///< signals for handlers of the program: the host counts
  uint64_t padding[6];
  uint8_t text[RPC_OUTPUT_BYTES];
} rpc_output;
RPC_STATIC_ASSERT(sizeof(rpc_output) % 64 == 0, "whole lines of 64 bytes");

/// The content of a buffer of output in one word. `bytes`: those that are
/// filled. `last`: where the last rpc_record in it begins, plus 1; 0: the
/// buffer has text alone.
#define RPC_BUFFERED(bytes, last) ((uint64_t)(last) << 32 | (uint32_t)(bytes))
#define RPC_MOST_BUFFERED RPC_BUFFERED(RPC_OUTPUT_BYTES, RPC_OUTPUT_BYTES)
/// RPC_FEATURE_GOES_ON: with this bit WRITE_RECORDS sends a buffer that is full
/// while the program writes on. The host may answer before it has written the
/// text, with the error of an earlier write or 0, and with 0 for `printed`. The
/// program's other calls find the text written to the stream.
#define RPC_BUFFERED_GOES_ON 0x80000000u

/// RPC_FEATURE_RECORDS: a printf that the host has yet to format, between text
/// in a buffer of output. It begins at a multiple of 8; the bytes between it
/// and the text before it mean nothing. Behind this head are the format with
/// its NUL, the arguments in slots of 8 bytes, and the strings of %s whose
/// address is not null. Each string ends at a NUL, or is as long as its
/// precision; format and strings are padded to multiples of 8 bytes.
typedef struct rpc_record {
  uint32_t size;     ///< of the record in bytes, a multiple of 8
  uint32_t text;     ///< bytes of text before it, from the end of the record
                     ///< before it or the buffer's begin on
  uint32_t previous; ///< where the record before it begins, plus 1; 0: none
  uint32_t format;   ///< bytes of the format, its NUL included
} rpc_record;
RPC_STATIC_ASSERT(sizeof(rpc_record) == 16, "our own");

/// A fast slot: the fast path of a call of one lane whose request and answer
/// are a few words. A cell is 64 bits that are written at once: 32 bits of data
/// and the tag of the request. The cells may arrive in any order: a reader that
/// finds the tag in all cells has all the data. A request of n words is 1 + 2n
/// cells: opcode, then the words' halves, low first. The answer has the same
/// tag in all its cells: word 0 (low, high), errno, 0, word 1, word 2. If
/// RPC_FAST_SHORT is set in the tag of its first cell, word 0's high half and
/// errno are 0 and need not be read.
///
/// The low three bits of a tag are the number of words n; the bits above them
/// number the requests of this slot, from 1 on, so that a tag always differs
/// from the one before. A slot serves one call at a time; the device chooses
/// the wave that uses it.
#define RPC_FAST_WORDS 4u
#define RPC_FAST_SLOTS 32u
#define RPC_FAST_SHORT 0x80000000u
enum {
  RPC_FAST_ERRNO_CELL = 2,
  RPC_FAST_WORD1_CELL = 4,
  RPC_FAST_WORD2_CELL = 6,
};
typedef struct rpc_fast_slot {
  uint64_t request[16]; ///< cells: data low, tag high; the device writes
  uint64_t answer[8];   ///< the host writes
  uint64_t padding[8];
} rpc_fast_slot;
RPC_STATIC_ASSERT(sizeof(rpc_fast_slot) == 256, "whole lines of 64 bytes");

/// RPC_FEATURE_LONG_REQUESTS: the request of a fast slot may be a stream, of
/// one lane and at most RPC_LONG_BYTES, for an opcode whose request is one
/// stream and whose answer is one packet. The number of words in its tag is
/// RPC_FAST_LONG; the cell behind the opcode's is the stream's size. The
/// stream's bytes, 32 bits a cell, are in the slot's rpc_long_request. Of the
/// answer's packet the client gets words 0, 1 and 2 and RPC_ERRNO_WORD.
#define RPC_FAST_LONG 6u
#define RPC_LONG_CELLS 64u
#define RPC_LONG_BYTES (4u * RPC_LONG_CELLS)
typedef struct rpc_long_request {
  uint64_t cells[RPC_LONG_CELLS]; ///< data low, tag high; the device writes
} rpc_long_request;
RPC_STATIC_ASSERT(sizeof(rpc_long_request) % 64 == 0,
                  "whole lines of 64 bytes");

/// A flag in a header's opcode: the call, which must be "C {words}, S {words}",
/// is laid out as a structure of arrays and so crosses the bus in a few large
/// pieces. The port's packets are taken as one array of 64-bit words: word i of
/// a lane (i < RPC_SOA_WORDS) has the index i * lanes + lane. Behind these
/// words the answer has errno, 32 bits per lane. The header's `soa_words` says
/// how many words the client wants back.
#define RPC_SOA 0x80000000u
#define RPC_SOA_WORDS 3u

/// The record of STAT and FSTAT, sent in two packets. Times are seconds and
/// nanoseconds since 1970.
typedef struct rpc_stat {
  uint64_t dev, ino;
  uint32_t mode, nlink, uid, gid;
  uint64_t rdev;
  int64_t size;
  uint64_t blocks; ///< of 512 bytes
  uint64_t blksize;
  int64_t atime, mtime, ctime;
  uint32_t atime_ns, mtime_ns, ctime_ns, padding;
  uint64_t reserved[3];
} rpc_stat;
RPC_STATIC_ASSERT(sizeof(rpc_stat) == 2 * RPC_PACKET_BYTES, "two packets");

/// READDIR: one entry. The name follows, with its NUL; `length` is the size of
/// the whole entry in bytes, padded to a multiple of 8.
typedef struct rpc_dirent {
  uint64_t ino;
  uint32_t length;
  uint32_t type; ///< Linux's DT_*
} rpc_dirent;
RPC_STATIC_ASSERT(sizeof(rpc_dirent) == 16, "our own");

/// The record of STATVFS and FSTATVFS, sent in two packets. Blocks have
/// `fragment_size` bytes.
typedef struct rpc_statvfs {
  uint64_t block_size, fragment_size;
  uint64_t blocks, free_blocks, available_blocks;
  uint64_t files, free_files;
  uint64_t id, flags, name_length;
  uint64_t type; ///< Linux's f_type of statfs()
  uint64_t reserved[5];
} rpc_statvfs;
RPC_STATIC_ASSERT(sizeof(rpc_statvfs) == 2 * RPC_PACKET_BYTES, "two packets");

/// POLL: one file, as Linux's struct pollfd.
typedef struct rpc_poll_file {
  int32_t descriptor; ///< below 0: the entry is ignored
  int16_t events, found;
} rpc_poll_file;
RPC_STATIC_ASSERT(sizeof(rpc_poll_file) == 8, "struct pollfd is sent as it is");

/// SPAWN: one action on the child's descriptors or directory. The actions are
/// carried out in order. A path follows its rpc_spawn_action, without a NUL;
/// the members that a kind uses:
typedef enum rpc_spawn_kind {
  RPC_SPAWN_CLOSE, ///< descriptor
  RPC_SPAWN_DUP2,  ///< source, descriptor
  RPC_SPAWN_OPEN,  ///< descriptor, flags, mode
  RPC_SPAWN_CHDIR, ///< the path
} rpc_spawn_kind;
/// SPAWN: a flag behind those of posix_spawn(). The process takes the place of
/// the program, which waits for its end: it gets all descriptors that are not
/// to be closed by exec.
#define RPC_SPAWN_INSTEAD 0x10000u
typedef struct rpc_spawn_action {
  int32_t kind, descriptor, source, flags;
  uint32_t mode, path_size;
} rpc_spawn_action;
RPC_STATIC_ASSERT(sizeof(rpc_spawn_action) == 24, "sent as it is");

/// RESOLVE: bits for the arguments of getaddrinfo() that were not null.
typedef enum rpc_resolve_given {
  RPC_RESOLVE_NODE = 1,
  RPC_RESOLVE_SERVICE = 2,
  RPC_RESOLVE_HINTS = 4,
} rpc_resolve_given;
/// RESOLVE: one address of the answer. Its bytes and the canonical name follow.
typedef struct rpc_address_head {
  int32_t flags, family, type, protocol;
  uint32_t address_size, name_size;
} rpc_address_head;
RPC_STATIC_ASSERT(sizeof(rpc_address_head) == 24, "sent as it is");

/// NETWORK_NAME: the kind of entry that is looked up, and the key.
typedef enum rpc_network_kind {
  RPC_SERVICE_BY_NAME,
  RPC_SERVICE_BY_PORT,
  RPC_PROTOCOL_BY_NAME,
  RPC_PROTOCOL_BY_NUMBER,
} rpc_network_kind;

/// How long a waiting call of system_calls.def waits at most.
#define RPC_WAIT_SLICE_MS 50u
/// EPOLL_WAIT: one event.
typedef struct rpc_epoll_event {
  uint64_t data;
  uint32_t events, padding;
} rpc_epoll_event;
/// TIMERFD_TIME: struct itimerspec.
typedef struct rpc_timer {
  int64_t interval_s, interval_ns, value_s, value_ns;
} rpc_timer;
/// QUEUE_ATTRIBUTES: the members of struct mq_attr that mean something.
typedef struct rpc_queue_attributes {
  int64_t flags, most_messages, message_size, messages;
} rpc_queue_attributes;
RPC_STATIC_ASSERT(sizeof(rpc_epoll_event) == 16 && sizeof(rpc_timer) == 32 &&
                      sizeof(rpc_queue_attributes) == 32,
                  "sent as they are");

/// ACCOUNT: the kind of entry that is looked up, and the key.
typedef enum rpc_account_kind {
  RPC_USER_BY_NAME,
  RPC_USER_BY_ID,
  RPC_GROUP_BY_NAME,
  RPC_GROUP_BY_ID,
} rpc_account_kind;

#endif // GPUEXEC_RPC_PROTOCOL_H
