//===-- libc-shim/process/atexit.c - Functions to be called at the end ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atexit, at_quick_exit and the C++ ABI's registration of destructors. Any
// number of threads may call them at once. exit.c runs the handlers.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/process/process.h"
#include <stdlib.h>

// C guarantees 32 handlers, even when memory is out.
static exit_handler reserve[32];
static uint32_t reserve_used;

static exit_handler *make_handler(void) {
  if (__scoped_atomic_load_n(&reserve_used, __ATOMIC_RELAXED,
                             __MEMORY_SCOPE_DEVICE) <
      sizeof reserve / sizeof *reserve) {
    uint32_t i = __scoped_atomic_fetch_add(&reserve_used, 1, __ATOMIC_RELAXED,
                                           __MEMORY_SCOPE_DEVICE);
    if (i < sizeof reserve / sizeof *reserve)
      return &reserve[i];
  }
  return malloc(sizeof(exit_handler));
}

static int push(exit_handler **list, exit_handler contents) {
  exit_handler *item = make_handler();
  if (!item)
    return -1;
  *item = contents;
  item->older =
      __scoped_atomic_load_n(list, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  // A lane that loses the exchange retries with the winner's item.
  while (!__scoped_atomic_compare_exchange_n(list, &item->older, item, 0,
                                             __ATOMIC_RELEASE, __ATOMIC_RELAXED,
                                             __MEMORY_SCOPE_DEVICE))
    ;
  return 0;
}

int atexit(void (*function)(void)) {
  return push(&__gpuexec_exit_handlers, (exit_handler){.plain = function});
}

int at_quick_exit(void (*function)(void)) {
  return push(&__gpuexec_quick_handlers, (exit_handler){.plain = function});
}

int __cxa_atexit(void (*function)(void *), void *argument, void *dso) {
  (void)dso; // one image, never unloaded
  return push(&__gpuexec_exit_handlers,
              (exit_handler){.function = function, .argument = argument});
}
