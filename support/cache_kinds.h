//===-- support/cache_kinds.h - What gpuexec keeps on disk ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two caches of a user: what fills them, and what shows and clears them,
// take names and limits from here.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_CACHE_KINDS_H
#define GPUEXEC_SUPPORT_CACHE_KINDS_H

#include <cstdint>

namespace gpuexec {

struct CacheKind {
  const char *name;     ///< the folder below ~/.cache/gpuexec
  const char *holds;    ///< for people
  const char *variable; ///< names another folder, or "off"
  const char *prefix;   ///< of its files' names
  const char *suffix;   ///< of its files' names
  uint64_t largest;     ///< bytes that the files may have together
};

inline constexpr CacheKind LINK_CACHE = {
    "link", "machine code of gpucc's links", "GPUEXEC_LINK_CACHE",
    "llvmcache", "", 1ull << 30};
inline constexpr CacheKind JIT_CACHE = {
    "jit",  "code that the emulator has compiled", "GPUEXEC_JIT_CACHE", "",
    ".code", 256ull << 20};

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_CACHE_KINDS_H
