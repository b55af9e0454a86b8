//===-- support/own_file.h - A file that nobody else can write --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a folder like /tmp another user can make a file, a link or a FIFO with the
// name that we are about to open, to read what we write or to keep open()
// waiting. These functions refuse such files. They are in C because our
// libraries in C call them too.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_OWN_FILE_H
#define GPUEXEC_SUPPORT_OWN_FILE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes of a buffer for a reason: text that continues a message after the name
/// of the file or folder, such as " belongs to another user" or ": No such
/// file or directory".
enum { GPUEXEC_REASON = 256 };

/// Opens `name` in the folder with that descriptor (or AT_FDCWD) with `flags`
/// of open(2); with O_CREAT a missing file is made, for this user alone. Never
/// waits, and never follows a symbolic link at `name`. Do not pass O_TRUNC,
/// which would truncate before the owner is checked: truncate the open file.
/// Returns -1, with errno and a reason, when the file cannot be opened or is
/// not a regular file that this user alone can write to.
int gpuexec_open_own_file(int folder, const char *name, int flags,
                          char reason[GPUEXEC_REASON]);

/// Opens a folder that this user alone can write to; makes it and its parents
/// where they are missing. Returns -1, with a reason, where it cannot be used.
int gpuexec_open_own_folder(const char *path, char reason[GPUEXEC_REASON]);

/// Stores `gpuexec/NAME` in $XDG_CACHE_HOME, or in $HOME/.cache, in `path`, a
/// buffer of `size` bytes; stores "" where neither variable is an absolute
/// path, or the result does not fit.
void gpuexec_cache_path(const char *name, char *path, size_t size);

#ifdef __cplusplus
} // extern "C"

#include "support/descriptor.h"
#include <cerrno>
#include <string>

namespace gpuexec {

/// gpuexec_open_own_file() for C++. On failure returns no descriptor, with
/// errno and the reason in `problem`.
inline UniqueFd open_own_file(int folder, const std::string &name, int flags,
                              std::string &problem) {
  char reason[GPUEXEC_REASON];
  UniqueFd file(gpuexec_open_own_file(folder, name.c_str(), flags, reason));
  const int error = errno;
  if (!file)
    problem = reason;
  errno = error;
  return file;
}

} // namespace gpuexec
#endif

#endif // GPUEXEC_SUPPORT_OWN_FILE_H
