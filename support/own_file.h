//===-- support/own_file.h - A file that nobody else can write --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a folder like /tmp others can have made a file, a link or a FIFO under the
// name of ours, to get what is written to it or to keep open() waiting. In C,
// because libraries of C need it as well.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_OWN_FILE_H
#define GPUEXEC_SUPPORT_OWN_FILE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Room for a reason, to be read after a name.
enum { GPUEXEC_REASON = 256 };

/// Opens `name` in a folder (or AT_FDCWD) with these flags of open(2), or makes
/// it, for this user alone, if they have O_CREAT. Without waiting, and never
/// through a symbolic link. Truncate it when it is open: O_TRUNC would do so
/// before it is known whose it is. -1, with errno and a reason, when it cannot
/// be opened or is no regular file that this user alone can write to.
int gpuexec_open_own_file(int folder, const char *name, int flags,
                          char reason[GPUEXEC_REASON]);

/// Opens a folder that this user alone can write to, and makes it and those
/// around it if need be. -1, with a reason, where it cannot be used.
int gpuexec_open_own_folder(const char *path, char reason[GPUEXEC_REASON]);

/// `gpuexec/NAME` in $XDG_CACHE_HOME, or in ~/.cache; empty where neither
/// variable is an absolute path, or it does not fit.
void gpuexec_cache_path(const char *name, char *path, size_t size);

#ifdef __cplusplus
} // extern "C"

#include "support/descriptor.h"
#include <cerrno>
#include <string>

namespace gpuexec {

/// The same; none, with errno and the reason in `problem`.
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
