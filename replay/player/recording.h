//===-- replay/player/recording.h - A recorded run, read ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of docs/recording.md. Nothing in it is believed that was not
// checked; what is wrong with it ends the process with a message.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_RECORDING_H
#define GPUEXEC_REPLAY_PLAYER_RECORDING_H

#include "replay/player/bytes.h"

/// A call of the program's to its host.
struct recorded_call {
  uint32_t opcode;
  uint32_t caller; ///< wave of the grid from 1 on; 0: not known
  uint64_t mask;   ///< lanes
  unsigned address_count;
  const uint64_t *addresses;
  struct bytes request, answer;
};

/// What went to standard output (1) or standard error (2).
struct recorded_output {
  int stream;
  struct bytes bytes;
  size_t calls_before; ///< in the file
};

struct recording {
  const char *name; ///< of the file, for messages
  struct bytes facts, image;
  struct recorded_call *calls;
  size_t call_count;
  struct recorded_output *outputs;
  size_t output_count;
  bool has_end; ///< else its writer was killed
  struct bytes end_kind;
  int64_t end_value;
};

/// Where a recording begins in a file: behind the executable to which it was
/// appended, or at 0. The file's size where an executable has nothing behind
/// it.
uint64_t find_recording(struct bytes file);

/// Reads a recording from bytes that stay.
void parse_recording(struct recording *recording, struct bytes file);

/// The strings of a fact, behind their number; without it of size 0.
struct packed find_fact(const struct recording *recording, const char *name);
/// A fact of so many strings: the next one. fail() where there is none.
struct bytes next_string(const struct recording *recording, struct packed *fact,
                         const char *name);
/// The same as a number.
uint64_t next_fact_number(const struct recording *recording,
                          struct packed *fact, const char *name);
/// A decimal number of at most `most`. False where the text is none.
bool parse_number(struct bytes text, uint64_t most, uint64_t *number);

#endif // GPUEXEC_REPLAY_PLAYER_RECORDING_H
