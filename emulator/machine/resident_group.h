//===-- emulator/machine/resident_group.h - A block that runs ---*- C++ -*-===//
// A block between its admission and its end: its waves, their states, and the
// memory that is its alone (LDS and scratch). The scheduler decides what
// happens to it; nothing here takes a lock.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_RESIDENT_GROUP_H
#define GPUEXEC_EMULATOR_MACHINE_RESIDENT_GROUP_H

#include "emulator/machine/launch.h"

namespace gpuexec::emulator {

enum class WaveState : uint8_t { ready, sleeping, running, barrier, ended };

/// A wave's place in its block. In state running it belongs to the worker that
/// took it from the queue, in every other to whoever holds the scheduler's
/// lock.
struct WaveSlot {
  std::unique_ptr<Wave> wave;
  ResidentGroup *group = nullptr;
  uint32_t index = 0;
  WaveState state = WaveState::ended;
  bool sample_wanted = false;
  // Where it slept last, and the least it has done between two sleeps there.
  uint64_t sleep_pc = 0, sleep_length = ~uint64_t(0);
  bool looked = false; // asleep: the last slice was a look, and in vain
};

/// Zeroed pages for LDS and scratch, so that a large private segment costs only
/// what is touched.
class Pages {
public:
  Pages() = default;
  Pages(const Pages &) = delete;
  ~Pages() { reset(0); }
  /// So many zeroes, anew. False: no memory, and then there are none.
  bool reset(size_t size);
  std::byte *data() const { return bytes; }
  size_t size() const { return length; }

private:
  std::byte *bytes = nullptr;
  size_t length = 0;
};

struct ResidentGroup {
  Workgroup group;
  Launch *launch = nullptr;
  std::vector<WaveSlot> waves;
  uint32_t live = 0, at_barrier = 0;
  Pages pages;
  std::list<std::unique_ptr<ResidentGroup>>::iterator place;

  /// Sets up block `index` of the launch, in the memory of an earlier one if it
  /// had any. False: the host has no memory.
  bool build(Launch &launch, uint64_t index);
};

/// Waves of a whole block of the launch; a partial one may have fewer.
uint32_t waves_per_group(const Launch &launch);
/// Bytes of host memory that a block takes: LDS, scratch and waves.
uint64_t group_bytes(const Launch &launch);
/// Where the wave is. For whom the slot belongs to just now.
WaveSite site_of(const WaveSlot &slot);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_RESIDENT_GROUP_H
