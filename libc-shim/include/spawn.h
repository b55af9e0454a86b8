// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/spawn.h - Programs that the host starts -*- C -*-===*/
/* A child has the program's standard descriptors, and others only by file
 * actions: none is inherited. It ends with the program. EPERM under --sandbox.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SPAWN_H
#define GPUEXEC_SPAWN_H

#include <signal.h>
#include <sys/types.h>

typedef struct {
  char *__bytes;
  size_t __size;
} posix_spawn_file_actions_t;
typedef struct {
  short __flags;
  pid_t __group;
  sigset_t __mask, __defaults;
} posix_spawnattr_t;

#define POSIX_SPAWN_RESETIDS 0x01
#define POSIX_SPAWN_SETPGROUP 0x02
#define POSIX_SPAWN_SETSIGDEF 0x04
#define POSIX_SPAWN_SETSIGMASK 0x08
#define POSIX_SPAWN_SETSCHEDPARAM 0x10 /* EINVAL, and the next */
#define POSIX_SPAWN_SETSCHEDULER 0x20
#define POSIX_SPAWN_USEVFORK 0x40

#ifdef __cplusplus
extern "C" {
#endif
/* These return an errno. */
int posix_spawn(pid_t *__restrict, const char *__restrict,
                const posix_spawn_file_actions_t *,
                const posix_spawnattr_t *__restrict, char *const[],
                char *const[]);
int posix_spawnp(pid_t *__restrict, const char *__restrict,
                 const posix_spawn_file_actions_t *,
                 const posix_spawnattr_t *__restrict, char *const[],
                 char *const[]);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *, int);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *__restrict,
                                     int, const char *__restrict, int, mode_t);
#ifdef _GNU_SOURCE
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *__restrict,
                                         const char *__restrict);
#endif
int posix_spawnattr_init(posix_spawnattr_t *);
int posix_spawnattr_destroy(posix_spawnattr_t *);
int posix_spawnattr_setflags(posix_spawnattr_t *, short);
int posix_spawnattr_getflags(const posix_spawnattr_t *__restrict,
                             short *__restrict);
int posix_spawnattr_setpgroup(posix_spawnattr_t *, pid_t);
int posix_spawnattr_getpgroup(const posix_spawnattr_t *__restrict,
                              pid_t *__restrict);
int posix_spawnattr_setsigmask(posix_spawnattr_t *__restrict,
                               const sigset_t *__restrict);
int posix_spawnattr_getsigmask(const posix_spawnattr_t *__restrict,
                               sigset_t *__restrict);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *__restrict,
                                  const sigset_t *__restrict);
int posix_spawnattr_getsigdefault(const posix_spawnattr_t *__restrict,
                                  sigset_t *__restrict);
#ifdef __cplusplus
}
#endif
#endif
