//===-- toolchain/libstdcxx/thread_destructors.cc - thread_local -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's list of the destructors of thread_local objects. GCC's file has exit()
// run those of its caller among the functions of atexit(), by the order in
// which they were registered. They come before all of these
// ([basic.start.term]).
//===----------------------------------------------------------------------===//
#include <cstdlib>

extern "C" void (*__gpuexec_thread_destructors)(); // libc-shim/process/exit.c

namespace std {
static int at_thread_exit(void (*function)()) {
  __gpuexec_thread_destructors = function;
  return 0;
}
} // namespace std

#define atexit at_thread_exit
#include "atexit_thread.cc"
