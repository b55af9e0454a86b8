//===-- libc-shim/unwind/pthread_exit.cpp - A thread of C++ ends itself ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker finds it in front of libc-shim/threads/pthread_exit.c, in programs
// of C++: variables of the functions that are left are destroyed, and `catch
// (...)` has to throw again, as with glibc.
//===----------------------------------------------------------------------===//
extern "C" {
#include "libc-shim/threads/threads.h"
}
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <unwind.h>

namespace {

__thread _Unwind_Exception leaving;

/// A handler has ended that did not throw again.
void refuse(_Unwind_Reason_Code, _Unwind_Exception *) {
  fputs("FATAL: exception not rethrown\n", stderr);
  abort();
}

_Unwind_Reason_Code end_main(int, _Unwind_Action, _Unwind_Exception_Class,
                             _Unwind_Exception *, _Unwind_Context *,
                             void *result) {
  // Its wave runs no other thread. The last thread ends the program.
  __gpuexec_finish_thread(__gpuexec_this_thread(), result);
  for (;;)
    __gpuexec_wait_for_end();
}

void *run(thread *self) {
  try {
    self->result = self->start(self->argument);
  } catch (abi::__forced_unwind &) {
    leaving.exception_cleanup = nullptr;
  }
  return self->result;
}

__attribute__((constructor(102))) void replace() { __gpuexec_run_thread = run; }

} // namespace

extern "C" {

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

void pthread_exit(void *result) {
  thread *self = __gpuexec_this_thread();
  while (self->cleanup) {
    struct __gpuexec_cleanup *newest = self->cleanup;
    self->cleanup = newest->__older;
    newest->__function(newest->__argument);
  }
  self->result = result;
  leaving.exception_class = 0;
  leaving.exception_cleanup = refuse;
  _Unwind_ForcedUnwind(&leaving, end_main, result);
  abort();
}

} // extern "C"
