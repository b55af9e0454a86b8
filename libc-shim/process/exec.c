//===-- libc-shim/process/exec.c - exec -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host starts the command with the program's descriptors; the program waits
// for its end and ends as it did. What C's streams hold unwritten is lost, as
// with any exec. fork.c has exec for programs with -D_GPUEXEC_FORK.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/process/process.h"
#include "libc-shim/process/spawn.h"
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn void __end_as(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  // Not by raise(): abort() would write out what C's streams hold.
  _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/// Returns only when the command cannot be started: -1 with errno.
static int execute(const char *file, bool search, char *const arguments[],
                   char *const environment[]) {
  pid_t process;
  posix_spawnattr_t attributes = {.__flags = POSIX_SPAWN_SETSIGMASK};
  sigprocmask(SIG_SETMASK, NULL, &attributes.__mask);
  const int error = __spawn(&process, file, search, RPC_SPAWN_INSTEAD, NULL,
                            &attributes, arguments, environment);
  if (error)
    return fail_with(error);
  __end_as(process);
}

int execv(const char *path, char *const arguments[]) {
  return execute(path, false, arguments, environ);
}
int execve(const char *path, char *const arguments[],
           char *const environment[]) {
  return execute(path, false, arguments, environment);
}
int execvp(const char *file, char *const arguments[]) {
  return execute(file, true, arguments, environ);
}
int execvpe(const char *file, char *const arguments[],
            char *const environment[]) {
  return execute(file, true, arguments, environment);
}

int fexecve(int fd, char *const arguments[], char *const environment[]) {
  char path[32]; // of the new process, which has the descriptor
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return execute(path, false, arguments, environment);
}

char **__exec_list(const char *first, va_list list, char *const **environment) {
  va_list counted;
  va_copy(counted, list);
  size_t count = 1;
  for (const char *text = first; text; text = va_arg(counted, const char *))
    ++count;
  va_end(counted);
  char **arguments = malloc(count * sizeof *arguments);
  if (!arguments) {
    errno = ENOMEM;
    return NULL;
  }
  arguments[0] = (char *)first;
  for (size_t i = 1; i < count; ++i)
    arguments[i] = va_arg(list, char *);
  if (environment)
    *environment = va_arg(list, char **);
  return arguments;
}

/// execl() and its like. With `has_environment`, the environment follows the
/// null that ends the arguments.
static int execute_list(const char *file, bool search, const char *first,
                        va_list list, bool has_environment) {
  char *const *environment = environ;
  char **arguments =
      __exec_list(first, list, has_environment ? &environment : NULL);
  if (!arguments)
    return -1;
  execute(file, search, arguments, environment);
  free(arguments);
  return -1;
}
int execl(const char *path, const char *first, ...) {
  va_list list;
  va_start(list, first);
  const int result = execute_list(path, false, first, list, false);
  va_end(list);
  return result;
}
int execlp(const char *file, const char *first, ...) {
  va_list list;
  va_start(list, first);
  const int result = execute_list(file, true, first, list, false);
  va_end(list);
  return result;
}
int execle(const char *path, const char *first, ...) {
  va_list list;
  va_start(list, first);
  const int result = execute_list(path, false, first, list, true);
  va_end(list);
  return result;
}
