// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/ipc.h - Keys of System V ------------*- C -*-===*
 * ftok() alone works: a GPU program has none of the objects that keys name. A
 * call of their functions (sys/shm.h, sys/sem.h, sys/msg.h) does not link.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SYS_IPC_H
#define GPUEXEC_SYS_IPC_H

#include <gpuexec/unavailable.h>
#include <sys/types.h>

#define IPC_CREAT 01000
#define IPC_EXCL 02000
#define IPC_NOWAIT 04000
#define IPC_RMID 0
#define IPC_SET 1
#define IPC_STAT 2
#define IPC_PRIVATE ((key_t)0)

struct ipc_perm {
  key_t __key;
  uid_t uid;
  gid_t gid;
  uid_t cuid;
  gid_t cgid;
  mode_t mode;
  unsigned short __seq;
};

#ifdef __cplusplus
extern "C" {
#endif
/* A key from a file's device and number, and the low 8 bits of a number; -1
   with errno when there is no such file. */
key_t ftok(const char *, int);
#ifdef __cplusplus
}
#endif
#endif
