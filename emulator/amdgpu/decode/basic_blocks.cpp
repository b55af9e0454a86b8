//===-- emulator/amdgpu/decode/basic_blocks.cpp - Statistics of code ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/decode/basic_blocks.h"
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/decode/state.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace gpuexec::emulator::amdgpu {

/// Largest number of numbered basic blocks in one Code: their Executions take
/// 768 KiB for each wave.
static constexpr u64 MOST_NUMBERED = 1 << 15;

static bool is_masked(const Operation &operation) {
  return operation.instruction_class == InstructionClass::lane_arithmetic ||
         operation.form == Form::memory;
}

void BasicBlock::add(const Operation &operation) {
  ++instructions[size_t(operation.instruction_class)];
  vector_instructions += is_masked(operation);
  branches += operation.terminator == Terminator::conditional;
}

void BasicBlock::add_access(const MemoryAccess &access) {
  ++accesses;
  if (access.access != Access::load)
    bytes_written += access.bytes;
  if (access.access != Access::store)
    bytes_read += access.bytes;
}

void BasicBlock::add_to(Counters &c, const Executions &executions) const {
  const u64 times = executions.others + executions.alone,
            lanes = executions.lanes + executions.alone,
            alone = executions.alone;
  for (size_t k = 0; k < INSTRUCTION_CLASSES; ++k)
    c.instructions[k] += times * instructions[k];
  c.barriers += times * instructions[size_t(InstructionClass::barrier)];
  c.branches += times * branches;
  for (u32 count : instructions)
    c.lane_instructions += lanes * count;
  c.vector_instructions += times * vector_instructions;
  c.possible_lanes += times * vector_instructions * lanes_of_wave;
  c.active_lanes += lanes * vector_instructions;
  c.accesses += alone * accesses;
  c.cache_lines += alone * accesses;
  c.ideal_lines += alone * accesses;
  c.bytes_read += alone * bytes_read;
  c.bytes_written += alone * bytes_written;
}

void BasicBlocks::Free::operator()(void *memory) const { std::free(memory); }

BasicBlocks::BasicBlocks(u64 code_size)
    : size(u32(std::min(code_size / 4 + 2, MOST_NUMBERED))),
      blocks(static_cast<BasicBlock *>(std::calloc(size, sizeof(BasicBlock)))) {
  if (!blocks)
    size = 0;
}

BasicBlock &BasicBlocks::add() {
  if (used >= size)
    return unnumbered.emplace_back();
  BasicBlock &block = *new (&blocks[used]) BasicBlock;
  block.number = used++;
  return block;
}

void BasicBlocks::add_to(Counters &counters,
                         const Executions *executions) const {
  const u32 end = published.load(std::memory_order_acquire);
  for (u32 k = 1; k < end; ++k)
    if (executions[k].others | executions[k].alone)
      blocks[k].add_to(counters, executions[k]);
}

void BasicBlocks::add_inexact(const BasicBlock &block,
                              const Operation &operation) {
  std::lock_guard lock(mutex);
  inexact_in[operation.name].push_back(block.number);
}

std::set<const char *>
BasicBlocks::inexact(const Executions *executions) const {
  std::set<const char *> names;
  std::lock_guard lock(mutex);
  for (const auto &[name, blocks] : inexact_in)
    if (llvm::any_of(blocks, [&](u32 number) {
          return !number ||
                 executions[number].others + executions[number].alone;
        }))
      names.insert(name);
  return names;
}

void BasicBlocks::clear(Executions *executions) const {
  const u32 end = published.load(std::memory_order_acquire);
  for (u32 k = 1; k < end; ++k)
    if (executions[k].others | executions[k].alone)
      executions[k] = {};
}

ExecutionTable::ExecutionTable(u32 capacity)
    : bytes(capacity * sizeof(Executions)) {
  void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) // operator new ends the process: there is no memory
    p = ::operator new(SIZE_MAX / 2);
  table = static_cast<Executions *>(p);
}
ExecutionTable::~ExecutionTable() { munmap(table, bytes); }

} // namespace gpuexec::emulator::amdgpu
