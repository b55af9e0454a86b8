// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/sem.h - Semaphores of System V ------*- C -*-===*
 * Declared for programs that need it in a branch alone: a call does not link.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SYS_SEM_H
#define GPUEXEC_SYS_SEM_H

#include <sys/ipc.h>
#include <time.h>

#define SEM_UNDO 0x1000
#define GETPID 11
#define GETVAL 12
#define GETALL 13
#define GETNCNT 14
#define GETZCNT 15
#define SETVAL 16
#define SETALL 17
struct semid_ds {
  struct ipc_perm sem_perm;
  time_t sem_otime, sem_ctime;
  unsigned long sem_nsems;
};
struct sembuf {
  unsigned short sem_num;
  short sem_op, sem_flg;
};

#ifdef __cplusplus
extern "C" {
#endif
int semget(key_t, int, int) __GPUEXEC_NO_SYSTEM_V(semget);
int semop(int, struct sembuf *, size_t) __GPUEXEC_NO_SYSTEM_V(semop);
int semctl(int, int, int, ...) __GPUEXEC_NO_SYSTEM_V(semctl);
#ifdef __cplusplus
}
#endif
#endif
