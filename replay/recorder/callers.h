//===-- replay/recorder/callers.h - Who calls, in the grid ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_RECORDER_CALLERS_H
#define GPUEXEC_REPLAY_RECORDER_CALLERS_H

#include "replay/recorder/recording.h"

namespace gpuexec::record {

/// How the threads of a recorded run were put into waves. A recording may hold
/// anything: all numbers are at least 1.
struct WaveLayout {
  uint64_t lanes = 1;   ///< of a wave
  uint64_t threads = 1; ///< of a block
  uint64_t blocks[3] = {1, 1, 1};

  static WaveLayout of(const Recording &recording);
  uint64_t waves() const { return (threads - 1) / lanes + 1; } ///< of a block
  bool is_one_wave() const {
    return waves() == 1 && blocks[0] == 1 && blocks[1] == 1 && blocks[2] == 1;
  }
  bool operator==(const WaveLayout &) const = default;
};

/// Was there one wave, which made all calls? With more waves only luck lets one
/// of them ask for all memory.
bool has_one_caller(const Recording &recording);

/// A lane of RecordedCall::caller.
struct LaneCaller {
  uint32_t wave;
  unsigned lane;
};
/// The lane that the same thread has with another layout.
LaneCaller moved(LaneCaller caller, const WaveLayout &from,
                 const WaveLayout &to);

/// `block (1,0,0), wave 3 `, as reports of the emulated device begin; `caller`
/// is not 0.
std::string place_in_grid(uint32_t caller, const WaveLayout &layout);

} // namespace gpuexec::record

#endif
