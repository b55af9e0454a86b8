// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ssp/unistd.h - Checks of unistd.h -------*- C -*-===*/
#ifndef GPUEXEC_SSP_UNISTD_H
#define GPUEXEC_SSP_UNISTD_H

#include <ssp/ssp.h>
#if __SSP_FORTIFY_LEVEL > 0
__FORTIFY(ssize_t, read, (int __fd, void *__to, size_t __size),
          (int, void *, size_t, size_t),
          (__fd, __to, __size, __OBJECT_BYTES(__to)))
__FORTIFY(ssize_t, pread, (int __fd, void *__to, size_t __size, off_t __offset),
          (int, void *, size_t, off_t, size_t),
          (__fd, __to, __size, __offset, __OBJECT_BYTES(__to)))
__FORTIFY(ssize_t, readlink,
          (const char *__restrict __path, char *__restrict __to, size_t __size),
          (const char *__restrict, char *__restrict, size_t, size_t),
          (__path, __to, __size, __MEMBER_BYTES(__to)))
__FORTIFY(ssize_t, readlinkat,
          (int __fd, const char *__restrict __path, char *__restrict __to,
           size_t __size),
          (int, const char *__restrict, char *__restrict, size_t, size_t),
          (__fd, __path, __to, __size, __MEMBER_BYTES(__to)))
__FORTIFY(char *, getcwd, (char *__to, size_t __size), (char *, size_t, size_t),
          (__to, __size, __MEMBER_BYTES(__to)))
__FORTIFY(size_t, confstr, (int __name, char *__to, size_t __size),
          (int, char *, size_t, size_t),
          (__name, __to, __size, __MEMBER_BYTES(__to)))
__FORTIFY(int, gethostname, (char *__to, size_t __size),
          (char *, size_t, size_t), (__to, __size, __MEMBER_BYTES(__to)))
__FORTIFY(int, getlogin_r, (char *__to, size_t __size),
          (char *, size_t, size_t), (__to, __size, __MEMBER_BYTES(__to)))
__FORTIFY(int, ttyname_r, (int __fd, char *__to, size_t __size),
          (int, char *, size_t, size_t),
          (__fd, __to, __size, __MEMBER_BYTES(__to)))
__FORTIFY(int, getgroups, (int __count, gid_t *__to), (int, gid_t *, size_t),
          (__count, __to, __MEMBER_BYTES(__to)))
#endif
#endif
