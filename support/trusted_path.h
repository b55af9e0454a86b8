// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- support/trusted_path.h - Who can replace a file ---------*- C++ -*-===*/
// gpuexec loads code, connects to a socket and reads a key only from a path
// that no other user can have changed (docs/security.md). This is the one rule
// for all of them. It is in C because gpu-replay needs it as well.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_TRUSTED_PATH_H
#define GPUEXEC_SUPPORT_TRUSTED_PATH_H

#include <limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Checks the file and each folder and symbolic link on the way to it, from the
/// root folder on. Each must belong to root, to the effective user, or to a
/// user who can replace the running executable, and nobody else may be able to
/// write to it. A sticky folder like /tmp is allowed: others can add files to
/// it, but not replace a file of those three. Folders on the path of the
/// running executable are not checked: who can write there can replace the
/// executable.
///
/// Returns null when the file may be used; `real` then has the path without
/// symbolic links. Nobody else can change what the path means, so opening it by
/// name is as safe as by a descriptor. Otherwise returns what is wrong, as text
/// that follows `real` in a message; `real` then names the file, folder or link
/// to blame, and errno is ENOENT when there is no such file, else another
/// error.
const char *gpuexec_distrust(const char *path, char real[PATH_MAX]);

/// Checks the running executable and its folders, before gpuexec arranges for
/// other users to start it: each must belong to root or to the effective user,
/// and others must not be able to write to it. (In a user namespace all owners
/// that have no number there look like root of the system, which is one of
/// them.) Returns as gpuexec_distrust() does; `real` has the executable's path.
const char *gpuexec_distrust_own(char real[PATH_MAX]);

#ifdef __cplusplus
} // extern "C"

#include <cerrno>
#include <string>

namespace gpuexec {

/// gpuexec_distrust() for C++: "" when the file may be used, else "NAME: what
/// is wrong", with the file, folder or link to blame. `real`, if not null, gets
/// the path without symbolic links. errno as gpuexec_distrust() sets it.
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
