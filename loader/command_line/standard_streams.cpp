//===-- loader/command_line/standard_streams.cpp --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/standard_streams.h"
#include "loader/command_line/messages.h"
#include "llvm/Support/raw_ostream.h"
#include <system_error>

bool gpuexec::finish_standard_streams(llvm::StringRef command) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  bool good = !error || error == std::errc::broken_pipe;
  if (!good)
    print_error(command, "standard output: " + error.message());
  llvm::errs().clear_error();
  return good;
}
