//===-- replay/player/recording.c - A recorded run, read ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the file ends in the middle of a chunk its writer was killed; a chunk
// that is there in full and wrong is damage. Recordings for this program are
// not compressed (gpuexec --record-standalone). Others are, and unpacking them
// needs the system's libzstd: its decoder alone is larger than this program.
//===----------------------------------------------------------------------===//
#include "replay/player/recording.h"
#include <dlfcn.h>
#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'g', 'p', 'u', 'e', 'x', 'r', 'e', 'c'};

struct file_header {
  char magic[8];
  uint32_t version, inverted_version;
};
struct chunk_header {
  uint32_t kind, reserved;
  uint64_t stored, size, checksum, header_checksum;
};
_Static_assert(sizeof(struct file_header) == 16 &&
                   sizeof(struct chunk_header) == 40,
               "docs/recording.md");

enum { KNOWN_VERSION = 1, MOST_ADDRESSES = 64 };
enum { FACTS = 1, IMAGE = 2, EVENTS = 3, END = 4 };
enum {
  EVENT_CALL = 1,
  EVENT_OUTPUT = 2,
  EVENT_SCHEDULED = 3, // and EVENT_WAITED = 4: two numbers
  EVENT_HALTED = 5,    // a number
};
static const uint64_t largest_chunk = (uint64_t)1 << 32;

// As replay/recorder/chunk.h, which says why: what the bytes of a file may have
// this process keep, and what an event or a string of a fact counts.
static const uint64_t memory_allowance = (uint64_t)256 << 20;
enum { MEMORY_PER_BYTE = 128, ITEM_MEMORY = 320, ADDRESS_MEMORY = 24 };
_Static_assert(3 * sizeof(struct recorded_call) <= ITEM_MEMORY &&
                   3 * sizeof(struct recorded_output) <= ITEM_MEMORY,
               "a list that grows has three times its elements");

_Noreturn static void damaged(const struct recording *recording,
                              const char *what, uint64_t at) {
  fail(STATUS_FAILED, "%s: damaged: %s at byte %llu", recording->name, what,
       (unsigned long long)at);
}

uint64_t find_recording(struct bytes file) {
  Elf64_Ehdr header;
  if (file.size < sizeof header || memcmp(file.data, ELFMAG, SELFMAG) != 0)
    return 0;
  memcpy(&header, file.data, sizeof header);
  const uint64_t sections = (uint64_t)header.e_shnum * header.e_shentsize;
  return in_range(header.e_shoff, sections, file.size)
             ? header.e_shoff + sections
             : file.size;
}

//===-- Chunks ------------------------------------------------------------===//

static struct bytes unpack(const struct recording *recording,
                           struct bytes stored, uint64_t size, uint64_t at) {
  size_t (*decompress)(void *, size_t, const void *, size_t) = NULL;
  void *library = dlopen("libzstd.so.1", RTLD_NOW);
  if (library)
    *(void **)&decompress = dlsym(library, "ZSTD_decompress");
  if (!decompress)
    fail(STATUS_FAILED,
         "%s: is compressed, and there is no libzstd.so.1 (gpuexec "
         "--record-standalone does not compress)",
         recording->name);
  uint8_t *unpacked = allocate(size + 1, 1);
  // An error is a number that is larger than any size.
  if (decompress(unpacked, size, stored.data, stored.size) != size)
    damaged(recording, "the chunk", at);
  return (struct bytes){unpacked, size};
}

/// What is known while a file is read: the room in lists whose sizes are not
/// known before, and the bytes of memory that the file may still use.
struct reading {
  size_t call_room, output_room;
  uint64_t memory_left;
};

static void take_memory(const struct recording *recording,
                        struct reading *reading, uint64_t size) {
  if (size > reading->memory_left)
    fail(STATUS_FAILED,
         "%s: needs more memory than a recording of its size may: the limit is "
         "%llu bytes and %d for each byte of it",
         recording->name, (unsigned long long)memory_allowance,
         MEMORY_PER_BYTE);
  reading->memory_left -= size;
}

static void *grow(void *list, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return list;
  *room = *room ? 2 * *room : 64;
  void *larger = allocate(*room, size);
  if (count)
    memcpy(larger, list, count * size);
  free(list);
  return larger;
}

static void parse_call(struct recording *r, struct reading *reading,
                       struct packed *from, uint64_t at) {
  r->calls =
      grow(r->calls, r->call_count, &reading->call_room, sizeof *r->calls);
  struct recorded_call *call = &r->calls[r->call_count++];
  call->opcode = (uint32_t)read_number(from);
  call->caller = (uint32_t)read_number(from);
  call->mask = read_number(from);
  const uint64_t count = read_number(from);
  if (count > MOST_ADDRESSES)
    damaged(r, "a call with too many addresses in the chunk", at);
  take_memory(r, reading, count * ADDRESS_MEMORY);
  uint64_t *addresses = count ? allocate(count, sizeof *addresses) : NULL;
  for (uint64_t i = 0; i < count; ++i)
    addresses[i] = read_number(from);
  call->addresses = addresses;
  call->address_count = (unsigned)count;
  call->request = read_bytes(from);
  call->answer = read_bytes(from);
}

static void parse_events(struct recording *r, struct reading *reading,
                         struct packed *from, uint64_t at) {
  while (from->left.size) {
    take_memory(r, reading, ITEM_MEMORY);
    const uint64_t event = read_number(from);
    if (event == EVENT_CALL) {
      parse_call(r, reading, from, at);
      continue;
    }
    const uint64_t stream = read_number(from);
    if (event >= EVENT_SCHEDULED && event <= EVENT_HALTED) { // not repeated
      if (event != EVENT_HALTED)
        read_number(from);
      continue;
    }
    if (event != EVENT_OUTPUT || (stream != 1 && stream != 2))
      damaged(r, "an event of the chunk", at);
    r->outputs = grow(r->outputs, r->output_count, &reading->output_room,
                      sizeof *r->outputs);
    r->outputs[r->output_count++] =
        (struct recorded_output){(int)stream, read_bytes(from), r->call_count};
  }
}

