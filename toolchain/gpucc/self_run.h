//===-- toolchain/gpucc/self_run.h - Images that start gpuexec --*- C++ -*-===//
// gpucc --self-run: with a first line "#!<prefix>/bin/gpuexec" an image is a
// command for the shell, make, CTest and configure, which run the programs that
// they build.
//===----------------------------------------------------------------------===//
#pragma once
#include <string>
#include <vector>

namespace gpuexec {

/// The file that clang writes when it links with these arguments.
std::string output_of(const std::vector<std::string> &arguments);

/// Why no first line can name that program, or "".
std::string unfit_for_first_line(const std::string &launcher);

/// Inserts the line in front of the image `output` and makes it executable.
/// Returns the status to end with.
int make_self_run(const std::string &output, const std::string &launcher);

} // namespace gpuexec
