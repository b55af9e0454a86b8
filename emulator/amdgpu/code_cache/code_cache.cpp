//===-- emulator/amdgpu/code_cache/code_cache.cpp - Code on disk ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/code_cache/code_cache.h"

#include "emulator/amdgpu/code_cache/identity.h"

#include "llvm/ADT/StringExtras.h"

#include "support/cache_kinds.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gpuexec::emulator::amdgpu::code_cache {

static constexpr int LOCK_ATTEMPTS = 100; // a millisecond each

/// The code of one segment, and its file.
struct CodeCache::Kept {
  std::shared_ptr<Code> code;
  Key key;
  std::string name;                // of the file
  bool usable = false;             // constant
  std::vector<KeptRegion> regions; // of the file; emptied when taken
  std::vector<bool> taken, good;
  std::unordered_map<u32, std::vector<size_t>> by_block; // regions, by pc
  // Of `appending`.
  bool writable = true;
  size_t size = 0; // of the file as far as it was read
};

CodeCache::CodeCache(const CodeCacheChoice &choice, std::string cpu,
                     std::string library, bool verbose)
    : choice(choice), cpu(std::move(cpu)), library(std::move(library)),
      verbose(verbose) {}
CodeCache::~CodeCache() = default;

void CodeCache::warn(const std::string &why) const {
  if (choice.is_named && !why.empty())
    std::fprintf(stderr, "gpuexec: warning: no JIT cache: %s\n", why.c_str());
}

/// Opens the folder, at the first call alone.
void CodeCache::open_folder() {
  if (std::exchange(opened, true) || choice.folder.empty())
    return;
  std::string warning;
  folder = CacheFolder::open(choice.folder, warning);
  warn(warning);
  if (!folder)
    return;
  // Of this function's library, and of the compiler's.
  const std::string mine =
      build_id_around(reinterpret_cast<const void *>(&key_of));
  const std::string compiler = build_id_of_file(library);
  if (!mine.empty() && !compiler.empty())
    builds = mine + " " + compiler;
  else
    warn("the emulator was linked without a build id");
}

/// The regions of a file that are for `key`.
static KeptFile read_file(const UniqueFd &file, const Key &key) {
  return decode_file(
      llvm::arrayRefFromStringRef<u8>(read_all(file.get(), LARGEST_FILE)), key);
}

void CodeCache::read(Kept &kept) {
  const auto began = std::chrono::steady_clock::now();
  std::string warning;
  const UniqueFd file = folder.open_file(kept.name, O_RDONLY, warning);
  warn(warning);
  kept.usable = warning.empty();
  if (!file)
    return;
  futimens(file.get(), nullptr); // it was used: trim() goes by this time
  KeptFile found = read_file(file, kept.key);
  kept.size = found.size;
  kept.regions = std::move(found.regions);
  kept.taken.resize(kept.regions.size());
  kept.good.resize(kept.regions.size());
  for (size_t k = 0; k < kept.regions.size(); ++k)
    for (u32 block : kept.regions[k].covered)
      kept.by_block[block].push_back(k);
  const std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - began;
  if (verbose)
    std::fprintf(stderr, "jit (cache): %s/%s: %zu regions, %.3f ms\n",
                 choice.folder.c_str(), kept.name.c_str(), kept.regions.size(),
                 took.count());
}

CodeCache::Kept *CodeCache::kept_for(const std::shared_ptr<Code> &code) {
  std::unique_ptr<Kept> &kept = all[code.get()];
  if (!kept) {
    open_folder();
    kept = std::make_unique<Kept>();
    kept->code = code;
    if (!builds.empty() && code->is_plain()) {
      kept->key = key_of(*code, cpu, builds);
      kept->name = llvm::toHex(llvm::ArrayRef(kept->key).take_front(16),
                               /*LowerCase=*/true) +
                   JIT_CACHE.suffix;
      read(*kept);
    }
  }
  return kept->usable ? kept.get() : nullptr;
}

/// Finds the micro-ops that `kept` refers to. False when one is missing.
static bool resolve(Code &code, const KeptRegion &kept,
                    CodeCache::Region &region) {
  region.tier = kept.tier;
  region.code.bytes = kept.code;
  for (const KeptEntry &entry : kept.entries) {
    const Inst *inst = find(code, entry.inst);
    if (!inst)
      return false;
    region.entries.push_back({inst, entry.shape});
    region.code.handlers.push_back(entry.handler);
  }
  for (const KeptPointer &pointer : kept.pointers) {
    const Inst *inst = nullptr;
    if (pointer.kind == jit::HostPointer::Kind::instruction &&
        !(inst = find(code, pointer.inst)))
      return false;
    region.code.pointers.push_back(
        {pointer.kind, inst, pointer.function, pointer.offset});
  }
  return true;
}

