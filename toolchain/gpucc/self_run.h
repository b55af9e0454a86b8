//===-- toolchain/gpucc/self_run.h - Images that start gpuexec --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc --self-run: behind a short script that starts gpuexec an image is a
// command for the shell, make, CTest and configure, which run the programs that
// they build.
//===----------------------------------------------------------------------===//
#pragma once
#include <string>
#include <vector>

namespace gpuexec {

/// The file that clang writes when it links with these arguments.
std::string output_of(const std::vector<std::string> &arguments);

/// Makes a file executable for those who can read it: PTX is text. An error, or
/// "", also for a device.
std::string make_executable(const std::string &path);

/// Inserts the script in front of the image `output` and makes it executable.
/// Returns the status to end with.
int make_self_run(const std::string &output, const std::string &launcher);

} // namespace gpuexec
