//===-- toolchain/gpucc/arguments.h - gpucc's command line ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_GPUCC_ARGUMENTS_H
#define GPUEXEC_GPUCC_ARGUMENTS_H

#include <string>
#include <vector>

namespace gpuexec {

/// The command line: gpucc's own options, the arguments for clang, and the
/// facts about the latter that gpucc needs.
struct Arguments {
  bool cpp = false;  ///< called as gpuc++
  bool help = false; ///< --help; arguments after it are not read
  enum {
    COMPILE,
    PRINT_ARCH,
    PRINT_CONFIG,
    PRINT_PORTS,
    PRINT_TOOLS
  } action = COMPILE;
  std::string arch = "default";
  std::string registers = "128"; ///< most registers of a thread; "": no bound
  std::string block_threads;     ///< most threads of a block; "": not given
  std::string link_cache;        ///< folder, "off", or "": the default
  std::string link_jobs; ///< threads of a link; "": as many as processors
  bool emit_ptx = false, self_run = false;
  bool plain_image = false;         ///< --no-self-run, despite GPUCC_SELF_RUN
  bool unaligned_access = false;    ///< pointers may be unaligned
  bool unchecked_divisions = false; ///< division by zero gives a number

  std::vector<std::string> clang; ///< everything that is not gpucc's own
  // Facts about `clang`:
  bool may_link = true;         ///< no -c, -E, -S ...
  bool any_input = false;       ///< it names files
  bool any_cxx = false;         ///< some of the files may be C++
  bool no_cxx_library = false;  ///< -nostdlib++
  bool assembly = false;        ///< -S
  bool version = false;         ///< --version
  bool shared = false;          ///< -shared
  bool partial = false;         ///< -r: the output is linked again
  bool openmp = false;          ///< -fopenmp
  bool ensemble = false;        ///< -fensemble
  bool prints_commands = false; ///< -###: clang runs none of its commands
  bool clang_is_named = false;  ///< -no-canonical-prefixes: argv[0] finds clang

  bool links() const { return may_link && any_input; }
};

/// Reads argv, including the name of the program. Stops at the first wrong
/// argument and says in `problem` what is wrong with it.
Arguments parse_arguments(const std::vector<std::string> &argv,
                          std::string &problem);

/// The text of --help.
extern const char usage[];

} // namespace gpuexec

#endif
