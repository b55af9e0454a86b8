//===-- emulator/machine/device_words.h - A device's own words --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vendors call the same parts of a GPU by different names. Statistics and fault
// reports are for readers of the vendor's manuals: they print the words that
// come with the kernel.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_DEVICE_WORDS_H
#define GPUEXEC_EMULATOR_MACHINE_DEVICE_WORDS_H

#include "emulator/machine/fault.h"
#include "emulator/machine/statistics.h"

namespace gpuexec::emulator {

/// The words of one kind of device. Instances are constants that live as long
/// as the process: reports keep pointers to them.
struct DeviceWords {
  /// Indexed by InstructionClass; also the keys of the statistics' JSON.
  const char *instruction_classes[INSTRUCTION_CLASSES];
  const char *shared_memory; ///< a block's shared memory
  /// Names of the faults out_of_shared and out_of_stack.
  const char *outside_shared_memory, *outside_stack;

  const char *name_of(InstructionClass kind) const {
    return instruction_classes[size_t(kind)];
  }
  /// As emulator::name_of, in the device's words.
  const char *name_of(Fault::Kind kind) const {
    return kind == Fault::Kind::out_of_shared  ? outside_shared_memory
           : kind == Fault::Kind::out_of_stack ? outside_stack
                                               : emulator::name_of(kind);
  }
};

/// The words for a device that defines none.
inline constexpr DeviceWords PLAIN_WORDS = {
    {"wave_arithmetic", "lane_arithmetic", "wave_memory", "global_memory",
     "shared_memory", "stack_memory", "atomic", "branch", "barrier", "other"},
    "the block's shared memory",
    "outside the block's shared memory",
    "stack overflow, or outside the thread's memory"};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_DEVICE_WORDS_H
