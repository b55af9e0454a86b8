//===-- emulator/machine/resident_block.h - A block that runs ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block from its start to its end: its waves, their states, its shared memory
// and stacks. The scheduler decides what happens to it; nothing here takes a
// lock.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_RESIDENT_BLOCK_H
#define GPUEXEC_EMULATOR_MACHINE_RESIDENT_BLOCK_H

#include "emulator/machine/launch.h"

namespace gpuexec::emulator {

enum class WaveState : uint8_t { ready, sleeping, running, barrier, ended };

/// A wave of a resident block. While it is running it belongs to the worker
/// that runs it, else to the holder of the scheduler's lock.
struct WaveSlot {
  std::unique_ptr<Wave> wave;
  ResidentBlock *block = nullptr;
  uint32_t index = 0;
  WaveState state = WaveState::ended;
  /// While one worker runs the whole block: the wave's state, which the worker
  /// alone reads and writes; `state` is running meanwhile.
  WaveState held = WaveState::ended;
  bool sample_wanted = false;
  uint64_t sleep_pc = 0;                // pc of its last sleep
  uint64_t sleep_length = ~uint64_t(0); // least length between two sleeps there
  uint64_t last_sleep_length = 0;       // before its last sleep
  uint32_t same_sleeps = 0;             // how often that was as long as before
  bool idle_poll = false; // asleep: its last slice only polled, in vain
  // In lockstep a slice may end before the wave gets to its next sleep:
  int64_t since_sleep = 0; // instructions since the last sleep
};

/// Zeroed pages, so that large stacks cost only what is touched.
class Pages {
public:
  Pages() = default;
  Pages(const Pages &) = delete;
  ~Pages() { reset(0); }
  /// Releases the pages and maps `size` zero bytes instead. False if the host
  /// has no memory: then there are no pages.
  bool reset(size_t size);
  std::byte *data() const { return bytes; }
  size_t size() const { return length; }

private:
  std::byte *bytes = nullptr;
  size_t length = 0;
};

struct ResidentBlock : Block {
  Launch *launch = nullptr;
  std::vector<WaveSlot> slots; // the first Block::waves are used
  uint32_t live = 0, at_barrier = 0;
  /// One worker at a time runs all of its waves. In the queue, one wave that is
  /// ready stands for all of them.
  bool together = false;
  Pages pages;
  std::list<std::unique_ptr<ResidentBlock>>::iterator place; // Launch::resident

  /// Becomes block `index` of the launch and reuses the memory of the previous
  /// block. False: the host has no memory.
  bool build(Launch &launch, uint64_t index);
};

/// Waves of a whole block of the launch; a partial one may have fewer.
uint32_t waves_per_block(const Launch &launch);
/// Bytes of host memory that a block takes: shared memory, stacks and waves.
uint64_t block_bytes(const Launch &launch);
/// Where the wave is. Only the slot's present owner may call this.
WaveSite site_of(const WaveSlot &slot);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_RESIDENT_BLOCK_H
