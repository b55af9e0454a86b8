//===-- libc-shim/threads/thrd_create.c - C11 threads begin and end -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A C11 thread's int result is stored in the pointer that a POSIX thread
// returns.
//===----------------------------------------------------------------------===//
#include "libc-shim/threads/threads.h"
#include <errno.h>
#include <stdlib.h>
#include <threads.h>

typedef struct {
  thrd_start_t function;
  void *argument;
} start;

static void *call(void *memory) {
  const start what = *(start *)memory;
  free(memory);
  return (void *)(intptr_t)what.function(what.argument);
}

int thrd_create(thrd_t *id, thrd_start_t function, void *argument) {
  start *what = malloc(sizeof *what);
  if (!what)
    return thrd_nomem;
  *what = (start){function, argument};
  thread *fresh = __gpuexec_start_thread(call, what, NULL);
  if (!fresh) {
    free(what);
    return errno == ENOMEM ? thrd_nomem : thrd_error;
  }
  *id = (thrd_t)fresh;
  return thrd_success;
}
int thrd_join(thrd_t id, int *status) {
  void *result;
  if (pthread_join(id, &result))
    return thrd_error;
  if (status)
    *status = (int)(intptr_t)result;
  return thrd_success;
}
int thrd_detach(thrd_t id) {
  return pthread_detach(id) ? thrd_error : thrd_success;
}
