// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- support/trusted_path.h - Who can replace a file ---------*- C++ -*-===*/
// Code is loaded, a socket connected to and a key read only where no other user
// can have put it: see docs/security.md. One rule for all of them, in C because
// gpu-replay needs it as well.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_TRUSTED_PATH_H
#define GPUEXEC_SUPPORT_TRUSTED_PATH_H

#include <limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Looks at the file and at each folder and symbolic link on the way to it,
/// beginning with the root folder. Each has to belong to root, to the effective
/// user, or to somebody who can replace the executable that runs. Others must
/// not be able to write to it; in a folder like /tmp (sticky) they can, but not
/// replace what belongs to those three. Folders of the executable's own path
/// need not be looked at: who can write there can replace the executable.
///
/// Returns null when the file may be used. Nobody else can change then what the
/// path means: to open it by its name is as safe as by a handle. `real` has the
/// path without symbolic links. Otherwise returns what is wrong, for a message
/// after the name in `real`, which is that of the file, folder or link that is
/// to blame. errno is ENOENT when there is no such file, else not 0.
const char *gpuexec_distrust(const char *path, char real[PATH_MAX]);

/// Looks at the running executable and its folders, before other users are made
/// to start it: each has to belong to root or to the effective user, and others
/// must not be able to write to it. In a user namespace all users without a
/// number there look alike, and as root of the system. Returns as above; `real`
/// has the executable's path.
const char *gpuexec_distrust_own(char real[PATH_MAX]);

#ifdef __cplusplus
} // extern "C"

#include <cerrno>
#include <string>

namespace gpuexec {

/// "" when the file may be used, else what is wrong, with the name of the file
/// or folder that is to blame. `real`, if not null, gets the path without
/// symbolic links. errno as above.
inline std::string distrust(const std::string &path,
                            std::string *real = nullptr) {
  char name[PATH_MAX];
  const char *problem = gpuexec_distrust(path.c_str(), name);
  if (real && !problem)
    *real = name;
  return problem ? std::string(name) + ": " + problem : "";
}

} // namespace gpuexec
#endif

#endif // GPUEXEC_SUPPORT_TRUSTED_PATH_H
