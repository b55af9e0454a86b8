//===-- replay/core/file_format.h - The parts of a recording's file -*- C -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the reader and the writer of docs/recording.md. Numbers are
// little-endian, as of all machines that gpuexec runs on.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_CORE_FILE_FORMAT_H
#define GPUEXEC_REPLAY_CORE_FILE_FORMAT_H

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): a C header

#include <stdint.h>

/// A file of a newer version is refused.
enum { RECORDING_VERSION = 1 };
#define RECORDING_MAGIC "gpuexrec"

/// The file begins with this.
struct file_header {
  char magic[8];
  uint32_t version, inverted_version;
};

enum chunk_kind {
  CHUNK_FACTS = 1,
  CHUNK_IMAGE = 2,
  CHUNK_EVENTS = 3,
  CHUNK_END = 4,
};

/// Precedes each chunk. `stored` bytes follow: the chunk packed by zstd; or if
/// `stored` equals `size`, the chunk as it is.
struct chunk_header {
  uint32_t kind, reserved;
  uint64_t stored, size;    ///< bytes in the file, and when unpacked
  uint64_t checksum;        ///< xxh3 of the stored bytes
  uint64_t header_checksum; ///< xxh3 of the CHECKED_HEADER bytes before it
};
enum { CHECKED_HEADER = 32 };

enum event {
  EVENT_CALL = 1,
  EVENT_OUTPUT = 2,
  EVENT_SCHEDULED = 3, ///< step and number of the next call, in a schedule
  EVENT_WAITED = 4,
  EVENT_HALTED = 5,
};

/// The largest size of an unpacked chunk.
#define LARGEST_CHUNK ((uint64_t)1 << 32)

/// A reader uses at most MEMORY_ALLOWANCE bytes of memory, plus MEMORY_PER_BYTE
/// for each byte of the recording. A limit is needed, because zstd can unpack
/// kilobytes to gigabytes, and an event of 3 bytes becomes a value of 100
/// bytes.
#define MEMORY_ALLOWANCE ((uint64_t)256 << 20)
enum { MEMORY_PER_BYTE = 128 };
/// The memory that is counted for an event or a string of a fact, besides its
/// bytes: a value in a list that grows. ADDRESS_MEMORY: for an address of a
/// call.
enum { ITEM_MEMORY = 320, ADDRESS_MEMORY = 24 };

/// The most bytes of memory for reading a file of `size` bytes.
static inline uint64_t memory_limit(uint64_t size) {
  const uint64_t most = UINT64_MAX / 2 / MEMORY_PER_BYTE;
  return MEMORY_ALLOWANCE + (size < most ? size : most) * MEMORY_PER_BYTE;
}

/// The memory of a reader. The writer counts it, too, so that its file can be
/// read.
struct memory_account {
  uint64_t taken; ///< bytes so far
};
/// Counts `count` items and their `addresses`. False, and nothing is counted,
/// when a file of `size` bytes does not allow that.
static inline bool take_memory(struct memory_account *account, uint64_t bytes,
                               uint64_t count, uint64_t addresses,
                               uint64_t size) {
  const uint64_t more =
      bytes + count * ITEM_MEMORY + addresses * ADDRESS_MEMORY;
  if (bytes > LARGEST_CHUNK || more > memory_limit(size) - account->taken)
    return false;
  account->taken += more;
  return true;
}

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_FILE_FORMAT_H
