//===-- emulator/amdgpu/fuzz/launcher.h - One input, run --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The input is a kernel: eight bytes say how it is launched, the rest is code.
// It runs on waves that take turns; some inputs run under the check for
// undefined values. Afterwards the memory that it must not write is compared
// with what was there before.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_FUZZ_LAUNCHER_H
#define GPUEXEC_EMULATOR_AMDGPU_FUZZ_LAUNCHER_H

#include "emulator/amdgpu/fuzz/memory.h"
#include "emulator/amdgpu/wave/instruction_set.h"
#include "emulator/amdgpu/wave/kernel.h"

#include <array>
#include <memory>
#include <vector>

namespace gpuexec::emulator::amdgpu::fuzz {

constexpr size_t HEADER = 8; // bytes of the input before the code

/// What the header of an input says about its launch.
struct Shape {
  explicit Shape(const u8 *bytes)
      : count(bytes[0] & 1), compiled(!count && (bytes[0] & 6) == 2),
        compiling(!compiled      ? Compiling::never
                  : bytes[0] & 8 ? Compiling::at_once
                                 : Compiling::eagerly),
        checks(!compiled && bytes[0] & 16), few(checks && bytes[0] & 8),
        frees(bytes[0] & 32), older(bytes[0] & 64), writable(bytes[0] & 128) {
    static constexpr u16 THREADS[] = {1, 64, 200, 2, 63, 65, 128, 33};
    threads = THREADS[bytes[1] & 7];
    static constexpr u32 SIZES[] = {0, 4, 16, 60, 256, 1024, 4096, 8};
    lds = SIZES[bytes[2] & 7];
    scratch = SIZES[bytes[2] >> 3 & 7];
    // Code is compiled for the mode that kernels begin in, and for one lane.
    mode = compiled || bytes[5] & 1 ? 0xf0 : bytes[3];
    if (compiled && bytes[5] & 2)
      threads = 1;
    ends = bytes[5] & 4;
    cut = bytes[5] & 8;
    properties = u16(bytes[4] & 0x6f); // not the one for waves of 32
  }
  bool count, compiled;
  Compiling compiling;
  bool checks;
  bool few; // registers are declared: the check takes all others for defined
  bool frees, older, writable, ends, cut;
  u16 threads;
  u32 lds, scratch;
  u8 mode;
  u16 properties;
};

/// What inputs have done so far.
struct Totals {
  u64 executed = 0; // instructions, without the prologue's
  u64 checked = 0;  // of them, under the check for undefined values
  u64 runs = 0, faults = 0;
};

class Launcher {
public:
  Launcher(); // maps the memory; ends the process where that fails

  /// Runs an input of more than HEADER bytes to its end, its first fault or the
  /// end of its time. finding() when it wrote where it must not.
  void run(const u8 *bytes, size_t size, Totals &totals);

private:
  std::unique_ptr<InstructionSet> &set_for(bool older, Compiling how) {
    return sets[older][how == Compiling::never     ? 0
                       : how == Compiling::at_once ? 1
                                                   : 2];
  }
  void add(u64 begin, u64 size, bool writable, u8 *shadow = nullptr);
  void place(const Shape &shape, const u8 *bytes, size_t size);
  void launch(const Shape &shape, KernelCode &kernel, Totals &totals);
  void take_turns(const Shape &shape, std::vector<std::unique_ptr<Wave>> &waves,
                  Totals &totals);
  void free_region();
  void inspect();

  AddressSpace memory;
  std::unique_ptr<InstructionSet> sets[2][3]; // see set_for()
  std::array<u8, CODE_SIZE> code_before;
  // Region::shadow. On the heap: the sanitizer guards their ends.
  std::unique_ptr<u8[]> data_shadow, freed_shadow;
  bool code_writable = false, freed = false;
  unsigned compiled = 0; // kernels, by any set
};

} // namespace gpuexec::emulator::amdgpu::fuzz

#endif // GPUEXEC_EMULATOR_AMDGPU_FUZZ_LAUNCHER_H
