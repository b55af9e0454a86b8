//===-- libc-shim/process/spawn.c - posix_spawn, wait ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host starts the program and waits for it. The child has the standard
// descriptors, and others only by file actions.
//===----------------------------------------------------------------------===//
#include "libc-shim/process/spawn.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/process/process.h"
#include "libc-shim/process/signals.h"
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

//===-- File actions ------------------------------------------------------===//

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions) {
  *actions = (posix_spawn_file_actions_t){0};
  return 0;
}
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions) {
  free(actions->__bytes);
  *actions = (posix_spawn_file_actions_t){0};
  return 0;
}

/// Appends an action. Returns 0 or an errno value.
static int add(posix_spawn_file_actions_t *actions, rpc_spawn_action action,
               const char *path) {
  action.path_size = path ? (uint32_t)strlen(path) : 0;
  char *larger = realloc(actions->__bytes,
                         actions->__size + sizeof action + action.path_size);
  if (!larger)
    return ENOMEM;
  memcpy(larger + actions->__size, &action, sizeof action);
  if (path)
    memcpy(larger + actions->__size + sizeof action, path, action.path_size);
  actions->__bytes = larger;
  actions->__size += sizeof action + action.path_size;
  return 0;
}
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions,
                                      int fd) {
  if (fd < 0)
    return EBADF;
  return add(actions,
             (rpc_spawn_action){.kind = RPC_SPAWN_CLOSE, .descriptor = fd},
             NULL);
}
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions,
                                     int source, int fd) {
  if (fd < 0 || source < 0)
    return EBADF;
  return add(actions,
             (rpc_spawn_action){
                 .kind = RPC_SPAWN_DUP2, .descriptor = fd, .source = source},
             NULL);
}
int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t *restrict actions, int fd,
    const char *restrict path, int flags, mode_t mode) {
  if (fd < 0)
    return EBADF;
  return add(actions,
             (rpc_spawn_action){.kind = RPC_SPAWN_OPEN,
                                .descriptor = fd,
                                .flags = flags,
                                .mode = mode},
             path);
}
int posix_spawn_file_actions_addchdir_np(
    posix_spawn_file_actions_t *restrict actions, const char *restrict path) {
  return add(actions, (rpc_spawn_action){.kind = RPC_SPAWN_CHDIR}, path);
}

//===-- Attributes --------------------------------------------------------===//

int posix_spawnattr_init(posix_spawnattr_t *attributes) {
  *attributes = (posix_spawnattr_t){0};
  return 0;
}
int posix_spawnattr_destroy(posix_spawnattr_t *attributes) {
  (void)attributes;
  return 0;
}
int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags) {
  // POSIX_SPAWN_SETSIGDEF and RESETIDS change nothing: a child's signals always
  // have their default actions, and its user IDs are the program's. The host
  // decides its scheduling, so the flags for that are refused.
  const int known = POSIX_SPAWN_RESETIDS | POSIX_SPAWN_SETPGROUP |
                    POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                    POSIX_SPAWN_USEVFORK;
  if (flags & ~known)
    return EINVAL;
  attributes->__flags = flags;
  return 0;
}
int posix_spawnattr_getflags(const posix_spawnattr_t *restrict attributes,
                             short *restrict flags) {
  *flags = attributes->__flags;
  return 0;
}
int posix_spawnattr_setpgroup(posix_spawnattr_t *attributes, pid_t group) {
  attributes->__group = group;
  return 0;
}
int posix_spawnattr_getpgroup(const posix_spawnattr_t *restrict attributes,
                              pid_t *restrict group) {
  *group = attributes->__group;
  return 0;
}
int posix_spawnattr_setsigmask(posix_spawnattr_t *restrict attributes,
                               const sigset_t *restrict mask) {
  attributes->__mask = *mask;
  return 0;
}
int posix_spawnattr_getsigmask(const posix_spawnattr_t *restrict attributes,
                               sigset_t *restrict mask) {
  *mask = attributes->__mask;
  return 0;
}
int posix_spawnattr_setsigdefault(posix_spawnattr_t *restrict attributes,
                                  const sigset_t *restrict set) {
  attributes->__defaults = *set;
  return 0;
}
int posix_spawnattr_getsigdefault(const posix_spawnattr_t *restrict attributes,
                                  sigset_t *restrict set) {
  *set = attributes->__defaults;
  return 0;
}

