//===-- replay/core/recording.c - A recorded run, read --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If the file ends in the middle of a chunk, its writer was killed: the chunks
// before are used. A complete chunk with a wrong checksum or content is damage.
//===----------------------------------------------------------------------===//
#include "replay/core/recording.h"
#include "replay/core/file_format.h"
#include <elf.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct file_header) == 16 &&
                   sizeof(struct chunk_header) == 40 &&
                   offsetof(struct chunk_header, header_checksum) ==
                       CHECKED_HEADER,
               "docs/recording.md");
_Static_assert(3 * sizeof(struct recorded_call) <= ITEM_MEMORY &&
                   3 * sizeof(struct recorded_output) <= ITEM_MEMORY &&
                   3 * sizeof(struct recorded_wait) <= ITEM_MEMORY &&
                   3 * sizeof(uint64_t) <= ADDRESS_MEMORY,
               "a list that grows has three times its elements");

enum { MOST_ADDRESSES = 64 };

uint64_t find_recording(struct bytes file) {
  Elf64_Ehdr header;
  if (file.size < sizeof header || memcmp(file.data, ELFMAG, SELFMAG) != 0)
    return 0;
  memcpy(&header, file.data, sizeof header);
  // An executable ends with its table of sections.
  const uint64_t sections = (uint64_t)header.e_shnum * header.e_shentsize;
  return in_range(header.e_shoff, sections, file.size)
             ? header.e_shoff + sections
             : file.size;
}

/// A file while it is read.
struct reading {
  struct recording *recording;
  struct error *error;
  uint64_t file_size;
  struct memory_account memory;
  size_t chunk; ///< offset of the chunk being read
  size_t call_room, output_room, wait_room, address_room, unpacked_room;
  size_t address_count;
  uint64_t step, number; ///< of the last event of a schedule
};

