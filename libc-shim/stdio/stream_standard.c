//===-- libc-shim/stdio/stream_standard.c - stdin, stdout, stderr ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stream.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/stream.h"

bool __stream_any_wide;
int (*__stream_send_records)(FILE *);
void (*__stream_take)(FILE *, uint64_t mask);
void (*__stream_give_back)(FILE *, uint64_t mask);

static FILE standard_input = {.tag = RPC_STREAM_STDIN};
static FILE standard_error = {.tag = RPC_STREAM_STDERR, .mode = STREAM_NONE};
static FILE standard_output = {.tag = RPC_STREAM_STDOUT};
FILE *const stdin = &standard_input;
FILE *const stdout = &standard_output;
FILE *const stderr = &standard_error;
