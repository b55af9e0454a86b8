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

/// A program to run.
struct Command {
  std::string program;                ///< full path
  std::vector<std::string> arguments; ///< argv, argv[0] included
  /// Environment variables to set: names and values.
  std::vector<std::pair<std::string, std::string>> variables;
};

/// In arguments of Plan::steps: the folder for temporary files, which is made
/// before the first step and removed after the last.
constexpr const char TEMPORARY_FOLDER[] = "%gpucc-temporary%";

/// The steps of one call of gpucc. execute() skips those that are empty.
struct Plan {
  std::string text; ///< to standard output
  /// To standard output when clang has ended: build systems take the first
  /// version that --version prints for the compiler's.
  std::string text_after;
  std::string warning;          ///< to standard error
  std::string error;            ///< to standard error; gpucc ends with status 1
  std::optional<Command> clang; ///< if it fails, gpucc ends with its status
  /// CUDA: one after the other, instead of `clang`; the first that fails is the
  /// last.
  std::vector<Command> steps;
  /// `clang` assembles for NVIDIA: see blank_assembly.h.
  bool preprocessed_assembly = false;
  bool dry_run = false;    ///< print `steps` instead
  std::string checked_ptx; ///< linked PTX: undefined symbols are errors
  std::string plain_image; ///< linked image that is not for self_run
  std::string self_run;    ///< linked image that gets a script, or ""
  std::string launcher;    ///< full path of gpuexec
};

/// The plan for the command line `argv`, which includes the program's name.
Plan plan(const std::vector<std::string> &argv, const Machine &machine);

} // namespace gpuexec

#endif
