//===-- libc-shim/threads/pthread_exit.c - A thread ends itself -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pthread_exit() jumps back to where the thread began. Only programs that call
// it link this file and save the target of that jump.
//===----------------------------------------------------------------------===//
#include "libc-shim/threads/threads.h"
#include <setjmp.h>
#include <stdlib.h>

void __gpuexec_cleanup_push(struct __gpuexec_cleanup *newest) {
  thread *self = __gpuexec_this_thread();
  newest->__older = self->cleanup;
  self->cleanup = newest;
}
void __gpuexec_cleanup_pop(struct __gpuexec_cleanup *newest, int execute) {
  __gpuexec_this_thread()->cleanup = newest->__older;
  if (execute)
    newest->__function(newest->__argument);
}

static void *run(thread *self) {
  jmp_buf begin;
  self->begin = &begin;
  if (!setjmp(begin))
    self->result = self->start(self->argument);
  return self->result;
}

__attribute__((constructor(102))) static void replace(void) {
  __gpuexec_run_thread = run;
  __gpuexec_push_cleanup_if_any = __gpuexec_cleanup_push;
  __gpuexec_pop_cleanup_if_any = __gpuexec_cleanup_pop;
}

_Noreturn void pthread_exit(void *result) {
  thread *self = __gpuexec_this_thread();
  __scoped_atomic_store_n(&self->ends, 1, __ATOMIC_RELAXED,
                          __MEMORY_SCOPE_DEVICE);
  while (self->cleanup) {
    struct __gpuexec_cleanup *newest = self->cleanup;
    self->cleanup = newest->__older;
    newest->__function(newest->__argument);
  }
  if (self->begin) {
    self->result = result;
    longjmp(*(jmp_buf *)self->begin, 1);
  }
  // In main(), whose wave runs no other thread. The thread that finishes last
  // ends the program.
  __gpuexec_finish_thread(self, result);
  for (;;)
    __gpuexec_wait_for_end();
}
