//===-- support/cache_kinds.h - What gpuexec keeps on disk ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and limits of a user's caches, for the code that fills them and for
// the commands that show and clear them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_CACHE_KINDS_H
#define GPUEXEC_SUPPORT_CACHE_KINDS_H

#include <cstdint>

namespace gpuexec {

struct CacheKind {
  const char *name;     ///< the folder below ~/.cache/gpuexec
  const char *holds;    ///< what the files hold, in words for the user
  const char *variable; ///< environment variable: another folder, or "off"
  const char *prefix;   ///< each file's name begins with it
  const char *suffix;   ///< each file's name ends with it
  uint64_t largest;     ///< most bytes of all files together
};

inline constexpr CacheKind LINK_CACHE = {
    "link", "machine code of gpucc's links", "GPUEXEC_LINK_CACHE",
    "llvmcache", "", 1ull << 30};
inline constexpr CacheKind JIT_CACHE = {
    "jit",  "code that the emulator has compiled", "GPUEXEC_JIT_CACHE", "",
    ".code", 256ull << 20};
inline constexpr CacheKind PTX_CACHE = {
    "ptx", "CUDA kernels for the emulated device", "GPUEXEC_PTX_CACHE", "",
    ".co", 1ull << 30};

/// All of them, in the order in which commands speak of them.
inline constexpr CacheKind CACHE_KINDS[] = {LINK_CACHE, JIT_CACHE, PTX_CACHE};

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_CACHE_KINDS_H
