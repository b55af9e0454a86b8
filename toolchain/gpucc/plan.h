//===-- toolchain/gpucc/plan.h - What a call of gpucc does ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc is plan(), a function of the command line and the machine without side
// effects, and execute() (gpucc.cpp), which does what the plan says.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_PLAN_H
#define GPUEXEC_GPUCC_PLAN_H

#include "toolchain/gpucc/machine.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuexec {

/// A program that is run.
struct Command {
  std::string program;                ///< full path
  std::vector<std::string> arguments; ///< argv, the name included
  std::vector<std::pair<std::string, std::string>> variables; ///< to be set
};

/// The steps of one call, in this order. Empty ones are left out.
struct Plan {
  std::string text;             ///< to standard output
  /// To standard output when clang has ended: build systems take the first
  /// version that --version prints for the compiler's.
  std::string text_after;
  std::string warning;          ///< to standard error
  std::string error;            ///< the same; then the call ends with status 1
  std::optional<Command> clang; ///< if it fails, its status is the call's
  std::string checked_ptx;      ///< PTX file: undefined symbols are errors
  std::string plain_image;      ///< image that is linked and starts nothing
  std::string self_run;         ///< image that is made to start `launcher`
  std::string launcher;         ///< full path of gpuexec
};

/// `argv` includes the name of the program.
Plan plan(const std::vector<std::string> &argv, const Machine &machine);

} // namespace gpuexec

#endif
