// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/vfs.h - Sizes of file systems -------*- C -*-===*/
#ifndef GPUEXEC_SYS_VFS_H
#define GPUEXEC_SYS_VFS_H

#include <sys/types.h>

typedef struct {
  int __val[2];
} fsid_t;
struct statfs {
  long f_type;
  long f_bsize;
  unsigned long f_blocks;
  unsigned long f_bfree;
  unsigned long f_bavail;
  unsigned long f_files;
  unsigned long f_ffree;
  fsid_t f_fsid;
  long f_namelen;
  long f_frsize;
  long f_flags;
};

#ifdef __cplusplus
extern "C" {
#endif
int statfs(const char *, struct statfs *);
int fstatfs(int, struct statfs *);
#ifdef __cplusplus
}
#endif

#endif
