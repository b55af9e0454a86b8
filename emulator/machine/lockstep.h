//===-- emulator/machine/lockstep.h - An order that repeats -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In lockstep one host thread runs all waves. A seed decides which wave runs
// next and for how many instructions. Between two slices, while no wave runs,
// the host gets a turn: only then may it change what waves see. The same seed
// and the same changes at the same steps make the same run.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_LOCKSTEP_H
#define GPUEXEC_EMULATOR_MACHINE_LOCKSTEP_H

#include <cstdint>

namespace gpuexec::emulator {

/// A client's choices for a run in lockstep. A step is one slice of one wave.
struct Lockstep {
  uint64_t seed = 0;
  /// Called for a turn of the host, after `step` steps; may be null. `idle` is
  /// true when all waves wait for the host or for time to pass. The host stores
  /// to *ticks by how much the device's clock is put forward. It returns false
  /// to stop: no further step is made.
  int (*turn)(void *context, uint64_t step, int idle,
              uint64_t *ticks) = nullptr;
  void *context = nullptr;
};

/// A generator of random numbers (splitmix64): the same seed gives the same
/// numbers.
class SeededChance {
public:
  explicit SeededChance(uint64_t seed) : state(seed) {}
  /// The next number, less than `end`, which is not 0.
  uint64_t below(uint64_t end) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t v = state;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return uint64_t((unsigned __int128)(v ^ v >> 31) * end >> 64);
  }

private:
  uint64_t state;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_LOCKSTEP_H
