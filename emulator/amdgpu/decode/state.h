//===-- emulator/amdgpu/decode/state.h - One wave's registers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The architectural state of a wave. Everything that an instruction can name is
// addressed by its byte offset in State, so that a handler needs no case
// distinction for operands:
//  - vector registers are rows of 64 lanes (bit 0 of the offset set),
//  - scalar registers and inline constants are single values,
//  - a literal lies in the instruction itself (LITERAL).
// Handlers are chained by tail calls: each one calls the handler of the next
// instruction for the wave's present shape of EXEC, and returns only to stop.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_STATE_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_STATE_H

#include "emulator/amdgpu/abi/apertures.h"
#include "emulator/amdgpu/decode/basic_blocks.h"
#include "emulator/amdgpu/decode/inst.h"
#include "emulator/machine/wave.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpuexec::emulator::amdgpu {

inline constexpr unsigned LANES = 64;

class Code;
namespace definedness {
class Shadow;
}

enum ScalarRegister : u32 {
  FLAT_SCRATCH = 102,
  XNACK_MASK = 104,
  VCC = 106,
  TTMP0 = 108,
  M0 = 124,
  EXEC = 126,
  SCALARS = 128,
};

/// Places for scalar operands that are no register.
enum Slot : u32 {
  SLOT_VCCZ, // conditions as values, 0 or 1: the micro-op copy_scalar
  SLOT_EXECZ,
  SLOT_SCC,
  SLOT_LANE_MASK, // a mask of 64 bits on its way into one register (wave32)
  SLOT_ZERO,      // RDNA's null, read
  SLOT_NOWHERE,   // RDNA's null and, with 32 lanes, exec_hi, written
  SLOT_LITERAL,   // a literal of one instruction (baseline/wave_control.h)
  SLOT_COUNT
};

inline constexpr unsigned TEMP_ROWS = 10;
inline constexpr unsigned VECTORS = 512; // v0-v255, a0-a255

/// Integers -16..64 and the floats of each width, as 64-bit values.
inline constexpr unsigned INLINE_CONSTANTS = 81 + 3 * 9;

/// A region of interest that device code marks, as one wave counts it.
struct Roi {
  u64 name; // device address of a C string
  Counters inside, at_begin;
  u32 depth;
};

/// The last return addresses, for reports: a ring. Bits 63:48 of an entry count
/// how often the ring had been filled when the entry was written. So a report
/// recognises an entry that a deeper call has overwritten, and leaves it
/// out.
inline constexpr unsigned CALLS_SHIFT = 10, CALLS = 1u << CALLS_SHIFT;
constexpr u64 remembered_call(u64 return_address, u32 depth) {
  return return_address | u64(depth >> CALLS_SHIFT) << 48;
}

/// The size of a page of the host.
inline constexpr size_t GUARD_SIZE = 4096;

/// Bytes of a row without lane 0's dword.
inline constexpr u32 OTHER_LANES = (LANES - 1) * 4;

struct alignas(GUARD_SIZE) State {
  // Members that every handler uses come first.
  u32 shape = NONE;
  u32 lane4 = 0; // shape ONE: byte offset of the lane in a row
  i64 budget = 0;
  const Inst *resume = nullptr; // where to go on, or the instruction at fault
  u32 done_of_block = 0; // instructions before `resume`, if `preempt` stopped
  Stop stop = Stop::budget;
  bool scc = false;
  bool default_mode = true; // mode == ops::DEFAULT_MODE
  bool mask_valid = false;  // exec_rows has the value of EXEC
  u8 wait_state = 0;
  ops::FloatMode mode;
  u32 mode_register = 0;
  u64 dpp_mask = 0; // lanes that the last DPP micro-op lets write

