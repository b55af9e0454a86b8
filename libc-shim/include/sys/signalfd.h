// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/signalfd.h - Signals as a file ------*- C -*-===*/
#ifndef GPUEXEC_SYS_SIGNALFD_H
#define GPUEXEC_SYS_SIGNALFD_H

#include <signal.h>
#include <stdint.h>

#define SFD_CLOEXEC 02000000
#define SFD_NONBLOCK 04000
struct signalfd_siginfo {
  uint32_t ssi_signo;
  int32_t ssi_errno, ssi_code;
  uint32_t ssi_pid, ssi_uid;
  int32_t ssi_fd;
  uint32_t ssi_tid, ssi_band, ssi_overrun, ssi_trapno;
  int32_t ssi_status, ssi_int;
  uint64_t ssi_ptr, ssi_utime, ssi_stime, ssi_addr;
  uint8_t __pad[48];
};

#ifdef __cplusplus
extern "C" {
#endif
/* ENOSYS: the program's signals are on the device, and its files on the host.
   sigwait() waits for signals. */
int signalfd(int, const sigset_t *, int);
#ifdef __cplusplus
}
#endif
#endif
