//===-- replay/core/sequence.h - What an opcode exchanges --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sequences of rpc/protocol/opcodes.def, parsed when a call is served. They
// are not checked: rpc/server/sequence.h checks them when it is compiled.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_CORE_SEQUENCE_H
#define GPUEXEC_REPLAY_CORE_SEQUENCE_H

// NOLINTBEGIN(readability-identifier-naming,modernize-use-using): a C header

#include "replay/core/bytes.h"
#include "rpc/protocol/protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_STEPS = 12, MOST_FIELDS = 7 };

/// A named word of a packet, or several that hold a string.
struct field {
  struct bytes name; ///< "_": not used
  uint8_t word;      ///< index in the packet of its first word
  uint8_t words;
  bool is_text;
  bool zero_on_error; ///< a result is 0 after an error, else -1
};

enum step_kind { PACKET, STREAM, RECORD };

/// One packet, stream or object that one side sends.
struct step {
  bool by_client, repeated;
  enum step_kind kind;
  struct bytes name; ///< of a stream or an object
  struct field fields[MOST_FIELDS];
  unsigned field_count;
  unsigned words; ///< of a packet: number of words up to the last field
};

/// The steps of a call. The request consists of the steps before the server's
/// first step with content, the answer of the others.
struct sequence {
  struct step steps[MOST_STEPS];
  unsigned count;
  unsigned request_steps;
  bool is_plain; ///< a request and an answer; else the sides go on in turns
};

/// Sets `*sequence` to the steps of an opcode and returns its name; NULL if
/// there is no such opcode.
const char *find_opcode(uint32_t opcode, struct sequence *sequence);

/// The result of a failed call.
int64_t error_value(const struct sequence *sequence);

static inline bool prints(uint32_t opcode) {
  return (opcode >= RPC_PRINTF_TO_STDOUT &&
          opcode <= RPC_PRINTF_TO_STREAM_PACKED) ||
         opcode == RPC_PRINTF_SLOTS || opcode == RPC_PRINTF_LONG_SLOTS;
}
static inline bool is_bulk(uint32_t opcode) {
  return opcode >= RPC_BULK_WRITE_STREAM && opcode <= RPC_BULK_READ;
}
static inline bool is_bulk_write(uint32_t opcode) {
  return opcode == RPC_BULK_WRITE_STREAM || opcode == RPC_BULK_WRITE;
}
static inline bool allocates(uint32_t opcode) {
  return opcode == RPC_MALLOC || opcode == RPC_ALLOCATE;
}
static inline bool ends_program(uint32_t opcode) {
  return opcode == RPC_EXIT || opcode == RPC_ABORT;
}

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming,modernize-use-using)

#endif // GPUEXEC_REPLAY_CORE_SEQUENCE_H
