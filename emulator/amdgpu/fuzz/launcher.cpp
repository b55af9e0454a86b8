//===-- emulator/amdgpu/fuzz/launcher.cpp - One input, run and inspected --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/fuzz/launcher.h"
#include "emulator/amdgpu/abi/launch_payload.h"
#include "emulator/amdgpu/fuzz/prologue.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace gpuexec::emulator::amdgpu::fuzz {
namespace {

constexpr u8 PATTERN = 0xc5;    // of bytes that the kernel must not write
constexpr u32 END = 0xbf810000; // s_endpgm
constexpr u64 CODE_BEGIN = 256; // of the code behind the descriptor
constexpr unsigned TURNS = 24;  // of each wave, at most
constexpr u64 SLICE = 512;      // instructions of a turn

u8 *at(u64 address) { return reinterpret_cast<u8 *>(address); }

void map(u64 address, size_t size, int protection) {
  void *p = mmap(at(address), size, protection,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (p != at(address))
    finding("addresses are taken");
}

bool is_pattern(const u8 *p, size_t size) {
  for (size_t k = 0; k < size; ++k)
    if (p[k] != PATTERN)
      return false;
  return true;
}

std::unique_ptr<InstructionSet> make(bool older, Compiling how) {
  auto made = create_instruction_set(older ? "gfx90a" : "gfx942", how);
  if (!made)
    finding("no instruction set");
  return std::move(*made);
}

// Reads what a report of the fault would.
void look_at_fault(Wave &wave) {
  if (wave.fault().kind == Fault::Kind::none)
    finding("a fault of no kind");
  (void)wave.pc();
  (void)wave.instruction();
  (void)wave.callers();
  (void)wave.active_lanes();
}

} // namespace

Launcher::Launcher()
    : data_shadow(new u8[DATA_SIZE]), freed_shadow(new u8[PAGE]) {
  map(DATA - PAGE, 2 * PAGE, PROT_READ | PROT_WRITE);
  map(DATA + PAGE, PAGE, PROT_NONE);
  map(CONSTANT, PAGE, PROT_READ | PROT_WRITE);
  map(CONSTANT + PAGE, PAGE, PROT_NONE);
  map(FREED, PAGE, PROT_READ | PROT_WRITE);
  map(CODE, CODE_SIZE, PROT_READ | PROT_WRITE);
  map(CODE + CODE_SIZE, PAGE, PROT_NONE);
  map(HOST, PAGE, PROT_NONE);
  std::memset(at(DATA - PAGE), PATTERN, 2 * PAGE);
  std::memset(at(CONSTANT), PATTERN, PAGE);
  add(DATA, DATA_SIZE, true, data_shadow.get());
  add(CONSTANT, PAGE, false);
  for (unsigned k = 0; k < 2; ++k)
    for (Compiling how :
         {Compiling::never, Compiling::at_once, Compiling::eagerly})
      set_for(k, how) = make(k, how);
}

void Launcher::run(const u8 *bytes, size_t size, Totals &totals) {
  Shape shape(bytes);
  bytes += HEADER;
  size = (size - HEADER) & ~size_t(3);
  place(shape, bytes, size);
  auto &set = set_for(shape.older, shape.compiling);
  auto kernel = set->load(CODE, "fuzz", memory);
  if (!kernel)
    finding("the kernel is not loaded");
  const u64 executed = totals.executed;
  launch(shape, **kernel, totals);
  if (shape.checks)
    totals.checked += totals.executed - executed;
  kernel->reset();
  set->forget(CODE, CODE + CODE_SIZE);
  // Compiled code stays for as long as the set; so do registers that a kernel
  // wrote and had not declared.
  if (shape.few || (shape.compiled && ++compiled % 8 == 0))
    set = make(shape.older, shape.compiling);
  memory.remove(CODE);
  inspect();
  ++totals.runs;
}

void Launcher::add(u64 begin, u64 size, bool writable, u8 *shadow) {
  Region region;
  region.begin = begin;
  region.end = region.mapped_end = begin + size;
  region.writable = writable;
  region.shadow = shadow;
  region.code_end = region.end; // kernels may begin in any of them
  if (!memory.add(region))
    finding("a region cannot be added");
}

void Launcher::place(const Shape &shape, const u8 *bytes, size_t size) {
  std::memset(at(CODE), 0, CODE_SIZE);
  Descriptor d = {};
  d.group_segment_size = shape.lds;
  d.private_segment_size = shape.scratch;
  d.entry_offset = CODE_BEGIN;
  // 256 vector registers, then 256 more; or the 32 that the prologue sets.
  d.compute_pgm_rsrc3 = shape.few ? 7 : 63;
  d.compute_pgm_rsrc1 =
      (shape.few ? 3u : 63u) | u32(shape.mode) << 12 | 1u << 21 | 1u << 23;
  d.compute_pgm_rsrc2 = 1u << 7 | 1;
  d.kernel_code_properties = shape.properties;
  std::memcpy(at(CODE), &d, sizeof(d));
  u64 to = CODE + CODE_BEGIN;
  const auto &words = prologue().words;
  std::memcpy(at(to), words.data(), words.size() * 4);
  to += words.size() * 4;
  size = std::min<size_t>(size, CODE + CODE_SIZE - to - 4);
  std::memcpy(at(to), bytes, size);
  if (shape.ends) // else it may run into zeroes, and off the end
    std::memcpy(at(to + size), &END, 4);
  // Off the end: the last page's rest is code.
  add(CODE, CODE_SIZE - (shape.cut ? 2 : 0), shape.writable);
  std::memcpy(code_before.data(), at(CODE), CODE_SIZE);
  code_writable = shape.writable;
}

void Launcher::launch(const Shape &shape, KernelCode &kernel, Totals &totals) {
  Dispatch dispatch;
  dispatch.memory = &memory;
  dispatch.kernel = &kernel;
  dispatch.grid[0] = dispatch.block[0] = shape.threads;
  dispatch.stack_size = shape.scratch;
  dispatch.shared_size = shape.lds;
  LaunchPayload payload;
  payload.kernarg = DATA;
  payload.packet = CONSTANT;
  // Jumps to the descriptor, whose address is in a register, count as calls.
  (shape.frees ? payload.known.allocate : payload.known.send[0]) = CODE;
  dispatch.payload = &payload;
  dispatch.count = shape.count;
  dispatch.check_uninitialized = shape.checks;
  Block block;
  block.dispatch = &dispatch;
  block.size[0] = shape.threads;
  block.waves = (shape.threads + LANES - 1u) / LANES;
  // Exactly as long as they must be: the sanitizer guards their ends.
  size_t lds_size = (size_t(shape.lds) + 64 + 63) & ~size_t(63);
  block.shared = static_cast<std::byte *>(std::aligned_alloc(64, lds_size));
  std::memset(block.shared, PATTERN, lds_size);
  block.shared_size = shape.lds;
  size_t scratch_size = size_t(shape.scratch) * LANES * block.waves;
  block.stacks = static_cast<std::byte *>(
      std::aligned_alloc(64, scratch_size ? scratch_size : 64));
  std::memset(block.stacks, 0, scratch_size);
  std::unique_ptr<std::byte[]> lds_shadow;
  if (shape.checks) {
    lds_shadow.reset(new std::byte[shape.lds]());
    block.shared_shadow = lds_shadow.get();
  }
  freed_shadow.reset(new u8[PAGE]());
  add(FREED, PAGE, true, freed_shadow.get());
  freed = false;
  std::memset(at(FREED), 0, PAGE);
  std::memset(at(DATA), 0, DATA_SIZE);
  std::memset(data_shadow.get(), 0xff, DATA_SIZE / 2); // the rest is undefined
  std::memset(data_shadow.get() + DATA_SIZE / 2, 0, DATA_SIZE / 2);

  std::vector<std::unique_ptr<Wave>> waves;
  {
    AddressSpace::Reader reader(memory);
    reader.enter();
    for (u32 w = 0; w < block.waves; ++w)
      waves.push_back(kernel.make_wave(block, w));
    reader.leave();
  }
  take_turns(shape, waves, totals);
  for (auto &wave : waves)
    if (const std::optional<Counters> counters = wave->counters())
      if (u64 all = counters->total(); all > prologue().instructions)
        totals.executed += all - prologue().instructions;
  waves.clear();
  if (!freed)
    free_region();
  if (mprotect(at(FREED), PAGE, PROT_READ | PROT_WRITE))
    finding("mprotect");
  if (!is_pattern(reinterpret_cast<u8 *>(block.shared) + shape.lds,
                  lds_size - shape.lds))
    finding("a write past the group segment");
  std::free(block.shared);
  std::free(block.stacks);
}

void Launcher::take_turns(const Shape &shape,
                          std::vector<std::unique_ptr<Wave>> &waves,
                          Totals &totals) {
  enum class Is { ready, waiting, over };
  std::vector<Is> is(waves.size(), Is::ready);
  AddressSpace::Reader reader(memory);
  for (unsigned turn = 0; turn < (shape.compiled ? 6 : TURNS); ++turn) {
    bool any = false, all_wait = true;
    for (size_t w = 0; w < waves.size(); ++w) {
      if (is[w] != Is::ready)
        continue;
      any = true;
      reader.enter();
      Stop stop = waves[w]->run(SLICE);
      reader.leave();
      if (!shape.count)
        totals.executed +=
            std::min<u64>(waves[w]->last_run_length(), 4 * SLICE);
      if (stop == Stop::barrier)
        is[w] = Is::waiting;
      else if (stop == Stop::ended)
        is[w] = Is::over;
      else if (stop == Stop::fault) {
        ++totals.faults;
        look_at_fault(*waves[w]);
        return;
      }
      if (turn == 1 && shape.frees && !freed)
        free_region();
    }
    for (Is one : is)
      all_wait &= one != Is::ready;
    if (!any && !all_wait)
      return;
    if (all_wait) {
      bool waited = false;
      for (Is &one : is)
        if (one == Is::waiting) {
          one = Is::ready;
          waited = true;
        }
      if (!waited)
        return;
    }
  }
}

void Launcher::free_region() {
  memory.remove(FREED);
  if (mprotect(at(FREED), PAGE, PROT_NONE))
    finding("mprotect");
  freed_shadow.reset();
  freed = true;
}

void Launcher::inspect() {
  if (!is_pattern(at(DATA - PAGE), PAGE) ||
      !is_pattern(at(DATA + DATA_SIZE), PAGE - DATA_SIZE))
    finding("a write beside the data");
  if (!is_pattern(at(CONSTANT), PAGE))
    finding("a write to what may only be read");
  if (!code_writable && std::memcmp(code_before.data(), at(CODE), CODE_SIZE))
    finding("a write to the code");
}

} // namespace gpuexec::emulator::amdgpu::fuzz
