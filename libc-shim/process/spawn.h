//===-- libc-shim/process/spawn.h - Processes of the host -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_SPAWN_H
#define GPUEXEC_LIBC_SPAWN_H

#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>

/// posix_spawn(), or, with `search`, posix_spawnp(). `more_flags`: 0 or
/// RPC_SPAWN_INSTEAD. Returns 0 or an errno value.
int __spawn(pid_t *process, const char *path, bool search, unsigned more_flags,
            const posix_spawn_file_actions_t *actions,
            const posix_spawnattr_t *attributes, char *const *arguments,
            char *const *environment);

/// The arguments of execl() and its like, `first` and those of `list` up to a
/// null pointer, which the caller frees. *environment, if it is not null,
/// becomes what follows that. Null with errno ENOMEM.
char **__exec_list(const char *first, va_list list, char *const **environment);

/// Waits for the end of `process` and ends the program at once, with its
/// status, or with 128 and the signal that ended it.
_Noreturn void __end_as(pid_t process);

#endif