  // Memory.
  const Block *block = nullptr;
  const Dispatch *dispatch = nullptr;
  Code *code = nullptr;
  u64 code_base = 0, code_size = 0;
  /// For each dword of the code, the block that begins there; null if control
  /// has not been there.
  const std::atomic<const Inst *> *blocks = nullptr;
  char *lds = nullptr;
  u32 lds_size = 0;
  u32 private_size = 0;
  char *scratch = nullptr;
  /// Bytes from a dword of lane 0's private segment to the next: 256 where rows
  /// of lanes are in one piece; 4 where lane 0's segment is, and the other
  /// lanes' are in rows of 63 dwords behind it (interpret/memory_access.h).
  u32 word_stride = 256;
  RegionCache *regions = nullptr;
  Fault *fault = nullptr;
  // Statistics (decode/basic_blocks.h). `counters` lacks the counts of the
  // basic blocks in `executions`.
  Counters *counters = nullptr;
  Executions *executions = nullptr; // by number of the basic block
  const BasicBlocks *basic_blocks = nullptr;
  u64 exec_before = 0; // for count_divergence
  std::vector<Roi> *rois = nullptr;
  u32 roi_words = 0, roi_kind = 0,
      roi_low = 0; // of the mark that is being read: see trace_data()
  u32 call_depth = 0;
  u32 last_lane = LANES - 1; // 31 in a wave of 32 lanes
  u64 hw_id = 0;
  u32 wave_in_block = 0;
  /// How many VGPRs and AGPRs waves in this memory may have written: see
  /// AmdWave::clear.
  u16 used_rows[2];
  bool stack_is_buffer = false;          // accessed by buffer instructions
  definedness::Shadow *shadow = nullptr; // --check=uninit

  Inst indexed[2]; // see gpr_index_on in control.h

  // The inline caches of compiled code (jit/inline_cache.h). They are valid
  // while inline_caches_epoch is the address space's epoch.
  struct InlineCache {
    u64 begin, length, delta;
  };
  static constexpr unsigned CACHE_CLASSES = 16, CACHES_PER_CLASS = 96;
  /// A range that inline caches were filled with lately: a region, or several
  /// that follow each other without a gap.
  struct RecentRegion {
    u64 begin, length;
    bool writable;
  };
  static constexpr unsigned RECENT_REGIONS = 6;
  RecentRegion recent_regions[RECENT_REGIONS];
  u32 oldest_region = 0;
  u64 inline_caches_epoch = 0;
  InlineCache inline_caches[CACHE_CLASSES * CACHES_PER_CLASS];
  /// An inline cache of code from LLVM, for global memory alone: its addresses
  /// are the host's.
  struct GlobalCache {
    u64 begin, length;
  };
  static constexpr unsigned GLOBAL_CACHES = 64; // per class
  GlobalCache global_caches[CACHE_CLASSES * GLOBAL_CACHES];

  u64 calls[CALLS]; // not initialised: entries below call_depth are valid

  // The rest is not initialised: exec_rows, if not mask_valid, and temp are
  // written before they are read.
  u64 constants[INLINE_CONSTANTS]; // by fill_constants()

  // The guard separates the registers, which a program writes, from the
  // pointers above, which lead to code. StatePool makes the guard, and the page
  // behind the State, inaccessible.
  alignas(GUARD_SIZE) char guard[GUARD_SIZE];

  alignas(64) u32 s[SCALARS] = {};
  u64 slots[SLOT_COUNT] = {};
  alignas(64) u32 exec_rows[LANES]; // 0 or ~0 per lane
  alignas(64) u32 temp[TEMP_ROWS][LANES];
  alignas(64) u32 v[VECTORS][LANES];

  u64 &mask(unsigned reg) { return *reinterpret_cast<u64 *>(&s[reg]); }
  u64 exec() const { return *reinterpret_cast<const u64 *>(&s[EXEC]); }

  /// To be called after every write to EXEC.
  void exec_changed() {
    u64 e = exec();
    mask_valid = false;
    if (e == ~u64(0))
      shape = FULL;
    else if (e == 0)
      shape = NONE;
    else if ((e & (e - 1)) == 0) {
      shape = ONE;
      lane4 = u32(__builtin_ctzll(e)) * 4;
    } else
      shape = SOME;
  }
  unsigned only_lane() const { return lane4 / 4; }
  /// The block that begins at address `pc`; null if control has not been there
  /// yet, or `pc` is not in the code.
  const Inst *visited_block(u64 pc) const {
    const u64 offset = pc - code_base;
    return offset < code_size && !(offset & 3)
               ? blocks[offset / 4].load(std::memory_order_acquire)
               : nullptr;
  }
};

inline constexpr Operand vector_operand(unsigned row) {
  return Operand(offsetof(State, v) + row * LANES * 4) | ROW;
}
inline constexpr Operand temp_operand(unsigned row) {
  return Operand(offsetof(State, temp) + row * LANES * 4) | ROW;
}
inline constexpr Operand scalar_operand(unsigned reg) {
  return Operand(offsetof(State, s) + reg * 4);
}
inline constexpr Operand slot_operand(Slot slot) {
  return Operand(offsetof(State, slots) + slot * 8);
}

/// Offset of the inline constant that holds `value` (sign-extended integers,
/// zero-extended floats), or LITERAL.
Operand constant_operand(u64 value);
void fill_constants(State &state);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_STATE_H
