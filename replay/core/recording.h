//===-- replay/core/recording.h - A recorded run, read -----------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the file of docs/recording.md. The file is not trusted: all sizes and
// checksums are checked.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_CORE_RECORDING_H
#define GPUEXEC_REPLAY_CORE_RECORDING_H

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): a C header

#include "replay/core/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A call of the program to its host. rpc/server/journal.h says what is in
/// `request` and `answer`.
struct recorded_call {
  uint32_t opcode;
  uint32_t caller; ///< wave of the grid from 1 on; 0: not known
  uint64_t mask;   ///< lanes
  size_t address_count;
  const uint64_t *addresses;
  struct bytes request, answer;
  // In a recording with a schedule, else 0:
  uint64_t number; ///< this call's number, from 1 on, in order of beginning
  uint64_t step;   ///< the device's step in which it got the answer
};

/// Bytes that the program wrote to standard output (1) or standard error (2).
struct recorded_output {
  int stream;
  struct bytes bytes;
  size_t calls_before; ///< number of calls before it in the file
};

/// With a schedule: the device waited for its host.
struct recorded_wait {
  uint64_t step;  ///< of the device
  uint64_t ticks; ///< by which its clock was put forward
};

/// A recording that was read; all zero before. Calls, outputs and facts refer
/// to the bytes of the file, which must outlive it, and to unpacked chunks.
struct recording {
  const char *name;          ///< of the file, for messages of the player
  struct bytes facts, image; ///< content of these chunks
  struct recorded_call *calls;
  size_t call_count;
  struct recorded_output *outputs;
  size_t output_count;
  struct recorded_wait *waits; ///< in the order of their steps
  size_t wait_count;
  bool is_halted; ///< the device was halted behind `halted_step`
  uint64_t halted_step;
  bool has_end; ///< false: the writer was killed before the program's end
  struct bytes end_kind, end_message;
  int64_t end_value;
  uint64_t output_digest, error_digest;
  // Owned:
  uint64_t *addresses; ///< of all calls
  uint8_t **unpacked;  ///< chunks
  size_t unpacked_count;
};

/// The offset at which a recording begins in a file: behind the executable to
/// which it was appended, or 0. The size of the file if nothing follows an
/// executable.
uint64_t find_recording(struct bytes file);

/// Unpacks a chunk into `to`. False where the bytes do not unpack to exactly
/// `size` bytes; then `error` says why, or is left empty for damage.
typedef bool unpack_chunk(uint8_t *to, size_t size, struct bytes packed,
                          struct error *error);

/// Reads a recording. False if it is damaged or something else, with an error
/// that does not name the file. A file that ends early is no error if it has
/// facts and image. The caller frees the recording in either case.
bool parse_recording(struct recording *recording, struct bytes file,
                     unpack_chunk *unpack, struct error *error);
void free_recording(struct recording *recording);

/// The number of a fact's strings and the strings, packed; empty if the
/// recording lacks the fact.
struct packed find_fact(const struct recording *recording, const char *name);

/// Whether the host ended the program: by an alarm, or because it wrote to a
/// pipe that nobody read.
bool ended_by_alarm(const struct recording *recording);
bool ended_by_pipe(const struct recording *recording);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_RECORDING_H
