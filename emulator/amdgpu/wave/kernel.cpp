//===-- emulator/amdgpu/wave/kernel.cpp - Kernels and their code ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/wave/kernel.h"

#include <algorithm>
#include <cstring>

namespace gpuexec::emulator::amdgpu {

/// Largest stack of a lane, in bytes: far more than on hardware, so that
/// recursive programs run. Offsets in the stacks of all 64 lanes have 32 bits.
static constexpr u32 LARGEST_STACK = 32 << 20;

static VectorRegisters vector_registers(const Descriptor &d,
                                        const Processor &processor) {
  const bool unified = processor.unified_registers();
  unsigned granule = unified || d.wave32() ? 8 : 4;
  unsigned total = ((d.compute_pgm_rsrc1 & 63) + 1) * granule;
  unsigned plain = unified ? ((d.compute_pgm_rsrc3 & 63) + 1) * 4 : total;
  plain = std::min({plain, total, 256u});
  return {plain, std::min(total - plain, 256u)};
}

Kernel::Kernel(AmdInstructionSet &instructions, const Descriptor &descriptor,
               u64 entry, llvm::StringRef name, std::shared_ptr<Code> code)
    : instructions(instructions), descriptor(descriptor), entry(entry),
      label(name.str()),
      vectors(vector_registers(descriptor, instructions.processor)),
      code(std::move(code)) {
  size.shared_size = descriptor.group_segment_size;
  size.stack_size = descriptor.private_segment_size;
  size.largest_stack = LARGEST_STACK;
  size.wave_size = descriptor.wave32() ? LANES / 2 : LANES;
  size.stack_lanes = LANES;
  size.wave_bytes = sizeof(State);
  size.dynamic_stack = descriptor.dynamic_stack();
}

const DeviceWords &Kernel::words() const {
  static constexpr DeviceWords WORDS = {
      {"scalar_alu", "vector_alu", "scalar_memory", "global_memory", "lds",
       "scratch", "atomic", "branch", "barrier", "other"},
      "the block's shared memory (LDS)",
      "outside the group segment (LDS)",
      "stack overflow, or outside the private segment"};
  return WORDS;
}

std::shared_ptr<Code> Kernel::watched(Watch watch) {
  std::lock_guard lock(mutex);
  std::shared_ptr<Code> &slot = watched_codes[watch];
  if (!slot) {
    auto made = instructions.code(code->begin(), code->end(), watch,
                                  descriptor.wave32());
    if (made)
      slot = *made;
    else
      llvm::consumeError(made.takeError());
  }
  return slot ? slot : code;
}

llvm::Expected<std::shared_ptr<Code>>
AmdInstructionSet::code(u64 begin, u64 end, Watch watch, bool wave32) {
  std::lock_guard lock(mutex);
  std::shared_ptr<Code> &slot = codes[{begin, watch, wave32}];
  if (!slot || slot->end() != end) {
    auto made =
        Code::create(processor.name, begin, end, watch, wave32, coverage.get());
    if (!made)
      return made.takeError();
    slot = *made;
  }
  return slot;
}

void AmdInstructionSet::forget(uint64_t begin, uint64_t end) {
  std::lock_guard lock(mutex);
  for (auto it = codes.begin(); it != codes.end();)
    it = it->second->begin() < end && begin < it->second->end()
             ? codes.erase(it)
             : std::next(it);
}

llvm::Expected<std::unique_ptr<KernelCode>>
AmdInstructionSet::load(uint64_t address, llvm::StringRef name,
                        AddressSpace &memory) {
  const Region *where = memory.find(address);
  if (!where || sizeof(Descriptor) > where->end - address)
    return llvm::createStringError(
        "kernel '%s': the descriptor at 0x%llx is not in loaded memory",
        name.str().c_str(), static_cast<unsigned long long>(address));
  Descriptor d;
  std::memcpy(&d, reinterpret_cast<const void *>(address), sizeof(d));
  if (d.wave32() && !processor.is_rdna())
    return llvm::createStringError(
        "kernel '%s': built for waves of 32 lanes, %s has 64",
        name.str().c_str(), processor.name);
  u64 entry = address + u64(d.entry_offset);
  const Region *text = memory.find(entry);
  if (!text || entry >= text->code_end || entry % 4 != 0)
    return llvm::createStringError(
        "kernel '%s': the entry point 0x%llx is not in loaded code",
        name.str().c_str(), static_cast<unsigned long long>(entry));
  auto c = code(text->begin, text->code_end, {}, d.wave32());
  if (!c)
    return c.takeError();
  return std::make_unique<Kernel>(*this, d, entry, name, *c);
}

llvm::Expected<std::unique_ptr<InstructionSet>>
create_instruction_set(llvm::StringRef cpu, Compiling compiling,
                       const CodeCacheChoice &kept) {
  for (const Processor &processor : PROCESSORS)
    if (cpu == processor.name)
      return std::make_unique<AmdInstructionSet>(processor, compiling, kept);
  std::string known;
  for (const Processor &processor : PROCESSORS)
    known += std::string(known.empty() ? "" : ", ") + processor.name;
  return llvm::createStringError("no instruction set for '%s': known are %s",
                                 cpu.str().c_str(), known.c_str());
}

} // namespace gpuexec::emulator::amdgpu
