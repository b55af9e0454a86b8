//===-- replay/player/tests/fuzz_replayer.h - In place of parts of libc ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included before everything else in the sources that are fuzzed: an end of the
// process, and memory that is left, are the fuzzer's.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_TESTS_FUZZ_REPLAYER_H
#define GPUEXEC_REPLAY_PLAYER_TESTS_FUZZ_REPLAYER_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void *real_realloc(void *data, size_t size) {
  return realloc(data, size);
}
static inline void real_free(void *data) { free(data); }

void *fuzz_calloc(size_t count, size_t size);
void *fuzz_realloc(void *data, size_t size);
void fuzz_free(void *data);
_Noreturn void fuzz_exit(int status);
ssize_t fuzz_write(int fd, const void *data, size_t size);
int fuzz_print(FILE *file, const char *format, ...);

#define calloc fuzz_calloc
#define realloc fuzz_realloc
#define free fuzz_free
#define _exit fuzz_exit
#define write fuzz_write
#define fprintf fuzz_print
#define raise(SIGNAL) fuzz_exit(SIGNAL)

#endif // GPUEXEC_REPLAY_PLAYER_TESTS_FUZZ_REPLAYER_H