static void parse_facts(const struct recording *r, struct reading *reading,
                        struct packed *from) {
  while (from->left.size) {
    take_memory(r, reading, ITEM_MEMORY);
    read_bytes(from);
    for (uint64_t count = read_number(from); count && !from->failed; --count)
      take_memory(r, reading, ITEM_MEMORY + read_bytes(from).size);
  }
}

static void parse_end(struct recording *r, struct packed *from, uint64_t at) {
  r->has_end = true;
  r->end_kind = read_bytes(from);
  r->end_value = (int64_t)read_number(from);
  if (is_text(r->end_kind, "faulted") && !r->end_value)
    r->end_value = SIGSEGV; // of a recording before faults had signals
  read_bytes(from);         // a message
  if (read_number(from) != r->call_count)
    damaged(r, "the number of calls", at);
  for (int stream = 0; stream < 2; ++stream)
    read_number(from); // a digest
}

static void parse_chunk(struct recording *r, struct reading *reading,
                        uint32_t kind, struct bytes bytes, uint64_t at) {
  struct packed from = {bytes, false};
  const struct bytes *earlier = kind == FACTS   ? &r->facts
                                : kind == IMAGE ? &r->image
                                                : NULL;
  if (earlier && earlier->data)
    damaged(r, "a second chunk of its kind", at);
  switch (kind) {
  case FACTS:
    r->facts = bytes;
    parse_facts(r, reading, &from);
    break;
  case IMAGE:
    r->image = bytes;
    return;
  case EVENTS:
    parse_events(r, reading, &from, at);
    break;
  case END:
    parse_end(r, &from, at);
    break;
  default:
    damaged(r, "an unknown chunk", at);
  }
  if (from.failed || from.left.size)
    damaged(r, "the content of the chunk", at);
}

void parse_recording(struct recording *r, struct bytes file) {
  struct file_header head;
  struct reading reading = {
      .memory_left = memory_allowance + (uint64_t)file.size * MEMORY_PER_BYTE};
  if (file.size < sizeof head || memcmp(file.data, magic, sizeof magic) != 0)
    fail(STATUS_FAILED, "%s: not a recording of gpuexec --record", r->name);
  memcpy(&head, file.data, sizeof head);
  if (head.inverted_version != ~head.version || !head.version)
    damaged(r, "the version", 8);
  if (head.version > KNOWN_VERSION)
    fail(STATUS_FAILED,
         "%s: a recording of version %u; this gpu-replay knows version %u",
         r->name, head.version, KNOWN_VERSION);
  size_t at = sizeof head;
  while (at < file.size && !r->has_end) {
    struct chunk_header header;
    const size_t begin = at;
    if (!in_range(at, sizeof header, file.size))
      break;
    memcpy(&header, file.data + at, sizeof header);
    const struct bytes checked = {
        file.data + at, offsetof(struct chunk_header, header_checksum)};
    if (header.header_checksum != xxh3(checked))
      damaged(r, "the head of the chunk", begin);
    if (header.size > largest_chunk || header.stored > header.size ||
        header.reserved)
      damaged(r, "the sizes of the chunk", begin);
    at += sizeof header;
    if (!in_range(at, header.stored, file.size))
      break;
    struct bytes bytes = {file.data + at, header.stored};
    at += header.stored;
    if (xxh3(bytes) != header.checksum)
      damaged(r, "the chunk", begin);
    take_memory(r, &reading, header.size);
    if (header.stored < header.size)
      bytes = unpack(r, bytes, header.size, begin);
    parse_chunk(r, &reading, header.kind, bytes, begin);
  }
  if (r->has_end && at < file.size)
    damaged(r, "more than its end", at);
  if (!r->facts.data || !r->image.data)
    fail(STATUS_FAILED, "%s: cut off before the program began", r->name);
}

//===-- Facts -------------------------------------------------------------===//

struct packed find_fact(const struct recording *recording, const char *name) {
  struct packed from = {recording->facts, false};
  while (from.left.size) {
    const bool found = is_text(read_bytes(&from), name);
    const struct packed begin = from;
    for (uint64_t count = read_number(&from); count && !from.failed; --count)
      read_bytes(&from);
    if (found)
      return (struct packed){
          {begin.left.data, begin.left.size - from.left.size}, false};
  }
  return (struct packed){0};
}

struct bytes next_string(const struct recording *recording, struct packed *fact,
                         const char *name) {
  const struct bytes text = read_bytes(fact);
  if (fact->failed)
    fail(STATUS_FAILED,
         "%s: what it says of '%s' is damaged, or from another version of "
         "gpuexec",
         recording->name, name);
  return text;
}

bool parse_number(struct bytes text, uint64_t most, uint64_t *number) {
  *number = 0;
  for (size_t i = 0; i < text.size; ++i) {
    const unsigned digit = text.data[i] - (unsigned)'0';
    if (digit > 9 || *number > (most - digit) / 10 || most < digit)
      return false;
    *number = *number * 10 + digit;
  }
  return text.size > 0;
}

uint64_t next_fact_number(const struct recording *recording,
                          struct packed *fact, const char *name) {
  uint64_t number;
  if (!parse_number(next_string(recording, fact, name), UINT64_MAX, &number))
    fail(STATUS_FAILED, "%s: what it says of '%s' is no number",
         recording->name, name);
  return number;
}
