//===-- emulator/amdgpu/interpret/cold_paths.cpp - Seldom executed --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/interpret/cold_paths.h"

#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/ops/valu.h"
#include "gpu/region_marks.h"
#include "gpu/trap_marks.h"

#include <algorithm>
#include <cstring>
#include <x86intrin.h>

namespace gpuexec::emulator::amdgpu {

// Faults.

static Fault &begin_fault(State &s, const Inst *i, Fault::Kind kind) {
  Fault &fault = *s.fault;
  fault = Fault();
  fault.kind = kind;
  fault.pc = s.code_base + i->pc;
  s.resume = i;
  s.stop = Stop::fault;
  return fault;
}

void raise(State &s, const Inst *i, Fault::Kind kind, const char *detail) {
  Fault &fault = begin_fault(s, i, kind);
  fault.detail = detail;
  fault.lanes = s.exec();
}
/// The reason that the instruction behind the trap gives (gpu/trap_marks.h); 0
/// if it gives none.
static u64 reason_of_trap(const State &s, const Inst *i) {
  constexpr u32 S_NOP = 0xbf800000; // on all processors
  u32 next = 0;
  if (u64(i->pc) + 2 * sizeof next > s.code_size)
    return 0;
  std::memcpy(&next,
              reinterpret_cast<const char *>(s.code_base + i->pc) + sizeof next,
              sizeof next);
  const u32 reason = next - (S_NOP | GPUEXEC_TRAP_MARK);
  return reason <= GPUEXEC_TRAP_HEAP ? reason : 0;
}

/// The number with which LLVM compiles llvm.trap.
constexpr u64 LLVM_TRAP = 2;

void trap_fault(State &s, const Inst *i) {
  const u64 reason = reason_of_trap(s, i);
  std::string what;
  if (!reason)
    what = "s_trap " + std::to_string(i->imm);
  if (!reason && i->imm == LLVM_TRAP)
    what += ": the program's own: a check of -fsanitize-trap, "
            "__builtin_trap() or code that cannot be reached";
  raise(s, i, Fault::Kind::trap, what.c_str());
  s.fault->address = reason;
}

void index_fault(State &s, const Inst *i, u32 index) {
  raise(s, i, Fault::Kind::bad_register,
        ("index " + std::to_string(index) + " in M0").c_str());
}

static void memory_fault(State &s, const Inst *i, Fault::Kind kind, u64 address,
                         u32 bytes, bool write, u64 lanes) {
  Fault &fault = begin_fault(s, i, kind);
  fault.address = address;
  fault.size = bytes;
  fault.write = write;
  fault.lanes = lanes;
}
void scratch_fault(State &s, const Inst *i, u32 offset, u32 bytes, bool write,
                   u64 lanes) {
  memory_fault(s, i, Fault::Kind::out_of_stack, offset, bytes, write, lanes);
}
void lds_fault(State &s, const Inst *i, u32 offset, u32 bytes, bool write,
               u64 lanes) {
  memory_fault(s, i, Fault::Kind::out_of_shared, offset, bytes, write, lanes);
}
void misaligned_fault(State &s, const Inst *i, u64 address, u32 bytes,
                      u64 lanes) {
  memory_fault(s, i, Fault::Kind::misaligned, address, bytes, true, lanes);
}

void add_faulting_lanes(State &s, const u64 *addresses, u64 lanes) {
  Fault &fault = *s.fault;
  if (fault.kind != Fault::Kind::unmapped && fault.kind != Fault::Kind::freed &&
      fault.kind != Fault::Kind::null_page &&
      fault.kind != Fault::Kind::out_of_bounds)
    return;
  for (u64 rest = lanes; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    if (addresses[l] >> AddressSpace::ADDRESS_BITS == 0 &&
        !s.dispatch->memory->may_access(addresses[l], fault.size, false))
      fault.lanes |= u64(1) << l;
  }
}

// Accesses to memory that the fast path does not accept.

bool global_slow(State &s, const Inst *i, const Region *region, u64 address,
                 u32 bytes, bool write, u64 lanes) {
  if (!region && s.dispatch->memory->may_access(address, bytes, write))
    return true; // from one region into the next
  if (!region) {
    memory_fault(s, i, classify(*s.dispatch->memory, address, bytes), address,
                 bytes, write, lanes);
    return false;
  }
  if (write && !region->may_write()) {
    memory_fault(s, i, Fault::Kind::read_only, address, bytes, write, lanes);
    return false;
  }
  return true;
}

const char *scalar_memory(State &s, const Inst *i, u64 address, u32 bytes) {
  const Region *region = s.regions->find(address, 1);
  if (!region || bytes > region->mapped_end - address)
    if (!global_slow(s, i, nullptr, address, bytes, false, 0))
      return nullptr;
  return reinterpret_cast<const char *>(address);
}

// Statistics.

void count_accesses(State &s, const u64 *addresses, u64 lanes,
                    const MemoryAccess &access) {
  Counters &c = *s.counters;
  const u32 bytes = access.bytes;
  u64 touched[LANES];
  unsigned active = 0;
  bool ascending = true;
  for (u64 rest = lanes; rest; rest &= rest - 1) {
    u64 a = addresses[__builtin_ctzll(rest)];
    if (a >> AddressSpace::ADDRESS_BITS)
      continue; // a flat access to the group or private segment
    ascending &= !active || touched[active - 1] <= a;
    touched[active++] = a;
  }
  if (!active)
    return;
  if (!ascending)
    std::sort(touched, touched + active);
  u64 different = 0, lines = 0, next_line = 0, previous = ~u64(0);
  for (unsigned k = 0; k < active; ++k) {
    const u64 a = touched[k], last = (a + bytes - 1) / 64;
    different += a != previous;
    previous = a;
    const u64 first = std::max(a / 64, next_line); // not the counted ones again
    if (last >= first) {
      lines += last - first + 1;
      next_line = last + 1;
    }
  }
  ++c.accesses;
  c.cache_lines += lines;
  // Lanes that share an address are served at once.
  c.ideal_lines += (different * bytes + 63) / 64;
  if (access.access != Access::load)
    c.bytes_written += u64(active) * bytes;
  if (access.access != Access::store)
    c.bytes_read += u64(active) * bytes;
}

void count_at_once(State &s, const BasicBlock &block) {
  Executions once = {};
  if (s.shape == ONE)
    once.alone = 1;
  else
    once = {1, 0, unsigned(__builtin_popcountll(s.exec()))};
  block.add_to(*s.counters, once);
}

static Counters counters_now(const State &s) {
  Counters all = *s.counters;
  s.basic_blocks->add_to(all, s.executions);
  return all;
}

// Regions of interest.

// Largest number of different regions in a wave. They are names in a program's
// source.
static constexpr size_t MOST_ROIS = 1024;

void trace_data(State &s, u32 value) {
  if (!s.counters || !s.rois)
    return;
  if (s.roi_words == 0) {
    s.roi_kind = value;
    s.roi_words = value == GPUEXEC_REGION_BEGIN || value == GPUEXEC_REGION_END;
    return;
  }
  if (s.roi_words++ == 1) {
    s.roi_low = value;
    return;
  }
  s.roi_words = 0;
  u64 name = s.roi_low | u64(value) << 32;
  std::vector<Roi> &rois = *s.rois;
  auto roi = std::find_if(rois.begin(), rois.end(),
                          [&](const Roi &r) { return r.name == name; });
  if (roi == rois.end() && rois.size() >= MOST_ROIS)
    return;
  if (roi == rois.end())
    roi = rois.insert(rois.end(), Roi{name, {}, {}, 0});
  // Recursion counts once: from the outermost begin to its end.
  if (s.roi_kind == GPUEXEC_REGION_BEGIN) {
    if (roi->depth++ == 0)
      roi->at_begin = counters_now(s);
  } else if (roi->depth && --roi->depth == 0) {
    roi->inside += counters_now(s);
    roi->inside -= roi->at_begin;
  }
}

// Hardware registers, by the number in s_getreg's immediate.

namespace {
enum HardwareRegister : unsigned {
  HW_MODE = 1,
  HW_STATUS = 2,
  HW_TRAPSTS = 3,
  HW_HW_ID = 4,
  HW_GPR_ALLOC = 5,
  HW_LDS_ALLOC = 6,
  HW_IB_STS = 7,
  HW_SH_MEM_BASES = 15,
  HW_XCC_ID = 20,
  HW_ID1 = 23, // RDNA
  HW_SHADER_CYCLES = 29,
  HW_SHADER_CYCLES_HIGH = 30,
};
} // namespace

u64 clock_ticks(const State &s) {
  VirtualClock *clock = s.dispatch->clock;
  return clock ? clock->read() : clock_now();
}
u64 clock_cycles(const State &s) {
  constexpr u64 CYCLES_PER_TICK = 20;
  VirtualClock *clock = s.dispatch->clock;
  return clock ? clock->read() * CYCLES_PER_TICK : __rdtsc();
}

u32 read_hardware_register(const State &s, unsigned id) {
  switch (id) {
  case HW_MODE:
    return s.mode_register;
  case HW_STATUS:
    return u32(s.scc) | u32(s.exec() == 0) << 9 |
           u32(s.s[VCC] == 0 && s.s[VCC + 1] == 0) << 10 | 1u << 16;
  case HW_SHADER_CYCLES:
    return u32(clock_cycles(s));
  case HW_SHADER_CYCLES_HIGH:
    return u32(clock_cycles(s) >> 32);
  case HW_HW_ID:
  case HW_ID1:
    return u32(s.hw_id);
  case HW_LDS_ALLOC:
    return (s.lds_size + 511) / 512 << 12;
  case HW_SH_MEM_BASES: // the upper 16 bits of the apertures: private, shared
    return u32(PRIVATE_APERTURE >> 48) | u32(SHARED_APERTURE >> 48) << 16;
  default: // XCC_ID and the rest: zero
    return 0;
  }
}

void write_hardware_register(State &s, unsigned id, u32 value) {
  if (id == HW_MODE) {
    s.mode_register = value;
    mode_changed(s);
  }
}

void mode_changed(State &s) {
  u32 m = s.mode_register;
  s.mode.round32 = ops::Round(m & 3);
  s.mode.round64_16 = ops::Round(m >> 2 & 3);
  s.mode.denorm32 = u8(m >> 4 & 3);
  s.mode.denorm64_16 = u8(m >> 6 & 3);
  s.mode.dx10_clamp = m >> 8 & 1;
  s.mode.ieee = m >> 9 & 1;
  s.default_mode = s.mode == ops::DEFAULT_MODE;
}

u32 packed_add_f16(u32 a, u32 b) {
  u32 low = ops::v_add_f16(ops::DEFAULT_MODE, ops::f16(a), ops::f16(b)).bits;
  return low | u32(ops::v_add_f16(ops::DEFAULT_MODE, ops::f16(a >> 16),
                                  ops::f16(b >> 16))
                       .bits)
                   << 16;
}

static u32 add_bf16(u32 a, u32 b) {
  float sum = ops::f32(a << 16) + ops::f32(b << 16);
  u32 bits = ops::bits_of(sum);
  if (sum != sum)
    return (bits >> 16 | 0x40) & 0xffff;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
u32 packed_add_bf16(u32 a, u32 b) {
  return add_bf16(a & 0xffff, b & 0xffff) | add_bf16(a >> 16, b >> 16) << 16;
}

} // namespace gpuexec::emulator::amdgpu
