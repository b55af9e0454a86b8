//===-- libc-shim/process/process.h - Start and end of the program --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What start-up code and the functions that end a program share. Any number of
// threads may call these at once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_PROCESS_H
#define GPUEXEC_LIBC_PROCESS_H

#include "libc-shim/device/trap.h"
#include <stdint.h>

/// The loader's environment, as _begin got it; setenv() may replace it.
extern char **environ;

/// argv[0], and the part behind its last slash.
extern char *program_invocation_name, *program_invocation_short_name;

/// Sets the function that calls the program's destructors. It runs after all
/// handlers of atexit().
void __gpuexec_set_destructors(void (*function)(void));

/// Runs the handlers of atexit(), last first, then the destructors. Only the
/// first call does; the others return false.
_Bool __gpuexec_run_exit_handlers(void);

/// 1 when the program has ended and the host knows it. Waves that run no
/// thread, and those that wait for another thread, then leave the kernel.
extern uint32_t __gpuexec_is_over;

/// A function that is called at the end: `plain`, or `function` with
/// `argument`.
typedef struct exit_handler {
  struct exit_handler *older;
  void (*plain)(void);
  void (*function)(void *);
  void *argument;
} exit_handler;

/// Lists of the handlers of exit() and quick_exit(), newest first. Lock-free
/// stacks: only pushed to and popped from.
extern exit_handler *__gpuexec_exit_handlers, *__gpuexec_quick_handlers;

#endif