//===-- posix_spawn -------------------------------------------------------===//

/// The strings of a list, each with its null character, in one block of malloc
/// of *size bytes. Null when there is no memory.
static char *join(char *const *list, size_t *size) {
  *size = 0;
  for (char *const *text = list; text && *text; ++text)
    *size += strlen(*text) + 1;
  char *joined = malloc(*size + 1), *at = joined;
  for (char *const *text = list; joined && text && *text; ++text)
    at = stpcpy(at, *text) + 1;
  return joined;
}

int __spawn(pid_t *process, const char *path, bool search, unsigned more_flags,
            const posix_spawn_file_actions_t *actions,
            const posix_spawnattr_t *attributes, char *const *arguments,
            char *const *environment) {
  if (!HOST_HAS_POSIX())
    return ENOSYS;
  size_t size, environment_size;
  char *const argv = join(arguments, &size);
  char *const envp = join(environment, &environment_size);
  if (!argv || !envp) {
    free(argv);
    free(envp);
    return ENOMEM;
  }
  rpc_port port = __port_open(RPC_SPAWN);
  __port_send_n(&port, path, strlen(path) + 1);
  __port_send_n(&port, argv, size);
  __port_send_n(&port, envp, environment_size);
  __port_send_n(&port, actions ? actions->__bytes : NULL,
                actions ? actions->__size : 0);
  rpc_packet *packet = __port_send_begin(&port);
  packet->words[0] = search;
  packet->words[1] =
      (attributes ? (uint64_t)attributes->__flags : 0) | more_flags;
  packet->words[2] = attributes ? (uint64_t)attributes->__group : 0;
  packet->words[3] = attributes ? attributes->__mask : 0;
  __port_send_end(&port);
  host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  free(argv);
  free(envp);
  if (reply.error)
    return reply.error;
  if (process)
    *process = (pid_t)reply.words[0];
  return 0;
}

int posix_spawn(pid_t *restrict process, const char *restrict path,
                const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *restrict attributes,
                char *const arguments[], char *const environment[]) {
  return __spawn(process, path, false, 0, actions, attributes, arguments,
                 environment);
}
int posix_spawnp(pid_t *restrict process, const char *restrict file,
                 const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *restrict attributes,
                 char *const arguments[], char *const environment[]) {
  return __spawn(process, file, true, 0, actions, attributes, arguments,
                 environment);
}

//===-- wait --------------------------------------------------------------===//

pid_t waitpid(pid_t process, int *status, int options) {
  if (options & ~(WNOHANG | WUNTRACED | WCONTINUED))
    return fail_with(EINVAL);
  if (!HOST_HAS_POSIX())
    return fail_with(ECHILD);
  host_reply reply;
  do
    reply =
        __host_call(RPC_WAIT, (uint64_t)(int64_t)(process > 0 ? process : -1),
                    (uint64_t)options, 0);
  while (__host_call_restarts(reply));
  const pid_t found = (pid_t)__host_result(reply);
  if (found > 0 && status)
    *status = (int)reply.words[1];
  return found;
}
pid_t wait(int *status) { return waitpid(-1, status, 0); }

/// The host does not report what resources a child used: *used is all zeros.
pid_t wait4(pid_t process, int *status, int options, struct rusage *used) {
  const pid_t found = waitpid(process, status, options);
  if (used)
    memset(used, 0, sizeof *used);
  return found;
}
pid_t wait3(int *status, int options, struct rusage *used) {
  return wait4(-1, status, options, used);
}

int killpg(pid_t group, int number) {
  if (group == 0 || group == getpgrp())
    return __raise_in_program(number);
  return kill(group, 0) && errno == ESRCH ? -1 : fail_with(EPERM);
}

int kill(pid_t process, int number) {
  if (process == getpid() || process == 0)
    return __raise_in_program(number);
  if (!HOST_HAS_POSIX())
    return fail_with(ESRCH);
  return (int)__host_result(
      __host_call(RPC_KILL, (uint64_t)process, (uint64_t)number, 0));
}
