//===-- emulator/machine/environment.cpp - Choices by variables -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/environment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <cstdio>
#include <cstdlib>

namespace gpuexec::emulator {

llvm::StringRef
choice_from_environment(const char *name,
                        llvm::ArrayRef<llvm::StringRef> allowed) {
  const char *value = std::getenv(name);
  if (!value || !*value || llvm::is_contained(allowed, value))
    return value ? value : "";
  std::string message = (llvm::Twine("gpuexec emulator: ") + name + ": no '" +
                         value + "'; there are")
                            .str();
  for (llvm::StringRef word : allowed)
    message += (" " + word).str();
  std::fprintf(stderr, "%s\n", message.c_str());
  return "";
}

} // namespace gpuexec::emulator
