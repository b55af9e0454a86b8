//===-- replay/recorder/callers.h - Callers' places in the grid -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_RECORDER_CALLERS_H
#define GPUEXEC_REPLAY_RECORDER_CALLERS_H

#include "replay/recorder/recording.h"

namespace gpuexec::record {

/// How the threads of a recorded run were divided into waves. All numbers are
/// at least 1, whatever a recording contains.
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

/// Whether the run had one wave, which made all calls. (Of several waves one
/// may make all calls by chance; that does not count.)
bool has_one_caller(const Recording &recording);

/// A lane, and its wave as in RecordedCall::caller.
struct LaneCaller {
  uint32_t wave;
  unsigned lane;
};
/// The lane and wave of the same thread in another layout.
LaneCaller moved(LaneCaller caller, const WaveLayout &from,
                 const WaveLayout &to);

/// `block (1,0,0), wave 3 `, with which a line of the emulated device's reports
/// begins. `caller` must not be 0.
std::string place_in_grid(uint32_t caller, const WaveLayout &layout);

} // namespace gpuexec::record

#endif
