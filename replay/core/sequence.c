//===-- replay/core/sequence.c - What an opcode exchanges --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/core/sequence.h"
#include <string.h>

// Name and sequence of each opcode, one behind the other, in a structure whose
// offsets are constants: a table of pointers would be larger, and would have to
// be relocated at each start.
static const struct texts {
#define RPC_OPCODE(NAME, VALUE, FEATURE, SEQUENCE)                             \
  char NAME[sizeof #NAME "\0" SEQUENCE];
#include "rpc/protocol/opcodes.def"
} texts = {
#define RPC_OPCODE(NAME, VALUE, FEATURE, SEQUENCE) #NAME "\0" SEQUENCE,
#include "rpc/protocol/opcodes.def"
};
static const struct {
  uint32_t opcode, text;
} opcodes[] = {
#define RPC_OPCODE(NAME, VALUE, FEATURE, SEQUENCE)                             \
  {VALUE, offsetof(struct texts, NAME)},
#include "rpc/protocol/opcodes.def"
};

static bool take(const char **text, const char *word) {
  const size_t size = strlen(word);
  if (strncmp(*text, word, size) != 0)
    return false;
  *text += size;
  return true;
}

static struct bytes take_name(const char **text) {
  const struct bytes name = {(const uint8_t *)*text, strcspn(*text, "|[],)}")};
  *text += name.size;
  return name;
}

static void parse_fields(const char **text, struct step *step) {
  while (!take(text, "}")) {
    struct field *field = &step->fields[step->field_count++];
    *field =
        (struct field){take_name(text), (uint8_t)step->words, 1, false, false};
    if (take(text, "[")) {
      field->is_text = true;
      field->words = (uint8_t)(*(*text)++ - '0');
      take(text, "]");
    }
    field->zero_on_error = take(text, "|0");
    step->words += field->words;
    take(text, ", ");
  }
}

static void parse_step(const char **text, struct step *step) {
  memset(step, 0, sizeof *step);
  step->repeated = take(text, "*");
  step->by_client = take(text, "C ");
  if (!step->by_client)
    take(text, "S ");
  if (take(text, "{"))
    return parse_fields(text, step);
  step->kind = take(text, "text(") || take(text, "bytes(") ? STREAM : RECORD;
  if (step->kind == RECORD)
    take(text, "record(");
  step->name = take_name(text);
  take(text, ")");
}

static void parse_sequence(const char *text, struct sequence *sequence) {
  sequence->count = 0;
  do
    parse_step(&text, &sequence->steps[sequence->count++]);
  while (take(&text, ", "));
  const struct step *steps = sequence->steps;
  unsigned end = 0;
  while (end < sequence->count && !steps[end].repeated &&
         (steps[end].by_client ||
          (steps[end].kind == PACKET && !steps[end].field_count)))
    ++end;
  sequence->request_steps = end;
  sequence->is_plain = true;
  for (; end < sequence->count; ++end)
    sequence->is_plain &= !steps[end].by_client && !steps[end].repeated;
}

const char *find_opcode(uint32_t opcode, struct sequence *sequence) {
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; ++i)
    if (opcodes[i].opcode == opcode) {
      const char *name = (const char *)&texts + opcodes[i].text;
      parse_sequence(name + strlen(name) + 1, sequence);
      return name;
    }
  return NULL;
}

int64_t error_value(const struct sequence *sequence) {
  for (unsigned i = sequence->count; i-- > sequence->request_steps;)
    if (!sequence->steps[i].by_client && sequence->steps[i].kind == PACKET)
      return sequence->steps[i].fields[0].zero_on_error ? 0 : -1;
  return -1;
}
