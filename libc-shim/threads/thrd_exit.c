//===-- libc-shim/threads/thrd_exit.c - A C11 thread ends itself ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

_Noreturn void thrd_exit(int status) { pthread_exit((void *)(intptr_t)status); }
