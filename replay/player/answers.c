//===-- replay/player/answers.c - Answers from a recording ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/answers.h"
#include "replay/player/process.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

struct answers *make_answers(const struct recording *recording, bool one_wave) {
  struct answers *answers = allocate(1, sizeof *answers);
  answers->recording = recording;
  answers->matcher =
      make_matcher(recording, one_wave && has_one_caller(recording));
  return answers;
}

_Noreturn static void fail_with(const struct answers *answers,
                                const struct buffer *why) {
  fail(STATUS_FAILED, "%s: %.*s", answers->recording->name, (int)why->size,
       (const char *)why->data);
}

static void write_output(struct answers *answers, bool at_end) {
  const struct recorded_output *output;
  while ((output = next_output(answers->matcher, at_end)))
    for (size_t done = 0; done < output->bytes.size;) {
      const ssize_t count = write(output->stream, output->bytes.data + done,
                                  output->bytes.size - done);
      if (count <= 0) {
        if (errno != EPIPE && output->stream == 1) // nobody may be reading it
          answers->lost_output = errno;
        break;
      }
      done += (size_t)count;
    }
}

/// Whether the program must end here, before or after a call
/// (is_ended_by_host()).
static bool is_at_end(const struct answers *answers, uint32_t opcode,
                      struct end *end) {
  if (!is_ended_by_host(answers->matcher, opcode))
    return false;
  *end = ended_by_pipe(answers->recording)
             ? (struct end){"signalled", SIGPIPE}
             : (struct end){"exited", 128 + SIGALRM};
  return true;
}

enum found answer_call(struct answers *answers,
                       const struct recorded_call *call, struct bytes *answer,
                       struct end *end) {
  struct buffer why = {0};
  if (is_at_end(answers, call->opcode, end))
    return FOUND_END;
  const struct match match =
      match_call(answers->matcher, call, /*is_last=*/false);
  *answer = match.answer;
  switch (match.kind) {
  case MATCH_ANY_TIME:
    return FOUND_MEMORY;
  case MATCH_LATER:
    return FOUND_LATER;
  case MATCH_DIFFERS:
  case MATCH_BEYOND:
    describe_mismatch(&why, answers->matcher, &match, call);
    fail_with(answers, &why);
  case MATCH_FOUND:
  case MATCH_PRINTED:
    write_output(answers, /*at_end=*/false);
  }
  return is_at_end(answers, call->opcode, end) ? FOUND_END : FOUND_ANSWER;
}

void finish_replay(struct answers *answers, struct end end) {
  struct buffer why = {0};
  if (describe_missing(&why, answers->matcher))
    fail_with(answers, &why);
  write_output(answers, /*at_end=*/true);
  if (answers->lost_output && answers->recording->has_end)
    fail(STATUS_FAILED, "%s: cannot write standard output: %s",
         answers->recording->name, strerror(answers->lost_output));
  if (describe_other_end(&why, answers->matcher, end.kind, end.value))
    fail_with(answers, &why);
}
