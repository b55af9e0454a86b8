//===-- libc-shim/process/process.h - Start and end of the program --------===//
// Start of the program, end of a thread, end of the program. Everything here
// may be called by any number of threads at once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_PROCESS_H
#define GPUEXEC_LIBC_PROCESS_H

/// The loader's environment, as _begin got it; setenv() may replace it.
extern char **environ;

/// argv[0], and what follows its last slash.
extern char *program_invocation_name, *program_invocation_short_name;

/// What runs after everything that atexit() collects: the destructors.
void __gpuexec_set_destructors(void (*function)(void));

/// Runs what was registered, last first, then the destructors. Only the first
/// caller does; `false` to all the others.
_Bool __gpuexec_run_exit_handlers(void);

/// One function to be called at the end, with or without an argument.
typedef struct exit_handler {
  struct exit_handler *older;
  void (*plain)(void);
  void (*function)(void *);
  void *argument;
} exit_handler;

/// The newest handler of exit() and of quick_exit(); only ever pushed to and
/// popped from.
extern exit_handler *__gpuexec_exit_handlers, *__gpuexec_quick_handlers;

/// What abort() runs first: SIGABRT's handler, where a program may have one.
extern void (*__gpuexec_before_abort)(void);

#endif
