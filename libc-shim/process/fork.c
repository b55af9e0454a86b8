//===-- libc-shim/process/fork.c - fork() before exec ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With -D_GPUEXEC_FORK (include/gpuexec/fork.h) a program may call fork. As
// with vfork, the child is the calling thread, in the same memory, until it
// calls a function of the exec family or exit. Then the host starts a process
// with the child's standard descriptors, and fork returns a second time, as
// setjmp does, with the number of that process. Changes that the child made to
// descriptors, the working directory and signals are undone; those in memory
// stay.
//
// exec without fork starts the process, waits for its end and ends as it did.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/thread_state.h"
#include "libc-shim/process/process.h"
#include "libc-shim/process/signals.h"
#include "libc-shim/process/spawn.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/// The state of one thread's forks; allocated by its first fork.
typedef struct {
  jmp_buf point; ///< fork()'s return in the parent
  bool is_child;
  pid_t process; ///< what the parent's fork returns; -1 with `error`
  int error;
  int directory; ///< open on the parent's working directory, or -1
  char **environment;
  char **arguments; ///< of execl, to be freed by the parent
  sigset_t mask;
  struct sigaction actions[NSIG]; ///< [0] is unused
} fork_state;

static jmp_buf nowhere; // the `point` of a fork that fails; no jump goes there

/// Null before the thread's first fork.
static fork_state *own_state(void) { return __thread_state()->fork; }

static bool is_child(void) {
  const fork_state *state = own_state();
  return state && state->is_child;
}

//===-- fork --------------------------------------------------------------===//

/// The buffer in which the caller saves the point of fork's second return.
struct __gpuexec_jump_buffer *__gpuexec_fork_point(void) {
  fork_state *state = own_state();
  if (!state)
    state = __thread_state()->fork = calloc(1, sizeof *state);
  return state && !state->is_child ? state->point : nowhere;
}

static void end_lost_child(void) {
  if (!is_child())
    return;
  fputs("a child of fork() returned from main\n", stderr);
  abort();
}

/// Begins a fork. 0: the caller is now the child. -1 with errno: fork failed
/// and does not return a second time.
int __gpuexec_fork_child(void) {
  static uint32_t registered;
  fork_state *state = own_state();
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  if (!state)
    return fail_with(ENOMEM);
  if (state->is_child)
    return fail_with(EAGAIN);
  fflush(NULL); // the child must not write what the parent has buffered
  state->directory = open(".", O_RDONLY | O_DIRECTORY);
  if (__host_result(__host_call(RPC_KEEP_DESCRIPTORS, 0, 0, 0))) {
    close(state->directory);
    return -1;
  }
  for (int number = 1; number < NSIG; ++number)
    sigaction(number, NULL, &state->actions[number]);
  sigprocmask(SIG_SETMASK, NULL, &state->mask);
  state->environment = environ;
  state->is_child = true;
  if (!__scoped_atomic_exchange_n(&registered, 1, __ATOMIC_RELAXED,
                                  __MEMORY_SCOPE_DEVICE))
    atexit(end_lost_child);
  return 0;
}

/// The value that fork returns the second time, in the parent. Sets errno if it
/// is -1.
int __gpuexec_fork_parent(void) {
  const fork_state *state = own_state();
  if (state->process < 0)
    errno = state->error;
  return state->process;
}

/// Undoes what the child changed and makes fork return in the parent:
/// `process`, or -1 with errno `error`.
static _Noreturn void return_to_parent(pid_t process, int error) {
  fork_state *state = own_state();
  __host_call(RPC_KEEP_DESCRIPTORS, 1, 0, 0);
  if (state->directory >= 0 && fchdir(state->directory) == 0)
    close(state->directory);
  for (int number = 1; number < NSIG; ++number)
    if (__signal_handler(number) != state->actions[number].sa_handler)
      sigaction(number, &state->actions[number], NULL);
  sigprocmask(SIG_SETMASK, &state->mask, NULL);
  environ = state->environment;
  free(state->arguments);
  state->arguments = NULL;
  state->process = process;
  state->error = error;
  state->is_child = false;
  longjmp(state->point, 1);
}

//===-- exec and exit -----------------------------------------------------===//

/// exec: starts `file`. Returns only when that failed: -1 with errno.
static int execute(const char *file, bool search, char *const arguments[],
                   char *const environment[]) {
  pid_t process;
  const int error = (search ? posix_spawnp : posix_spawn)(
      &process, file, NULL, NULL, arguments, environment);
  if (error)
    return fail_with(error);
  if (!is_child())
    __end_as(process);
  return_to_parent(process, 0);
}

int __gpuexec_execv(const char *path, char *const arguments[]) {
  return execute(path, false, arguments, environ);
}
int __gpuexec_execve(const char *path, char *const arguments[],
                     char *const environment[]) {
  return execute(path, false, arguments, environment);
}
int __gpuexec_execvp(const char *file, char *const arguments[]) {
  return execute(file, true, arguments, environ);
}
int __gpuexec_execvpe(const char *file, char *const arguments[],
                      char *const environment[]) {
  return execute(file, true, arguments, environment);
}

/// execl and its like. With `has_environment`, the environment follows the null
/// that ends the arguments.
static int execute_list(const char *file, bool search, const char *first,
                        va_list list, bool has_environment) {
  char *const *environment = environ;
  char **arguments =
      __exec_list(first, list, has_environment ? &environment : NULL);
  if (!arguments)
    return -1;
  if (is_child())
    own_state()->arguments = arguments;
  execute(file, search, arguments, environment);
  free(arguments);
  if (is_child())
    own_state()->arguments = NULL;
  return -1;
}
int __gpuexec_execl(const char *path, const char *first, ...) {
  va_list list;
  va_start(list, first);
  const int result = execute_list(path, false, first, list, false);
  va_end(list);
  return result;
}
int __gpuexec_execlp(const char *file, const char *first, ...) {
  va_list list;
  va_start(list, first);
  const int result = execute_list(file, true, first, list, false);
  va_end(list);
  return result;
}
int __gpuexec_execle(const char *path, const char *first, ...) {
  va_list list;
  va_start(list, first);
  const int result = execute_list(path, false, first, list, true);
  va_end(list);
  return result;
}

/// _exit(). In a child, starts a process that ends with `status` at once, so
/// that the parent has a process to wait for.
_Noreturn void __gpuexec_exit_at_once(int status) {
  if (!is_child())
    _exit(status);
  char command[16];
  snprintf(command, sizeof command, "exit %d", status & 255);
  char *arguments[] = {"sh", "-c", command, NULL};
  pid_t process = -1;
  const int error =
      posix_spawn(&process, "/bin/sh", NULL, NULL, arguments, environ);
  return_to_parent(error ? -1 : process, error);
}
_Noreturn void __gpuexec_exit(int status) {
  if (!is_child())
    exit(status);
  fflush(NULL);
  __gpuexec_exit_at_once(status);
}
