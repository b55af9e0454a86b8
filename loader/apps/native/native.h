//===-- loader/apps/native/native.h - Commands of native programs -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpuexec blas PROGRAM` and `gpuexec cuda PROGRAM` start a native program in
// place of this process. A variable of the environment has the dynamic linker
// take libraries of gpuexec for it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_APPS_NATIVE_NATIVE_H
#define GPUEXEC_LOADER_APPS_NATIVE_NATIVE_H

#include "loader/apps/apps.h"
#include "llvm/Object/ELF.h"
#include <string>
#include <utility>
#include <vector>

namespace gpuexec::native {

/// The options of such a command are variables that its libraries read.
struct Options : CommandOptions {
  std::vector<std::pair<std::string, std::string>> variables;

  /// Sets a variable. No error.
  llvm::Error set(const char *name, llvm::StringRef value) {
    variables.emplace_back(name, value.str());
    return llvm::Error::success();
  }
};

/// What distinguishes one such command from another.
struct Library {
  llvm::StringLiteral file;     ///< below lib/gpuexec
  llvm::StringLiteral variable; ///< the dynamic linker's: LD_PRELOAD ...
  bool by_folder;               ///< the variable takes the library's folder
  llvm::StringLiteral ends;     ///< characters that end a name in the variable,
  llvm::StringLiteral ends_are; ///< and in words: "a space or colon"
  /// What a program loses that is linked statically: "nothing can be put ...".
  llvm::StringLiteral lost;
  /// Looks at a program that the dynamic linker starts. Errors: Failure.
  llvm::Error (*check)(const std::string &path,
                       const llvm::object::ELF64LEFile &program);
  /// Called before the program starts, for messages and further variables.
  void (*prepare)(const Options &options);
  /// A folder below the library's that comes before it in the variable; "":
  /// none. Null: never any.
  llvm::StringRef (*first_folder)(const Options &options) = nullptr;
};

/// Carries out the command: reads its options, which are `rows` and set
/// Options, and starts the program. Returns how it ended when that fails.
ExitResult start(const Call &call, llvm::ArrayRef<OptionRow> rows,
                 const Library &library);

} // namespace gpuexec::native

#endif // GPUEXEC_LOADER_APPS_NATIVE_NATIVE_H
