//===-- support/find_program.h - A program on PATH --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SUPPORT_FIND_PROGRAM_H
#define GPUEXEC_SUPPORT_FIND_PROGRAM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <string>

namespace gpuexec {

/// The full path of a program that gpuexec itself needs, found on PATH.
/// Relative folders on PATH are skipped: they depend on the current directory,
/// where another user may have put a program of that name. An error when no
/// folder has the program.
inline llvm::ErrorOr<std::string> find_our_program(llvm::StringRef name) {
  const char *path = std::getenv("PATH");
  llvm::SmallVector<llvm::StringRef> folders;
  llvm::StringRef(path ? path : "").split(folders, ':');
  llvm::erase_if(
      folders, [](llvm::StringRef folder) { return !folder.starts_with("/"); });
  if (folders.empty()) // without folders LLVM takes PATH as it is
    return std::make_error_code(std::errc::no_such_file_or_directory);
  return llvm::sys::findProgramByName(name, folders);
}

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_FIND_PROGRAM_H
