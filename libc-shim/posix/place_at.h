//===-- libc-shim/posix/place_at.h - A name in an open directory ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_PLACE_AT_H
#define GPUEXEC_LIBC_PLACE_AT_H

typedef struct {
  const char *path; ///< null after an error, with errno
  char *made;       ///< the caller frees it; null if `path` needed no memory
} place_at;

/// Makes the path of `name`, which is relative to the open directory (or
/// AT_FDCWD: the working directory).
place_at __place_at(int directory, const char *name);

#endif
