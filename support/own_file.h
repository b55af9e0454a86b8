//===-- support/own_file.h - A file that nobody else can write --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a folder like /tmp others can have made a file, a link or a FIFO under the
// name of ours, to get what is written to it or to keep open() waiting.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_OWN_FILE_H
#define GPUEXEC_SUPPORT_OWN_FILE_H

#include "support/descriptor.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/stat.h>

namespace gpuexec {

/// Why this is no regular file (or, with S_IFDIR as `kind`, no folder) that
/// this user alone can write to, to be read after its name; "" when it is one.
inline std::string distrust_own(const struct stat &facts,
                                mode_t kind = S_IFREG) {
  if ((facts.st_mode & S_IFMT) != kind)
    return kind == S_IFDIR ? " is no folder" : " is no file";
  if (facts.st_uid != geteuid())
    return " belongs to another user";
  if (facts.st_mode & (S_IWGRP | S_IWOTH))
    return " can be written by other users";
  return "";
}

/// Opens `name` in a folder (or AT_FDCWD) with these flags of open(2), or makes
/// it, for this user alone, if they have O_CREAT. Without waiting, and never
/// through a symbolic link. Truncate it when it is open: O_TRUNC would do so
/// before it is known whose it is. None, with errno and the reason in
/// `problem`, to be read after its name, when it cannot be opened or is not
/// this user's alone.
inline UniqueFd open_own_file(int folder, const std::string &name, int flags,
                              std::string &problem) {
  UniqueFd file(::openat(folder, name.c_str(),
                         flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                         S_IRUSR | S_IWUSR));
  const int error = file ? EPERM : errno;
  struct stat facts {};
  // Of a FIFO or another user's file open() may say no more than that it fails.
  if (file ? ::fstat(file.get(), &facts) == 0
           : ::fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0)
    problem = distrust_own(facts);
  if (problem.empty() && !file)
    problem = std::string(": ") + std::strerror(error);
  errno = error;
  return problem.empty() ? std::move(file) : UniqueFd();
}

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_OWN_FILE_H
