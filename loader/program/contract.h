//===-- loader/program/contract.h - Which start-up contract an image has -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images of LLVM 19 to 23 differ in what the loader must do; the image itself
// says which one it is. The functions have no side effects.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROGRAM_CONTRACT_H
#define GPUEXEC_LOADER_PROGRAM_CONTRACT_H

#include "loader/device/device.h"
#include <optional>

namespace gpuexec {

/// Who calls the constructors and destructors.
enum class Constructors {
  automatic,  ///< decided from the image
  by_begin,   ///< `_begin` and `_end` (LLVM 22 and before)
  by_runtime, ///< the loader launches the compiler's kernels (23)
};

/// Which kernels of an image are launched, and how.
struct LaunchOptions {
  Grid grid;
  bool grid_is_given = false; ///< the user has chosen `grid`
  LaunchSettings settings;
  Constructors constructors = Constructors::automatic;
  std::vector<std::string> kernels; ///< launched instead of `_start`
};

struct Contract {
  const Kernel *begin = nullptr; ///< null: the image has none
  const Kernel *start = nullptr; ///< null only when kernels were named
  const Kernel *end = nullptr;
  const Kernel *gcc_main = nullptr;  ///< in place of these three: see gcc.h
  bool end_takes_status = false;     ///< LLVM 21 and before
  const Kernel *init = nullptr;      ///< to launch before everything
  const Kernel *fini = nullptr;      ///< to launch after everything
  std::vector<const Kernel *> named; ///< --kernel: launched instead of `_start`

  /// Every kernel that will be launched, in order.
  std::vector<const Kernel *> launches() const;
};

/// Finds the image's contract. `kernels`: names for --kernel. Errors, with
/// Reason::not_runnable: the image has no `_start`, or start-up kernels with
/// other arguments than the contract's; a named kernel does not exist or takes
/// arguments.
llvm::Expected<Contract> find_contract(const Image &image,
                                       Constructors constructors,
                                       llvm::ArrayRef<std::string> kernels);

/// The grid that is launched when a user asks for `wanted`: that one; or, if
/// the image was compiled for it (GPUEXEC_THREADS_ARE_BLOCKS), one block for
/// each thread of it. Fails if these are more blocks than a launch can have.
llvm::Expected<Grid> grid_for(const Image &image, const Grid &wanted);

} // namespace gpuexec

#endif
