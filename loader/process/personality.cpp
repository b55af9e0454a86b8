//===-- loader/process/personality.cpp - Which loader we are ---------===//
#include "loader/process/personality.h"
#include "loader/process/exit_result.h"
#include "llvm/Support/Path.h"

namespace gpuexec {

Personality Personality::from_command(llvm::StringRef argv0) {
  llvm::StringRef name = llvm::sys::path::filename(argv0);
  if (name == "llvm-gpu-loader" || name == "amdhsa-loader" ||
      name == "nvptx-loader")
    return {name, true};
  return {};
}

int Personality::failure_status(int status) const {
  bool ours = status == status::Failed || status == status::NotRunnable ||
              status == status::NotFound;
  return llvm && ours ? 1 : status;
}

} // namespace gpuexec