/// Sets the error to damage in the chunk being read; false.
#define DAMAGED(READING, FORMAT, ...)                                          \
  set_error_text((READING)->error, "damaged: the chunk at byte %zu: " FORMAT,  \
                 (READING)->chunk, ##__VA_ARGS__)

static bool take(struct reading *reading, uint64_t bytes, uint64_t items,
                 uint64_t addresses) {
  return take_memory(&reading->memory, bytes, items, addresses,
                     reading->file_size) ||
         set_error_text(reading->error,
                        "needs more memory than a recording of %" PRIu64
                        " bytes may: the limit is %" PRIu64
                        " bytes and %d for each byte "
                        "of it",
                        reading->file_size, MEMORY_ALLOWANCE, MEMORY_PER_BYTE);
}

//===-- Events ------------------------------------------------------------===//

/// Reads a call. Its addresses are appended to the list of all addresses, which
/// moves while it grows; place_addresses() sets the calls' pointers at the end.
static bool parse_call(struct reading *reading, struct packed *from,
                       uint64_t number) {
  struct recording *r = reading->recording;
  r->calls =
      grow(r->calls, r->call_count, &reading->call_room, sizeof *r->calls);
  struct recorded_call *call = &r->calls[r->call_count++];
  call->opcode = (uint32_t)read_number(from);
  call->caller = (uint32_t)read_number(from);
  call->mask = read_number(from);
  call->number = number;
  call->step = number ? reading->step : 0;
  call->address_count = read_number(from);
  call->addresses = NULL;
  if (call->address_count > MOST_ADDRESSES)
    return DAMAGED(reading, "a call with %zu addresses", call->address_count);
  if (!take(reading, 0, 0, call->address_count))
    return false;
  for (size_t i = 0; i < call->address_count; ++i) {
    r->addresses = grow(r->addresses, reading->address_count,
                        &reading->address_room, sizeof *r->addresses);
    r->addresses[reading->address_count++] = read_number(from);
  }
  call->request = read_bytes(from);
  call->answer = read_bytes(from);
  return true;
}

static bool parse_output(struct reading *reading, struct packed *from) {
  struct recording *r = reading->recording;
  const uint64_t stream = read_number(from);
  if (stream != 1 && stream != 2)
    return DAMAGED(reading, "output number %" PRIu64, stream);
  r->outputs = grow(r->outputs, r->output_count, &reading->output_room,
                    sizeof *r->outputs);
  r->outputs[r->output_count++] =
      (struct recorded_output){(int)stream, read_bytes(from), r->call_count};
  return true;
}

static void parse_wait(struct reading *reading, struct packed *from) {
  struct recording *r = reading->recording;
  r->waits =
      grow(r->waits, r->wait_count, &reading->wait_room, sizeof *r->waits);
  r->waits[r->wait_count++] =
      (struct recorded_wait){reading->step, read_number(from)};
}

/// Reads an event. `*number`: in a schedule, the number of the next call; else
/// 0.
static bool parse_event(struct reading *reading, struct packed *from,
                        uint64_t *number) {
  struct recording *r = reading->recording;
  const uint64_t event = read_number(from);
  if (event == EVENT_CALL) {
    const uint64_t own = *number;
    *number = 0;
    return parse_call(reading, from, own);
  }
  if (event == EVENT_OUTPUT)
    return parse_output(reading, from);
  if (event < EVENT_SCHEDULED || event > EVENT_HALTED)
    return DAMAGED(reading, "an event that this gpuexec does not know");
  reading->step += read_number(from);
  if (event == EVENT_HALTED) {
    r->is_halted = true;
    r->halted_step = reading->step;
  } else if (event == EVENT_WAITED) {
    parse_wait(reading, from);
  } else {
    const uint64_t folded = read_number(from); // a signed difference
    reading->number += 1 + ((folded >> 1) ^ (0 - (folded & 1)));
    *number = reading->number;
    if (!*number)
      return DAMAGED(reading, "a call without a number");
  }
  return true;
}

static bool parse_events(struct reading *reading, struct packed *from) {
  uint64_t number = 0;
  while (from->left.size)
    if (!take(reading, 0, 1, 0) || !parse_event(reading, from, &number))
      return false;
  return true;
}

static void place_addresses(struct recording *r) {
  const uint64_t *next = r->addresses;
  for (size_t i = 0; i < r->call_count; ++i) {
    r->calls[i].addresses = next;
    next += r->calls[i].address_count;
  }
}

//===-- Chunks ------------------------------------------------------------===//

/// Checks the facts. A count of strings is not trusted: reading stops when the
/// bytes end.
static bool parse_facts(struct reading *reading, struct packed *from) {
  while (from->left.size) {
    if (!take(reading, 0, 1, 0))
      return false;
    read_bytes(from);
    for (uint64_t count = read_number(from); count && !from->failed; --count)
      if (!take(reading, read_bytes(from).size, 1, 0))
        return false;
  }
  return true;
}

static bool parse_end(struct reading *reading, struct packed *from) {
  struct recording *r = reading->recording;
  r->has_end = true;
  r->end_kind = read_bytes(from);
  r->end_value = (int64_t)read_number(from);
  if (is_text(r->end_kind, "faulted") && !r->end_value)
    r->end_value = SIGSEGV; // recordings of older versions have no signal
  r->end_message = read_bytes(from);
  const uint64_t calls = read_number(from);
  r->output_digest = read_number(from);
  r->error_digest = read_number(from);
  return from->failed || calls == r->call_count ||
         DAMAGED(reading, "%" PRIu64 " calls, of which %zu are there", calls,
                 r->call_count);
}

static bool parse_chunk(struct reading *reading, uint32_t kind,
                        struct bytes bytes) {
  struct recording *r = reading->recording;
  struct packed from = {bytes, false};
  bool good = true;
  switch (kind) {
  case CHUNK_FACTS:
    if (r->facts.data)
      return DAMAGED(reading, "facts for the second time");
    r->facts = bytes;
    good = parse_facts(reading, &from);
    break;
  case CHUNK_IMAGE:
    if (r->image.data)
      return DAMAGED(reading, "an image for the second time");
    r->image = bytes;
    return true;
  case CHUNK_EVENTS:
    good = parse_events(reading, &from);
    break;
  case CHUNK_END:
    good = parse_end(reading, &from);
    break;
  default:
    return DAMAGED(reading, "of kind %u, which this gpuexec does not know",
                   kind);
  }
  return good &&
         ((!from.failed && !from.left.size) || DAMAGED(reading, "its content"));
}

/// Unpacks a chunk into memory of the recording, and adds a zero byte that does
/// not count.
static bool unpack(struct reading *reading, struct bytes *bytes, uint64_t size,
                   unpack_chunk *unpack) {
  struct recording *r = reading->recording;
  r->unpacked = grow(r->unpacked, r->unpacked_count, &reading->unpacked_room,
                     sizeof *r->unpacked);
  uint8_t *to = allocate(size + 1, 1);
  r->unpacked[r->unpacked_count++] = to;
  reading->error->text[0] = 0;
  const bool good = unpack(to, size, *bytes, reading->error);
  *bytes = (struct bytes){to, size};
  return good ||
         (!reading->error->text[0]
              ? set_error_text(reading->error, "damaged: the chunk at byte %zu",
                               reading->chunk)
              : false);
}

/// Reads the chunk at `*at` and moves `*at` behind it; to the end of the file
/// if the chunk was cut off.
static bool read_chunk(struct reading *reading, struct bytes file, size_t *at,
                       unpack_chunk *unpack_with) {
  struct chunk_header header;
  const char *wrong = NULL;
  reading->chunk = *at;
  if (!in_range(*at, sizeof header, file.size)) {
    *at = file.size;
    return true;
  }
  memcpy(&header, file.data + *at, sizeof header);
  struct bytes bytes = {file.data + *at, CHECKED_HEADER};
  *at += sizeof header;
  const bool is_cut = !in_range(*at, header.stored, file.size);
  if (header.header_checksum != xxh3(bytes)) {
    wrong = "the head of ";
  } else if (header.size > LARGEST_CHUNK || header.stored > header.size ||
             header.reserved) {
    wrong = "the sizes of ";
  } else if (!is_cut) {
    bytes = (struct bytes){file.data + *at, header.stored};
    if (xxh3(bytes) != header.checksum)
      wrong = "";
  }
  if (wrong)
    return set_error_text(reading->error, "damaged: %sthe chunk at byte %zu",
                          wrong, reading->chunk);
  *at = is_cut ? file.size : *at + header.stored;
  if (is_cut)
    return true;
  return take(reading, header.size, 0, 0) &&
         (header.stored == header.size ||
          unpack(reading, &bytes, header.size, unpack_with)) &&
         parse_chunk(reading, header.kind, bytes);
}

bool parse_recording(struct recording *r, struct bytes file,
                     unpack_chunk *unpack_with, struct error *error) {
  struct file_header head;
  struct reading reading = {
      .recording = r, .error = error, .file_size = file.size};
  if (file.size < sizeof head ||
      memcmp(file.data, RECORDING_MAGIC, sizeof head.magic) != 0)
    return set_error_text(error, "not a recording of gpuexec --record");
  memcpy(&head, file.data, sizeof head);
  if (head.inverted_version != ~head.version || !head.version)
    return set_error_text(error, "damaged: the version in its head");
  if (head.version > RECORDING_VERSION)
    return set_error_text(
        error, "a recording of version %u; this gpuexec knows version %d",
        head.version, RECORDING_VERSION);
  size_t at = sizeof head;
  while (at < file.size && !r->has_end)
    if (!read_chunk(&reading, file, &at, unpack_with))
      return false;
  if (r->has_end && at < file.size)
    return set_error_text(error, "damaged: %zu bytes behind its end",
                          file.size - at);
  if (!r->facts.data || !r->image.data)
    return set_error_text(error, "cut off before the program began");
  place_addresses(r);
  return true;
}

void free_recording(struct recording *r) {
  for (size_t i = 0; i < r->unpacked_count; ++i)
    free(r->unpacked[i]);
  free(r->unpacked);
  free(r->calls);
  free(r->outputs);
  free(r->waits);
  free(r->addresses);
}

//===-- What it says ------------------------------------------------------===//

struct packed find_fact(const struct recording *recording, const char *name) {
  struct packed from = {recording->facts, false}, fact = {0};
  while (from.left.size) {
    const bool found = is_text(read_bytes(&from), name);
    const struct packed begin = from;
    for (uint64_t count = read_number(&from); count && !from.failed; --count)
      read_bytes(&from);
    if (found) // the last of several
      fact.left =
          (struct bytes){begin.left.data, begin.left.size - from.left.size};
  }
  return fact;
}

bool ended_by_alarm(const struct recording *r) {
  return r->has_end && is_text(r->end_kind, "exited") &&
         r->end_value == 128 + SIGALRM;
}

bool ended_by_pipe(const struct recording *r) {
  return r->has_end && is_text(r->end_kind, "signalled") &&
         r->end_value == SIGPIPE;
}
