//===-- loader/apps/native/program.h - Programs that take a library -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_APPS_NATIVE_PROGRAM_H
#define GPUEXEC_LOADER_APPS_NATIVE_PROGRAM_H

#include "loader/apps/native/native.h"

namespace gpuexec::native {

/// Where the shell would find the program. Errors of `command` ("blas").
llvm::Expected<std::string> find_program(llvm::StringRef command,
                                         llvm::StringRef name);

/// An error for a program that would not take the library: the dynamic linker
/// does not start it, or takes no libraries from its user, or Library::check()
/// refuses it. A file that is no ELF file is left to the kernel.
llvm::Error check_program(llvm::StringRef command, const std::string &path,
                          const Library &library);

} // namespace gpuexec::native

#endif // GPUEXEC_LOADER_APPS_NATIVE_PROGRAM_H
