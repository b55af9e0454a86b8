//===-- emulator/amdgpu/baseline/compiler.cpp - Machine code at once ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/baseline/compiler.h"
#include "emulator/amdgpu/baseline/batch.h"
#include "emulator/amdgpu/interpret/level.h"

#include <cstring>
#include <optional>
#include <sys/mman.h>

namespace gpuexec::emulator::amdgpu::baseline {

/// Address space for code; pages of it are used as they are needed. Jumps and
/// references inside it have 32 bits.
static constexpr size_t ARENA = 64 << 20, PAGE = 4096;

static size_t round_up(size_t size) { return (size + PAGE - 1) & ~(PAGE - 1); }

Compiler::Compiler() {
  if (!__builtin_cpu_supports("x86-64-v3") ||
      std::strcmp(best_level().name, "v2") == 0)
    return;
  void *memory = mmap(nullptr, ARENA, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return;
  const Constants constants = stencil_constants();
  const size_t size = round_up(constants.size + 1);
  if (mprotect(memory, size, PROT_READ | PROT_WRITE)) {
    munmap(memory, ARENA);
    return;
  }
  std::memcpy(memory, constants.bytes, constants.size);
  mprotect(memory, size, PROT_READ);
  begin = static_cast<char *>(memory);
  next = begin + size;
  end = begin + ARENA;
}

Compiler::~Compiler() {
  if (begin)
    munmap(begin, ARENA);
}

std::map<const Inst *, u64> Compiler::passed(u64 times) const {
  std::map<const Inst *, u64> found;
  for (const auto &[inst, count] : counters)
    if (const u64 now = __atomic_load_n(&count, __ATOMIC_RELAXED); now >= times)
      found.emplace(inst, now);
  return found;
}

/// The stream for waves whose EXEC has that shape, or none.
static std::optional<Stream> stream_for(Shape shape, Waves waves) {
  if (waves == Waves::of_many_lanes)
    return shape == FULL ? ON : OFF;
  return shape == ONE    ? std::optional(ON)
         : shape == NONE ? std::optional(OFF)
                         : std::nullopt;
}

unsigned Compiler::compile(Code &code, const Inst *head, Waves waves,
                           const std::atomic<u64> *epoch, unsigned most,
                           std::vector<Placed> *placed) {
  std::set<const Inst *> &compiled = blocks[unsigned(waves)];
  if (!usable() || compiled.count(head))
    return 0;
  Batch batch(code, waves, epoch, caches, counters, reinterpret_cast<u64>(next),
              reinterpret_cast<u64>(begin));
  batch.successors.push_back(head);
  while (!batch.successors.empty() && batch.translated() < most) {
    const Inst *block = batch.successors.front();
    batch.successors.pop_front();
    if (block && compiled.insert(block).second)
      batch.block(block);
  }
  BlockCode &out = batch.finish();
  const size_t size = round_up(out.bytes().size());
  if (size > size_t(end - next) || mprotect(next, size, PROT_READ | PROT_WRITE))
    return 0; // it stays with the interpreter
  std::memcpy(next, out.bytes().data(), out.bytes().size());
  if (mprotect(next, size, PROT_READ | PROT_EXEC))
    return 0;
  next += size;
  for (const Batch::Entry &entry : batch.entries) {
    Inst original = *entry.inst;
    assign_handlers(original, best_level());
    for (const Shape shape : {FULL, ONE, SOME, NONE}) {
      const std::optional<Stream> stream = stream_for(shape, waves);
      if (!stream)
        continue;
      const auto handler =
          reinterpret_cast<Handler>(out.address_of(entry.at[*stream]));
      if (placed)
        placed->push_back({{entry.inst, shape}, handler});
      // Another compiler's code is better.
      if (entry.inst->fn[shape] != original.fn[shape])
        continue;
      __atomic_store_n(const_cast<Handler *>(&entry.inst->fn[shape]), handler,
                       __ATOMIC_RELEASE);
    }
  }
  return batch.translated();
}

} // namespace gpuexec::emulator::amdgpu::baseline
