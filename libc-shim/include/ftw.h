// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ftw.h - Walks through a tree of files ---*- C -*-===*/
#ifndef GPUEXEC_FTW_H
#define GPUEXEC_FTW_H

#include <sys/stat.h>
#include <sys/types.h>

enum {
  FTW_F,   /* a file */
  FTW_D,   /* a directory, before what is in it */
  FTW_DNR, /* a directory that cannot be read */
  FTW_NS,  /* stat() failed */
  FTW_SL,  /* a symbolic link (FTW_PHYS) */
  FTW_DP,  /* a directory, after what is in it (FTW_DEPTH) */
  FTW_SLN  /* a symbolic link to nothing */
};
enum {
  FTW_PHYS = 1,  /* do not follow symbolic links */
  FTW_MOUNT = 2, /* stay within the file system */
  FTW_CHDIR = 4, /* go to the directory of the file: EINVAL here */
  FTW_DEPTH = 8  /* what is in a directory before the directory */
};
struct FTW {
  int base;  /* where the name without the directory begins */
  int level; /* 0: the first */
};

#ifdef __cplusplus
extern "C" {
#endif
/* Both call a function for the path and for all below until it returns another
   value than 0, which they return; else 0, or -1 with errno. The number of
   descriptors is ignored: one is open for each level. */
int ftw(const char *, int (*)(const char *, const struct stat *, int), int);
int nftw(const char *,
         int (*)(const char *, const struct stat *, int, struct FTW *), int,
         int);
#ifdef __cplusplus
}
#endif

#endif
