//===-- replay/recorder/callers.cpp - Callers' places in the grid ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/callers.h"
#include "replay/core/match.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuexec::record {

WaveLayout WaveLayout::of(const Recording &recording) {
  auto number = [&](const std::string &launched, const std::string &given,
                    size_t i) {
    for (const std::string &name : {launched, given}) {
      auto found = recording.facts().find(name);
      uint32_t value = 0;
      if (found != recording.facts().end() && i < found->second.size() &&
          llvm::to_integer(found->second[i], value, 10) && value)
        return uint64_t(value);
    }
    return uint64_t(1);
  };
  WaveLayout layout;
  for (size_t i = 0; i < 3; ++i) {
    layout.threads *= number("launched threads", "threads", i);
    layout.blocks[i] = number("launched blocks", "blocks", i);
  }
  layout.threads = std::max<uint64_t>(layout.threads, 1);
  layout.lanes = recording.fact("image target").starts_with("gfx9") ? 64 : 32;
  return layout;
}

/// Whether the lanes of a wave make calls together in each run, as on an AMD
/// GPU. On other GPUs the lanes that call together vary from run to run; they
/// are treated like waves.
static bool has_lockstep(const Recording &recording) {
  const llvm::StringRef format = recording.fact("image format");
  return format.empty() || format == "amdgpu" ||
         WaveLayout::of(recording).threads == 1;
}

bool has_one_caller(const Recording &recording) {
  return WaveLayout::of(recording).is_one_wave() && has_lockstep(recording) &&
         ::has_one_caller(&recording.of_core());
}

LaneCaller moved(LaneCaller caller, const WaveLayout &from,
                 const WaveLayout &to) {
  if (!caller.wave || from == to)
    return caller;
  const uint64_t wave = caller.wave - uint64_t(1);
  const uint64_t block = wave / from.waves();
  const uint64_t thread = wave % from.waves() * from.lanes + caller.lane;
  return {uint32_t(1 + block * to.waves() + thread / to.lanes),
          unsigned(thread % to.lanes)};
}

std::string place_in_grid(uint32_t caller, const WaveLayout &layout) {
  const uint64_t wave = caller - uint64_t(1), block = wave / layout.waves(),
                 x = layout.blocks[0], y = layout.blocks[1];
  return llvm::formatv("block ({0},{1},{2}), wave {3} ", block % x,
                       block / x % y, block / x / y, wave % layout.waves())
      .str();
}

} // namespace gpuexec::record
