//===-- emulator/machine/fault.h - Why a wave had to stop -------*- C++ -*-===//
// A Fault is what an instruction set knows about it; the machine adds the
// nearest allocation, the kernel, the block and its threads, and where there is
// DWARF the source line (report.h).
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
    unmapped,            // no live allocation there
    freed,               // there was one, it was freed
    null_page,           // below AddressSpace::NULL_PAGE_END
    out_of_bounds,       // begins inside an allocation and reaches past its end
    misaligned,          // hardware refuses
    read_only,           // a write to a read-only segment
    out_of_lds,          // past the block segment
    out_of_scratch,      // past the private segment (stack overflow)
    illegal_instruction, // not an instruction of this target
    unsupported_instruction, // one that the emulator does not know
    bad_register,            // an index leads out of the registers
    bad_pc,                  // the program counter left the code
    trap,                    // s_trap: __builtin_trap, abort
    uninitialized, // --check=uninit: an undefined value decides something;
                   // address: where it was loaded from, 0 if that is not known
  };
  /// Where `address` of an undefined value counts from.
  enum class Space : uint8_t { global, block, thread };
  Kind kind = Kind::none;
  Space space = Space::global;
  bool write = false;   // memory faults: a store or an atomic
  uint32_t size = 0;    // memory faults: bytes per lane
  uint64_t address = 0; // memory faults: the first faulting lane's address
  uint64_t lanes =
      0; // which lanes met it (bit i = lane i); 0 for scalar instructions
  uint64_t pc = 0;    // of the instruction at fault
  std::string detail; // what else is to be said: the mnemonic that is unknown,
                      // a trap's number
};

/// A word or two, "unmapped memory" for instance.
const char *name_of(Fault::Kind kind);

/// Says why an access of `size` bytes at `address` that RegionCache::find
/// refused is wrong: null page, freed, out of bounds or unmapped. Slow: for
/// reports.
Fault::Kind classify(const AddressSpace &space, uint64_t address,
                     uint32_t size);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_FAULT_H
