//===-- emulator/amdgpu/code_cache/code_cache.h - Code on disk --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps what LLVM has compiled in files of the user's own, one for each key
// (identity.h), and finds it again in another process. A file is read when the
// first head of its code is sampled; a region is resolved when a head in it is.
// New regions are appended one by one, under a lock of the file, so several
// processes can run the same image at once. Nothing here is an error: what
// cannot be read or written is compiled again.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_CODE_CACHE_H
#define GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_CODE_CACHE_H

#include "emulator/amdgpu/code_cache/inst_reference.h"
#include "emulator/machine/code_cache_choice.h"
#include "support/cache_folder.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>

namespace gpuexec::emulator::amdgpu::code_cache {

/// Thread-safe.
class CodeCache {
public:
  /// `cpu`: the processor that all code is for; `library`: the JIT's file.
  CodeCache(const CodeCacheChoice &choice, std::string cpu, std::string library,
            bool verbose);
  ~CodeCache();

  /// A region with its references resolved.
  struct Region {
    jit::Tier tier;
    std::vector<jit::Entry> entries;
    jit::CompiledCode code; // empty: known not to be worth compiling
  };
  /// The regions that cover the block which begins with `head`, each the first
  /// time only, the quick tier's first. `tiers` gets those in which the block
  /// is covered, at any time.
  std::vector<Region> take(const std::shared_ptr<Code> &code, const Inst *head,
                           std::set<jit::Tier> &tiers);

  /// Keeps what was compiled of code that take() knows, or that `head` is not
  /// worth compiling.
  void keep(const std::shared_ptr<Code> &code, jit::Tier tier, const Inst *head,
            const jit::Result &result);

private:
  struct Kept;
  Kept *kept_for(const std::shared_ptr<Code> &code);
  void open_folder();
  void read(Kept &kept);
  void append(Kept &kept, const KeptRegion &region);
  void warn(const std::string &why) const;

  const CodeCacheChoice choice;
  const std::string cpu, library;
  const bool verbose;
  std::mutex appending; // held while a file is written
  std::mutex mutex;     // of everything below
  CacheFolder folder;
  std::string builds; // "": no code is kept
  bool opened = false;
  std::map<const Code *, std::unique_ptr<Kept>> all;
};

} // namespace gpuexec::emulator::amdgpu::code_cache

#endif // GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_CODE_CACHE_H
