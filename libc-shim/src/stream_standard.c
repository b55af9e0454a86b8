//===-- libc-shim/src/stream_standard.c - stdin, stdout, stderr -----------===//
// See stream.h.
//===----------------------------------------------------------------------===//
#include "stream.h"

static FILE standard_input = {.tag = RPC_STREAM_STDIN};
static FILE standard_error = {.tag = RPC_STREAM_STDERR, .mode = STREAM_NONE};
// Kept and found by name, so that what is in its buffer when the device dies
// can still be written.
__attribute__((used, retain, visibility("protected"))) FILE __gpuexec_stdout = {
    .tag = RPC_STREAM_STDOUT};
FILE *const stdin = &standard_input;
FILE *const stdout = &__gpuexec_stdout;
FILE *const stderr = &standard_error;
