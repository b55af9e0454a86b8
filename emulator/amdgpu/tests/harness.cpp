//===-- emulator/amdgpu/tests/harness.cpp - Kernels without HSA -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/tests/harness.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

namespace gpuexec::emulator::amdgpu::test {

[[noreturn]] static void die(const std::string &why) {
  std::fprintf(stderr, "harness: %s\n", why.c_str());
  std::abort();
}
template <typename T> static T get(llvm::Expected<T> value) {
  if (!value)
    die(llvm::toString(value.takeError()));
  return std::move(*value);
}

static void *map(size_t size) {
  void *p = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    die("no memory");
  return p;
}

Machine::Machine(const std::string &cpu, const std::string &path,
                 Compiling compiling) {
  isa = get(create_instruction_set(cpu, compiling));
  scheduler = std::make_unique<Scheduler>(memory);
  if (path.empty())
    return;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    die(path + ": " + buffer.getError().message());
  auto object = get(llvm::object::ELFObjectFile<llvm::object::ELF64LE>::create(
      (*buffer)->getMemBufferRef()));
  const auto &elf = object.getELFFile();
  uint64_t end = 0;
  for (const auto &segment : get(elf.program_headers()))
    if (segment.p_type == llvm::ELF::PT_LOAD)
      end = std::max<uint64_t>(end, segment.p_vaddr + segment.p_memsz);
  size_t size = (end + 4095) & ~uint64_t(4095);
  char *base = static_cast<char *>(map(size));
  mappings.push_back({base, size});
  for (const auto &segment : get(elf.program_headers()))
    if (segment.p_type == llvm::ELF::PT_LOAD) {
      std::memcpy(base + segment.p_vaddr,
                  (*buffer)->getBufferStart() + segment.p_offset,
                  segment.p_filesz);
      Region region;
      region.begin = uint64_t(base) + segment.p_vaddr;
      region.end = region.begin + segment.p_memsz;
      region.mapped_end = region.end;
      region.writable = segment.p_flags & llvm::ELF::PF_W;
      if (segment.p_flags & llvm::ELF::PF_X)
        region.code_end = region.end;
      region.kind = MemoryKind::code;
      if (!memory.add(region))
        die("segment overlaps");
    }
  for (const auto &section : get(elf.sections()))
    if (section.sh_type == llvm::ELF::SHT_RELA)
      for (const auto &rela : get(elf.relas(section))) {
        if (rela.getType(false) != llvm::ELF::R_AMDGPU_RELATIVE64)
          die("unexpected relocation");
        uint64_t value = uint64_t(base) + uint64_t(rela.r_addend);
        std::memcpy(base + rela.r_offset, &value, 8);
      }
  for (const auto &symbol : object.getDynamicSymbolIterators())
    symbols.push_back({get(symbol.getName()).str(),
                       uint64_t(base) + get(symbol.getAddress())});
}

Machine::~Machine() {
  scheduler.reset();
  for (auto [p, size] : mappings)
    munmap(p, size);
}

void Machine::add(void *p, size_t size, bool writable, uint8_t *shadow) {
  Region region;
  region.begin = uint64_t(p);
  region.end = region.mapped_end = region.begin + size;
  region.writable = writable;
  region.shadow = shadow;
  if (!memory.add(region))
    die("region overlaps");
}
void Machine::remove(void *p) { memory.remove(uint64_t(p)); }

void *Machine::allocate_with(size_t size, uint8_t *shadow) {
  size_t mapped = (size + 4095) & ~size_t(4095);
  void *p = map(mapped);
  mappings.push_back({p, mapped});
  add(p, size, true, shadow);
  return p;
}

uint64_t Machine::symbol(const std::string &name) const {
  for (const auto &[n, address] : symbols)
    if (n == name)
      return address;
  die("no symbol " + name);
}

Result Machine::run(const std::string &name, const Grid &grid,
                    const std::vector<uint8_t> &arguments) {
  auto launch = std::make_shared<Launch>();
  launch->kernel = get(isa->load(symbol(name + ".kd"), name, memory));
  const KernelCode::Sizes &sizes = launch->kernel->sizes();
  Dispatch &d = launch->dispatch;
  auto *kernarg =
      static_cast<uint8_t *>(allocate_bytes(arguments.size() + 264));
  std::copy(arguments.begin(), arguments.end(), kernarg);
  uint8_t *hidden = kernarg + (arguments.size() + 7) / 8 * 8;
  auto *packet = static_cast<uint8_t *>(allocate_bytes(64));
  for (unsigned k = 0; k < 3; ++k) {
    d.block[k] = grid.threads[k];
    d.grid[k] = grid.blocks[k] * grid.threads[k];
    d.blocks[k] = grid.blocks[k];
    std::memcpy(hidden + 4 * k, &grid.blocks[k], 4);
    std::memcpy(hidden + 12 + 2 * k, &grid.threads[k], 2);
    std::memcpy(packet + 4 + 2 * k, &grid.threads[k], 2);
    std::memcpy(packet + 12 + 4 * k, &d.grid[k], 4);
  }
  d.memory = &memory;
  d.kernel = launch->kernel.get();
  d.stack_size = sizes.dynamic_stack ? 16384 : sizes.stack_size;
  d.shared_size = sizes.shared_size + grid.dynamic_lds;
  LaunchPayload payload;
  payload.kernarg = uint64_t(kernarg);
  payload.packet = uint64_t(packet);
  d.payload = &payload;
  d.count = grid.count;
  d.check_uninitialized = grid.check_uninitialized;
  std::mutex mutex;
  std::condition_variable over;
  bool done = false;
  launch->done = [&](Launch &) {
    std::lock_guard lock(mutex);
    done = true;
    over.notify_all();
  };
  scheduler->launch(launch);
  {
    std::unique_lock lock(mutex);
    over.wait(lock, [&] { return done; });
  }
  Result result;
  result.counters = launch->counters;
  result.regions = launch->regions;
  if (launch->report) {
    result.fault = launch->report->fault;
    result.report = launch->report->text;
  }
  return result;
}

} // namespace gpuexec::emulator::amdgpu::test
