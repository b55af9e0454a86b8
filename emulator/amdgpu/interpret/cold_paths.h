//===-- emulator/amdgpu/interpret/cold_paths.h - Seldom executed ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions for rare cases: faults, statistics of memory accesses, decoding on
// the first visit. They are compiled once; the handlers of all levels call
// them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_INTERPRET_COLD_PATHS_H
#define GPUEXEC_EMULATOR_AMDGPU_INTERPRET_COLD_PATHS_H

#include "emulator/amdgpu/decode/state.h"

namespace gpuexec::emulator::amdgpu {

struct MemoryAccess;

/// These stop the wave at instruction `i` with a fault. (No std::string here:
/// the handlers' unit would define its functions with instructions of its
/// x86-64 level, and the linker may pick that copy for the whole library.)
void raise(State &s, const Inst *i, Fault::Kind kind, const char *detail = "");
/// The fault of s_trap; the report names the trap's number.
void trap_fault(State &s, const Inst *i);
void scratch_fault(State &s, const Inst *i, u32 offset, u32 bytes, bool write,
                   u64 lanes);
void lds_fault(State &s, const Inst *i, u32 offset, u32 bytes, bool write,
               u64 lanes);
void misaligned_fault(State &s, const Inst *i, u64 address, u32 bytes,
                      u64 lanes);

/// The index in M0 moves an operand past the end of its register file.
void index_fault(State &s, const Inst *i, u32 index);

/// After a fault of one lane: adds to Fault::lanes all of `lanes` whose address
/// lies in no allocation.
void add_faulting_lanes(State &s, const u64 *addresses, u64 lanes);

/// Checks an access that the fast path did not accept: true if it is allowed,
/// false after a fault. `region` may be null.
bool global_slow(State &s, const Inst *i, const Region *region, u64 address,
                 u32 bytes, bool write, u64 lanes);
/// A scalar load of `bytes` at `address`; null after a fault.
const char *scalar_memory(State &s, const Inst *i, u64 address, u32 bytes);

/// Counts an access to global memory by `lanes`.
void count_accesses(State &s, const u64 *addresses, u64 lanes,
                    const MemoryAccess &access);
/// Counts an execution of a basic block that has no number.
void count_at_once(State &s, const BasicBlock &block);

/// The instruction at code address `pc`, decoded if it is met for the first
/// time; null after a fault (not code).
const Inst *find_code(State &s, const Inst *i, u64 pc);

/// Executes s_ttracedata. `value`, from M0, is a word of the mark of a region
/// of interest (gpu/region_marks.h).
void trace_data(State &s, u32 value);

/// Records in the Coverage `i->data` that LLVM's opcode `i->mods` is executed;
/// `i->imm` is its name, a C string.
void note_executed(const Inst *i);

/// The device's clock, in ticks of CLOCK_HZ; and its counter of cycles.
u64 clock_ticks(const State &s);
u64 clock_cycles(const State &s);

u32 read_hardware_register(const State &s, unsigned id);
void write_hardware_register(State &s, unsigned id, u32 value);
/// Derives State::mode from the MODE register.
void mode_changed(State &s);

u32 packed_add_f16(u32 a, u32 b);
u32 packed_add_bf16(u32 a, u32 b);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_INTERPRET_COLD_PATHS_H
