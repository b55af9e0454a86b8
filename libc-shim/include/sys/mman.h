// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/mman.h - Memory as files, and files as memory -*- C -*-===*/
#ifndef GPUEXEC_SYS_MMAN_H
#define GPUEXEC_SYS_MMAN_H

#include <sys/types.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON MAP_ANONYMOUS
#define MAP_GROWSDOWN 0x100
#define MAP_DENYWRITE 0x800
#define MAP_EXECUTABLE 0x1000
#define MAP_LOCKED 0x2000
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_NONBLOCK 0x10000
#define MAP_STACK 0x20000
#define MAP_HUGETLB 0x40000
#define MAP_FAILED ((void *)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MCL_CURRENT 1
#define MCL_FUTURE 2
#define MCL_ONFAULT 4
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_RANDOM 1
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED 3
#define POSIX_MADV_DONTNEED 4

#ifdef __cplusplus
extern "C" {
#endif
/* Memory of the heap. A file's bytes are read at once; what changed in a shared
   and writable mapping goes to the file at msync(), munmap() and exit(), and when
   the file is mapped again. A mapping sees no changes that are made later, by
   another mapping or in the file.
   MAP_FIXED replaces what lies within one mapping; ENOTSUP elsewhere, and for
   PROT_EXEC. */
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
int msync(void *, size_t, int);
/* ENOTSUP for less than PROT_READ | PROT_WRITE and for PROT_EXEC: all memory of
   a GPU's program can be read and written, and none executed. */
int mprotect(void *, size_t, int);
/* Change nothing: memory of a GPU is not paged out. MADV_DONTNEED, which clears
   memory on Linux, is ENOTSUP. */
int madvise(void *, size_t, int);
int posix_madvise(void *, size_t, int);
/* ENOMEM for addresses that no program has. */
int mlock(const void *, size_t);
int munlock(const void *, size_t);
/* EINVAL for flags that are none of MCL_... */
int mlockall(int);
int munlockall(void);
/* Every page of a mapping is in memory: 1 for each. ENOMEM for others. */
int mincore(void *, size_t, unsigned char *);
/* Objects of memory with a name are files of the host, in /dev/shm, which
   programs of the host and of other devices open by the same names; mmap() of
   one is that of a file. EINVAL for a name with a slash behind its first, or
   without any other character; ENOENT, EEXIST, EACCES. Under --sandbox EACCES,
   unless /dev/shm is granted (--dir). */
int shm_open(const char *, int, mode_t);
int shm_unlink(const char *);
#ifdef __cplusplus
}
#endif

#endif
