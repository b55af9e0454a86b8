// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/msg.h - Message queues of System V --*- C -*-===*
 * Declared for programs that need it in a branch alone: a call does not link.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SYS_MSG_H
#define GPUEXEC_SYS_MSG_H

#include <sys/ipc.h>
#include <time.h>

#define MSG_NOERROR 010000
typedef unsigned long msgqnum_t;
typedef unsigned long msglen_t;
struct msqid_ds {
  struct ipc_perm msg_perm;
  time_t msg_stime, msg_rtime, msg_ctime;
  unsigned long __msg_cbytes;
  msgqnum_t msg_qnum;
  msglen_t msg_qbytes;
  pid_t msg_lspid, msg_lrpid;
};

#ifdef __cplusplus
extern "C" {
#endif
int msgget(key_t, int) __GPUEXEC_NO_SYSTEM_V(msgget);
int msgsnd(int, const void *, size_t, int) __GPUEXEC_NO_SYSTEM_V(msgsnd);
ssize_t msgrcv(int, void *, size_t, long, int) __GPUEXEC_NO_SYSTEM_V(msgrcv);
int msgctl(int, int, struct msqid_ds *) __GPUEXEC_NO_SYSTEM_V(msgctl);
#ifdef __cplusplus
}
#endif
#endif
