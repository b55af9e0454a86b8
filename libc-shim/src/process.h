//===-- libc-shim/src/process.h - What start-up code needs of the library -===//
// Start of the program, end of a thread, end of the program. Everything here
// may be called by any number of threads at once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_PROCESS_H
#define GPUEXEC_LIBC_PROCESS_H

/// The loader's environment, as _begin got it; setenv() may replace it.
extern char **environ;

/// argv[0], and what follows its last slash.
extern char *program_invocation_name, *program_invocation_short_name;

/// atexit() without a limit on how many: 0, or -1 when memory is out.
int __gpuexec_at_exit(void (*function)(void));

/// Runs what was registered, last first, and then flushes every stream. Only
/// the first caller does; `false` to all the others.
_Bool __gpuexec_run_exit_handlers(void);

/// main has returned in this thread: frees what belongs to the thread alone.
void __gpuexec_thread_ends(void);

#endif
