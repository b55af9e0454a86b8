//===-- toolchain/gpucc/advice.cpp - See advice.h -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/advice.h"
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace gpuexec {
namespace {

/// Exists where gpuexec is registered to start AMD programs
/// (loader/binfmt/entries.def).
constexpr char REGISTERED[] = "/proc/sys/fs/binfmt_misc/gpuexec-amdgpu";

/// The bytes at the end of config.log that are searched.
constexpr std::streamoff LOG_TAIL = 4096;

/// True if an autoconf script in this folder links a program that it is about
/// to run. Its other links get no note: the script takes any output as a sign
/// that the link failed.
bool is_first_run_of_configure(const std::string &output) {
  if (!output.starts_with("conftest"))
    return false;
  std::ifstream log("config.log", std::ios::binary | std::ios::ate);
  if (!log)
    return false;
  const std::streamoff size = log.tellg();
  log.seekg(size > LOG_TAIL ? size - LOG_TAIL : 0);
  const std::string tail{std::istreambuf_iterator<char>(log), {}};
  return tail.find("checking whether we are cross compiling") != tail.npos;
}

bool is_first_program_of_user(const std::string &output) {
  std::error_code none;
  return output == "a.out" && isatty(STDERR_FILENO) &&
         !std::filesystem::exists(output, none);
}

} // namespace

std::string advice_for(const std::string &output) {
  if (access(REGISTERED, F_OK) == 0)
    return "";
  constexpr char OTHERWISE[] =
      "gpucc --self-run (GPUCC_SELF_RUN=1 for a whole build), or once as root "
      "gpuexec --register";
  if (is_first_program_of_user(output))
    return std::string("run it with 'gpuexec a.out'; for ./a.out: ") +
           OTHERWISE;
  if (is_first_run_of_configure(output))
    return std::string("./") + output +
           " does not run by itself; what configure needs: " + OTHERWISE;
  return "";
}

} // namespace gpuexec
