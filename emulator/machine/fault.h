//===-- emulator/machine/fault.h - Why a wave had to stop -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Fault holds what the instruction set knows of a wave that cannot go on.
// report.h adds what the machine knows: the nearest allocation, kernel, block
// and threads, source lines.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_FAULT_H
#define GPUEXEC_EMULATOR_MACHINE_FAULT_H

#include <cstdint>
#include <string>

namespace gpuexec::emulator {

class AddressSpace;

struct Fault {
  enum class Kind : uint8_t {
    none,
    unmapped,                ///< no live region there
    freed,                   ///< there was one, it was freed
    null_page,               ///< below AddressSpace::NULL_PAGE_END
    out_of_bounds,           ///< begins inside a region and ends outside
    misaligned,              ///< hardware refuses it
    read_only,               ///< a write to a read-only region
    out_of_shared,           ///< outside of the block's shared memory
    out_of_stack,            ///< outside of the thread's stack
    illegal_instruction,     ///< no instruction of this processor
    unsupported_instruction, ///< the emulator does not know it
    bad_register,            ///< an index leads out of the registers
    bad_pc,                  ///< the program counter left the code
    trap,                    ///< __builtin_trap, abort
    uninitialized, ///< --check=uninit: an undefined value decides something
  };
  /// uninitialized: the memory in which `address` lies.
  enum class Space : uint8_t { global, block, thread };
  Kind kind = Kind::none;
  Space space = Space::global;
  bool write = false; ///< memory faults: a store or an atomic
  uint32_t size = 0;  ///< memory faults: bytes per lane
  /// Memory faults: of the first faulting lane. uninitialized: where the value
  /// was loaded from, 0 if that is not known. trap: why, a number of
  /// gpu/trap_marks.h, or 0.
  uint64_t address = 0;
  uint64_t lanes = 0; ///< bit i: lane i met it; 0 for scalar instructions
  uint64_t pc = 0;    ///< of the instruction at fault
  std::string detail; ///< an unsupported mnemonic, a trap's number; or empty
};

/// A word or two: "unmapped memory". A device may have better words
/// (device_words.h).
const char *name_of(Fault::Kind kind);

/// Why an access of `size` bytes at `address` that RegionCache::find refused is
/// wrong: null page, freed, out of bounds or unmapped. Slow.
Fault::Kind classify(const AddressSpace &space, uint64_t address,
                     uint32_t size);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_FAULT_H
