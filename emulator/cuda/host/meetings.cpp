//===-- emulator/cuda/host/meetings.cpp - See meetings.h ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/host/meetings.h"

#include <algorithm>

namespace gpuexec::cuda::host {

using namespace ptx::host;

namespace {

template <typename Word> Word *array(uint8_t *slots, uint32_t offset) {
  return reinterpret_cast<Word *>(slots + size_t(offset) * WARP_LANES);
}

uint32_t combine(MeetingKind kind, uint32_t a, uint32_t b) {
  switch (kind) {
  case MeetingKind::redux_and:
    return a & b;
  case MeetingKind::redux_or:
    return a | b;
  case MeetingKind::redux_xor:
    return a ^ b;
  case MeetingKind::redux_min:
    return uint32_t(std::min(int32_t(a), int32_t(b)));
  case MeetingKind::redux_max:
    return uint32_t(std::max(int32_t(a), int32_t(b)));
  case MeetingKind::redux_umin:
    return std::min(a, b);
  case MeetingKind::redux_umax:
    return std::max(a, b);
  default:
    return a + b;
  }
}

/// Calls `each` with every lane of a set.
template <typename Each> void for_lanes(uint32_t lanes, Each each) {
  for (; lanes; lanes &= lanes - 1)
    each(uint32_t(__builtin_ctz(lanes)));
}

/// Lanes may have different masks: each set is computed once for a mask.
template <typename Compute>
void by_mask(const uint32_t *masks, uint32_t active, Compute compute) {
  while (active) {
    const uint32_t mask = masks[__builtin_ctz(active)];
    uint32_t alike = 0;
    for_lanes(active, [&](uint32_t lane) {
      alike |= uint32_t(masks[lane] == mask) << lane;
    });
    compute(mask, alike);
    active &= ~alike;
  }
}

void shuffle(const Meeting &meeting, uint8_t *slots, uint32_t active) {
  const uint32_t *values = array<uint32_t>(slots, meeting.arguments[0]),
                 *from = array<uint32_t>(slots, meeting.arguments[1]);
  uint32_t *results = array<uint32_t>(slots, meeting.result);
  if (active == ~0u) {
    for (uint32_t lane = 0; lane < WARP_LANES; ++lane)
      results[lane] = values[from[lane] % WARP_LANES];
    return;
  }
  for_lanes(active, [&](uint32_t lane) {
    results[lane] = values[from[lane] % WARP_LANES];
  });
}

void ballot(const Meeting &meeting, uint8_t *slots, uint32_t active) {
  const uint32_t *values = array<uint32_t>(slots, meeting.arguments[0]);
  uint64_t *results = array<uint64_t>(slots, meeting.result);
  uint32_t yes = 0;
  for_lanes(active,
            [&](uint32_t lane) { yes |= uint32_t(values[lane] != 0) << lane; });
  by_mask(array<uint32_t>(slots, meeting.mask), active,
          [&](uint32_t mask, uint32_t alike) {
            const uint32_t lanes = mask & active;
            for_lanes(alike, [&](uint32_t lane) {
              results[lane] = uint64_t(lanes) << 32 | (yes & lanes);
            });
          });
}

void match(const Meeting &meeting, uint8_t *slots, uint32_t active) {
  const uint64_t *values = array<uint64_t>(slots, meeting.arguments[0]);
  const uint32_t *masks = array<uint32_t>(slots, meeting.mask);
  uint32_t *results = array<uint32_t>(slots, meeting.result);
  for_lanes(active, [&](uint32_t lane) {
    const uint32_t lanes = masks[lane] & active;
    uint32_t equal = 0;
    for_lanes(lanes, [&](uint32_t other) {
      equal |= uint32_t(values[other] == values[lane]) << other;
    });
    results[lane] = meeting.kind == MeetingKind::match_any ? equal
                    : equal == lanes                       ? lanes
                                                           : 0;
  });
}

void reduce(const Meeting &meeting, uint8_t *slots, uint32_t active) {
  const uint32_t *values = array<uint32_t>(slots, meeting.arguments[0]);
  uint32_t *results = array<uint32_t>(slots, meeting.result);
  by_mask(array<uint32_t>(slots, meeting.mask), active,
          [&](uint32_t mask, uint32_t alike) {
            uint32_t lanes = mask & active;
            uint32_t sum =
                values[lanes ? __builtin_ctz(lanes) : WARP_LANES - 1];
            for_lanes(lanes & (lanes - 1), [&](uint32_t lane) {
              sum = combine(meeting.kind, sum, values[lane]);
            });
            for_lanes(alike, [&](uint32_t lane) { results[lane] = sum; });
          });
}

} // namespace

void meet(const Meeting &meeting, uint8_t *slots, uint32_t active) {
  switch (meeting.kind) {
  case MeetingKind::block:
  case MeetingKind::count:
  case MeetingKind::warp_sync:
    return;
  case MeetingKind::shuffle:
    return shuffle(meeting, slots, active);
  case MeetingKind::ballot:
    return ballot(meeting, slots, active);
  case MeetingKind::match_any:
  case MeetingKind::match_all:
    return match(meeting, slots, active);
  default:
    return reduce(meeting, slots, active);
  }
}

uint32_t members(const Meeting &meeting, const uint8_t *slots, uint32_t lane) {
  return array<uint32_t>(const_cast<uint8_t *>(slots), meeting.mask)[lane];
}

} // namespace gpuexec::cuda::host
