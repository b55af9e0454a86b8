//===-- emulator/machine/wave.h - What runs instructions --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between the machine, which schedules waves and knows no
// instruction, and an instruction set, which runs one wave at a time and does
// not schedule.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_WAVE_H
#define GPUEXEC_EMULATOR_MACHINE_WAVE_H

#include "emulator/machine/device_words.h"
#include "emulator/machine/fault.h"
#include "emulator/machine/memory.h"
#include "emulator/machine/statistics.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gpuexec::emulator {

class KernelCode;

/// The device's constant clock: 100 MHz.
inline constexpr uint64_t CLOCK_HZ = 100'000'000;
uint64_t clock_now();

/// The clock that waves in lockstep see (lockstep.h). Instructions move it, the
/// host's time does not.
struct VirtualClock {
  uint64_t ticks = 0; ///< of CLOCK_HZ
  /// Returns a later time than any call before.
  uint64_t read() { return ++ticks; }
};

/// One launch of a kernel. Constant while its waves run, but for `stop`.
struct Dispatch {
  AddressSpace *memory = nullptr;
  const KernelCode *kernel = nullptr;
  uint32_t grid[3] = {1, 1, 1};  ///< threads; the last block may be partial
  uint16_t block[3] = {1, 1, 1}; ///< threads per block
  /// Blocks, a partial last one included. Scheduler::launch fills them in.
  uint32_t blocks[3] = {1, 1, 1};
  uint32_t stack_size = 0;  ///< bytes per thread
  uint32_t shared_size = 0; ///< bytes of shared memory per block
  /// What else the instruction set needs, in a type of its own. It must stay
  /// in place until the launch is over.
  const void *payload = nullptr;
  bool count = false;               ///< statistics are wanted
  bool check_uninitialized = false; ///< --check=uninit
  /// Not null: the waves run in lockstep and read this clock. One thread at a
  /// time uses it.
  VirtualClock *clock = nullptr;
  /// True: the waves are to end. The machine reads it between slices; waves may
  /// do so within a slice.
  std::atomic<bool> stop{false};
};

/// One block while it is resident. Its memory belongs to the machine and
/// outlives its waves.
struct Block {
  const Dispatch *dispatch = nullptr;
  uint32_t id[3] = {0, 0, 0};
  uint32_t size[3] = {1, 1, 1}; ///< threads; fewer in a partial last block
  uint32_t waves = 1;
  /// Shared memory of the block, 64-byte aligned. 64 bytes more may
  /// be read.
  std::byte *shared = nullptr;
  uint32_t shared_size = 0;
  std::byte *shared_shadow = nullptr; ///< --check=uninit: as Region::shadow
  /// Stacks of all threads, 64-byte aligned, wave by wave.
  std::byte *stacks = nullptr;
  /// The stacks of one wave: stack_lanes * Dispatch::stack_size bytes. The
  /// instruction set chooses their layout.
  std::byte *stack_of(uint32_t wave_in_block) const;
  uint32_t threads() const { return size[0] * size[1] * size[2]; }
};

/// What one wave counted inside a region of interest that its code marks.
struct RegionOfInterest {
  uint64_t name = 0; ///< device address of its name, a C string
  Counters counters;
};

/// Why Wave::run returned.
enum class Stop : uint8_t {
  budget,  ///< The slice is used up.
  barrier, ///< Run again when every other live wave of the block is there.
  ended,
  fault, ///< fault() says why. Never run again.
  sleep, ///< The wave waits for somebody else: run others first.
};

/// One wave. At most one host thread at a time calls it, not always the same
/// one.
class Wave {
public:
  virtual ~Wave();
  /// Runs at most about `budget` instructions. The caller is inside an
  /// AddressSpace::Reader. In lockstep the wave stops before the first access
  /// to memory, or at the first end of a block, behind `budget` instructions:
  /// at the same place whether the code is interpreted or compiled.
  virtual Stop run(uint64_t budget) = 0;
  /// How much the last run() did, in instructions or any other measure. A wave
  /// that sleeps again at the same pc after the same length has polled once
  /// more and found nothing.
  virtual uint64_t last_run_length() const { return 0; }
  virtual const Fault &fault() const = 0;
  /// Of the next instruction, or of the one at fault.
  virtual uint64_t pc() const = 0;
  /// Return addresses, innermost first; pc() is not among them. A 0 at the end
  /// stands for callers that are no longer known.
  virtual std::vector<uint64_t> callers() const { return {}; }
  /// The instruction at pc() as text, without symbols and lines: "add r0, r1,
  /// r2".
  virtual std::string instruction() const = 0;
  /// Becomes wave `wave_in_block` of another block of the same launch, as
  /// make_wave() would return it, and keeps its memory. False when it cannot.
  virtual bool restart(const Block &block, uint32_t wave_in_block) {
    return false;
  }
  /// Bit i: lane i is on.
  virtual uint64_t active_lanes() const = 0;
  /// The wave's counters; nothing unless Dispatch::count. Called while the
  /// wave does not run.
  virtual std::optional<Counters> counters() const { return std::nullopt; }
  /// Names of instructions that it executed and whose results may differ from
  /// hardware's; constants. Nothing unless Dispatch::count.
  virtual std::set<const char *> inexact_instructions() const { return {}; }
  /// Regions of interest that the wave entered, with Dispatch::count. Several
  /// may have the same name.
  virtual std::vector<RegionOfInterest> regions_of_interest() const {
    return {};
  }
};

/// A kernel that can be launched. Thread-safe. It must not outlive the memory
/// that its code is in.
class KernelCode {
public:
  struct Sizes {
    uint32_t shared_size = 0; ///< bytes of static shared memory per block
    uint32_t stack_size = 0;  ///< bytes per thread
    uint32_t largest_stack = UINT32_MAX; ///< bytes that its code can address
    uint32_t wave_size = 0;     ///< lanes; the instruction set must set it
    uint32_t stack_lanes = 0;   ///< stacks that a wave has memory for
    bool dynamic_stack = false; ///< stack_size is not all that it may need
    uint32_t wave_bytes = 0;    ///< host memory of one Wave, roughly
  };
  virtual ~KernelCode();
  virtual const Sizes &sizes() const = 0;
  /// What reports and statistics call its parts.
  virtual const DeviceWords &words() const { return PLAIN_WORDS; }
  virtual const std::string &name() const = 0;
  /// Memory of the block is there and holds zeros or an earlier block's data.
  virtual std::unique_ptr<Wave> make_wave(const Block &block,
                                          uint32_t wave_in_block) = 0;
};

/// Decodes and runs the code of one processor. Thread-safe.
class InstructionSet {
public:
  virtual ~InstructionSet();
  /// The kernel whose descriptor is at `descriptor`, an address inside a live
  /// region.
  virtual llvm::Expected<std::unique_ptr<KernelCode>>
  load(uint64_t descriptor, llvm::StringRef name, AddressSpace &memory) = 0;
  /// Drops what was decoded from [begin, end): the code goes away.
  virtual void forget(uint64_t begin, uint64_t end) = 0;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_WAVE_H
