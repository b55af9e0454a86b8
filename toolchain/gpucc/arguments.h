//===-- toolchain/gpucc/arguments.h - gpucc's command line ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_GPUCC_ARGUMENTS_H
#define GPUEXEC_GPUCC_ARGUMENTS_H

#include <string>
#include <vector>

namespace gpuexec {

/// The command line: gpucc's own options, and what it must know of clang's.
struct Arguments {
  bool cpp = false;  ///< called as gpuc++
  bool help = false; ///< nothing behind it counts
  enum {
    COMPILE,
    PRINT_ARCH,
    PRINT_CONFIG,
    PRINT_PORTS,
    PRINT_TOOLS
  } action = COMPILE;
  std::string arch = "default";
  std::string registers = "128"; ///< most per thread; "": no bound
  std::string block_threads;     ///< most per block; "": 1024
  std::string link_cache;        ///< folder, "off", or "": the default
  std::string link_jobs; ///< threads of a link; "": as many as processors
  bool emit_ptx = false, self_run = false;
  bool plain_image = false;         ///< whatever GPUCC_SELF_RUN says
  bool unaligned_access = false;    ///< pointers may be unaligned
  bool unchecked_divisions = false; ///< integers by zero do not end the program

  std::vector<std::string> clang; ///< everything that is not gpucc's own
  // Facts about `clang`:
  bool may_link = true;         ///< no -c, -E, -S ...
  bool any_input = false;       ///< files are named
  bool any_cxx = false;         ///< and some may be compiled as C++
  bool no_cxx_library = false;  ///< -nostdlib++
  bool assembly = false;        ///< -S
  bool version = false;         ///< --version
  bool shared = false;          ///< -shared
  bool partial = false;         ///< -r: the output is linked again
  bool openmp = false;          ///< -fopenmp
  bool prints_commands = false; ///< -###: clang runs none of its commands
  bool clang_is_named = false;  ///< -no-canonical-prefixes: argv[0] finds clang

  bool links() const { return may_link && any_input; }
};

/// Reads argv, the name of the program included. A wrong argument ends it;
/// `problem` then says what is wrong.
Arguments parse_arguments(const std::vector<std::string> &argv,
                          std::string &problem);

/// The text of --help.
extern const char usage[];

} // namespace gpuexec

#endif
