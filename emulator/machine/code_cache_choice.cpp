//===-- emulator/machine/code_cache_choice.cpp - Where code is kept -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/code_cache_choice.h"

#include "support/cache_folder.h"
#include "support/cache_kinds.h"

#include <cstdlib>

namespace gpuexec::emulator {

CodeCacheChoice CodeCacheChoice::from_environment(bool by_default) {
  const char *variable = std::getenv(JIT_CACHE.variable);
  const std::string named = variable ? variable : "";
  if (named == "off")
    return {};
  if (!named.empty())
    return {named, true};
  return {by_default ? CacheFolder::default_path(JIT_CACHE.name) : "", false};
}

} // namespace gpuexec::emulator
