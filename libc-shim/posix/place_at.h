//===-- libc-shim/posix/place_at.h - A name in an open directory ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_PLACE_AT_H
#define GPUEXEC_LIBC_PLACE_AT_H

/// A path, and the memory that it is in when it was made, which the caller
/// frees.
typedef struct {
  const char *path; ///< null after an error, with errno
  char *made;
} place_at;

/// The path of `name`, which is relative to an open directory or AT_FDCWD.
place_at __place_at(int directory, const char *name);

#endif
