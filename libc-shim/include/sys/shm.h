// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/shm.h - Shared memory of System V ---*- C -*-===*
 * Declared for programs that need it in a branch alone: a call does not link.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SYS_SHM_H
#define GPUEXEC_SYS_SHM_H

#include <sys/ipc.h>
#include <time.h>

#define SHM_R 0400
#define SHM_W 0200
#define SHM_RDONLY 010000
#define SHM_RND 020000
#define SHM_REMAP 040000
#define SHMLBA 4096
typedef unsigned long shmatt_t;
struct shmid_ds {
  struct ipc_perm shm_perm;
  size_t shm_segsz;
  time_t shm_atime, shm_dtime, shm_ctime;
  pid_t shm_cpid, shm_lpid;
  shmatt_t shm_nattch;
};

#ifdef __cplusplus
extern "C" {
#endif
int shmget(key_t, size_t, int) __GPUEXEC_NO_SYSTEM_V(shmget);
void *shmat(int, const void *, int) __GPUEXEC_NO_SYSTEM_V(shmat);
int shmdt(const void *) __GPUEXEC_NO_SYSTEM_V(shmdt);
int shmctl(int, int, struct shmid_ds *) __GPUEXEC_NO_SYSTEM_V(shmctl);
#ifdef __cplusplus
}
#endif
#endif
