//===-- toolchain/gpucc/self_run.h - Images that start gpuexec --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc --self-run: the file of the program begins with a short script that
// starts gpuexec, and the image follows. The shell, make, CTest and configure
// can run the file like a native program.
//===----------------------------------------------------------------------===//
#pragma once
#include <string>
#include <vector>

namespace gpuexec {

/// The file that clang writes when it links with these arguments.
std::string output_of(const std::vector<std::string> &arguments);

/// Makes linked PTX, which is text, a program: executable for those who can
/// read it, and with a first line by which a shell starts gpuexec. Returns an
/// error, or "". Does nothing to a device such as /dev/null.
std::string make_ptx_program(const std::string &path);

/// Inserts the script before the image in the file `output`, and makes the file
/// executable. `launcher`: full path of gpuexec. Prints errors. Returns gpucc's
/// exit status.
int make_self_run(const std::string &output, const std::string &launcher);

} // namespace gpuexec
