// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/statvfs.h - Sizes of file systems ---*- C -*-===*/
#ifndef GPUEXEC_SYS_STATVFS_H
#define GPUEXEC_SYS_STATVFS_H

#include <sys/types.h>

struct statvfs {
  unsigned long f_bsize;
  unsigned long f_frsize; /* the unit of f_blocks, f_bfree and f_bavail */
  unsigned long f_blocks;
  unsigned long f_bfree;
  unsigned long f_bavail;
  unsigned long f_files;
  unsigned long f_ffree;
  unsigned long f_favail;
  unsigned long f_fsid;
  unsigned long f_flag;
  unsigned long f_namemax;
};
#define ST_RDONLY 1
#define ST_NOSUID 2

#ifdef __cplusplus
extern "C" {
#endif
int statvfs(const char *__restrict, struct statvfs *__restrict);
int fstatvfs(int, struct statvfs *);
#ifdef __cplusplus
}
#endif

#endif
