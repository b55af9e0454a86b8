//===-- emulator/machine/code_cache_choice.h - Where code is kept ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_MACHINE_CODE_CACHE_CHOICE_H
#define GPUEXEC_EMULATOR_MACHINE_CODE_CACHE_CHOICE_H

#include <string>

namespace gpuexec::emulator {

/// Where compiled code is kept between runs.
struct CodeCacheChoice {
  std::string folder; ///< empty: nowhere
  /// True if the user named the folder: if it cannot be used, the user is told
  /// why.
  bool is_named = false;

  /// What the environment variable GPUEXEC_JIT_CACHE says (a folder or "off");
  /// without it nowhere, or, with `by_default`, in the user's cache folder.
  static CodeCacheChoice from_environment(bool by_default);
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_CODE_CACHE_CHOICE_H