std::vector<CodeCache::Region>
CodeCache::take(const std::shared_ptr<Code> &code, const Inst *head,
                std::set<jit::Tier> &tiers) {
  std::lock_guard lock(mutex);
  std::vector<Region> result;
  Kept *kept = kept_for(code);
  if (!kept)
    return result;
  const auto [first, offset] = code->block_of(head);
  auto found = kept->by_block.find(u32(offset));
  if (first != head || found == kept->by_block.end())
    return result;
  for (jit::Tier tier : {jit::Tier::quick, jit::Tier::optimised})
    for (size_t k : found->second) {
      KeptRegion &region = kept->regions[k];
      if (region.tier != tier)
        continue;
      if (!kept->taken[k]) {
        kept->taken[k] = true;
        Region resolved;
        kept->good[k] = resolve(*code, region, resolved);
        if (kept->good[k] && !resolved.code.bytes.empty())
          result.push_back(std::move(resolved));
        region.code = {};
      }
      if (kept->good[k])
        tiers.insert(tier);
    }
  return result;
}

/// The record that keeps the result of a compilation.
static KeptRegion describe(Code &code, jit::Tier tier, const Inst *head,
                           const jit::Result &result) {
  KeptRegion region;
  region.tier = tier;
  region.code = result.code.bytes;
  std::set<u32> covered = {u32(code.block_of(head).offset)};
  for (const Inst *inst : result.covered)
    if (const auto [first, offset] = code.block_of(inst); first == inst)
      covered.insert(u32(offset));
  region.covered.assign(covered.begin(), covered.end());
  for (size_t k = 0; k < result.code.handlers.size(); ++k) {
    const jit::Entry &entry = result.entries[k];
    region.entries.push_back(
        {refer_to(code, entry.inst), entry.shape, result.code.handlers[k]});
  }
  for (const jit::HostPointer &pointer : result.code.pointers) {
    KeptPointer &kept = region.pointers.emplace_back();
    kept.kind = pointer.kind;
    kept.offset = pointer.offset;
    kept.function = pointer.function;
    if (pointer.kind == jit::HostPointer::Kind::instruction)
      kept.inst = refer_to(code, pointer.inst);
  }
  return region;
}

void CodeCache::keep(const std::shared_ptr<Code> &code, jit::Tier tier,
                     const Inst *head, const jit::Result &result) {
  Kept *kept = nullptr;
  {
    std::lock_guard lock(mutex);
    if (auto known = all.find(code.get()); known != all.end())
      kept = known->second.get(); // which stays
  }
  // Waves that take regions do not wait for a file's lock.
  std::lock_guard lock(appending);
  if (kept && kept->usable && kept->writable)
    append(*kept, describe(*code, tier, head, result));
}

/// True when nobody else has the file's lock any more. It is held for as long
/// as an append takes.
static bool lock_file(int fd) {
  for (int attempt = 0; attempt < LOCK_ATTEMPTS; ++attempt) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
      return true;
    if (errno != EWOULDBLOCK && errno != EINTR)
      return false;
    usleep(1000);
  }
  return false;
}

/// Whether two records are for one place of the code. If two processes compile
/// it, only the first one appends its record.
static bool is_same_place(const KeptRegion &a, const KeptRegion &b) {
  if (a.tier != b.tier || a.entries.empty() != b.entries.empty())
    return false;
  return a.entries.empty()
             ? a.covered == b.covered
             : a.entries.front().inst == b.entries.front().inst &&
                   a.entries.front().shape == b.entries.front().shape;
}

/// Appends a record while it holds the file's lock. First cuts off what another
/// process, which was killed, has left half-written.
void CodeCache::append(Kept &kept, const KeptRegion &region) {
  std::string warning;
  const UniqueFd file = folder.open_file(kept.name, O_RDWR | O_CREAT, warning);
  kept.writable = bool(file);
  warn(warning);
  struct stat status;
  if (!file || !lock_file(file.get()) || fstat(file.get(), &status))
    return;
  KeptFile there;
  there.size = kept.size;
  // Somebody else has appended to it, or it is new.
  if (!kept.size || u64(status.st_size) != kept.size)
    there = read_file(file, kept.key);
  std::vector<u8> bytes;
  if (!there.size)
    bytes = encode_header(kept.key);
  if (std::none_of(there.regions.begin(), there.regions.end(),
                   [&](const KeptRegion &other) {
                     return is_same_place(region, other);
                   }))
    encode(bytes, region);
  if (there.size + bytes.size() > LARGEST_FILE ||
      ftruncate(file.get(), off_t(there.size)))
    return;
  lseek(file.get(), off_t(there.size), SEEK_SET);
  if (write_all(file.get(), {reinterpret_cast<const char *>(bytes.data()),
                             bytes.size()}) != 0)
    return; // a full disk
  kept.size = there.size + bytes.size();
  if (!there.size)
    folder.trim(JIT_CACHE.suffix, JIT_CACHE.largest);
}

} // namespace gpuexec::emulator::amdgpu::code_cache
