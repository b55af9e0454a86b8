//===-- loader/command_line/standard_streams.cpp --------------------------===//
#include "loader/command_line/standard_streams.h"
#include "llvm/Support/raw_ostream.h"
#include <system_error>

bool gpuexec::finish_standard_streams(llvm::StringRef command) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  bool good = !error || error == std::errc::broken_pipe;
  if (!good)
    llvm::errs() << command << ": error: standard output: " << error.message()
                 << "\n";
  llvm::errs().clear_error();
  return good;
}
