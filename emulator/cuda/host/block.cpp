//===-- emulator/cuda/host/block.cpp - See block.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/host/block.h"
#include "emulator/cuda/host/meetings.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace gpuexec::cuda::host {

using namespace ptx::host;

namespace {

constexpr size_t CACHE_LINE = 64;

size_t aligned(size_t bytes, size_t to = CACHE_LINE) {
  return (bytes + to - 1) / to * to;
}

} // namespace

Scratch::~Scratch() { std::free(memory); }

uint8_t *Scratch::get(size_t bytes) {
  if (bytes > size) {
    std::free(memory);
    size = aligned(bytes);
    memory = std::aligned_alloc(CACHE_LINE, size);
    if (!memory)
      size = 0;
  }
  return static_cast<uint8_t *>(memory);
}

SharedMemory::~SharedMemory() {
  if (memory)
    ::munmap(memory, size);
}

uint8_t *SharedMemory::get(size_t bytes) {
  const size_t page = size_t(::sysconf(_SC_PAGESIZE));
  const size_t wanted = aligned(std::max<size_t>(bytes, 1), page) + page;
  if (wanted > size) {
    if (memory)
      ::munmap(memory, size);
    size = 0;
    memory = ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (memory == MAP_FAILED)
      memory = nullptr;
    if (!memory)
      return nullptr;
    size = wanted;
    ::mprotect(static_cast<uint8_t *>(memory) + size - page, page, PROT_NONE);
  }
  return static_cast<uint8_t *>(memory) + size - page -
         aligned(bytes, 2 * CACHE_LINE);
}

bool Block::prepare(const Grid &grid) {
  kernel = grid.kernel;
  context = {};
  context.arguments = grid.arguments;
  context.variables = grid.variables;
  context.dynamic_shared = grid.dynamic_shared;
  context.shared_bytes = uint64_t(kernel->shared_bytes) + grid.dynamic_shared;
  std::copy_n(grid.threads.begin(), 3, context.threads);
  std::copy_n(grid.blocks.begin(), 3, context.blocks);
  const Meeting *meetings = kernel->meetings;
  counts = std::any_of(
      meetings, meetings + std::max(kernel->region_count, 1u) - 1,
      [](const Meeting &one) { return one.kind == MeetingKind::count; });
  const uint32_t threads = grid.threads[0] * grid.threads[1] * grid.threads[2];
  const uint32_t capacity = kernel->capacity;
  const size_t slots = aligned(size_t(kernel->slot_bytes) * capacity),
               frames = aligned(size_t(kernel->frame_bytes) * capacity),
               uniform = aligned(kernel->uniform_bytes),
               own = aligned(size_t(kernel->uniform_bytes) * capacity),
               next = aligned(sizeof(uint32_t) * capacity);
  groups.resize((threads + capacity - 1) / capacity);
  uint8_t *at =
      scratch.get(groups.size() * (slots + frames + uniform + own + next));
  if (!at || !(context.shared = shared.get(context.shared_bytes)))
    return false;
  const auto take = [&](size_t bytes) { return std::exchange(at, at + bytes); };
  uint32_t first = 0;
  for (Group &group : groups) {
    group.first = first;
    group.lanes = std::min(capacity, threads - first);
    group.slots = take(slots);
    group.frames = take(frames);
    group.uniform = take(uniform);
    group.own_uniform = take(own);
    group.next = reinterpret_cast<uint32_t *>(take(next));
    first += group.lanes;
  }
  return true;
}

void Block::select(const Group &group) {
  context.slots = group.slots;
  context.frames = group.frames;
  context.next = group.next;
  context.first = group.first;
}

bool Block::waits_for_block(uint32_t at) const {
  return at != 0 && at != ENDED && is_of_block(kernel->meetings[at - 1].kind);
}

void Block::run(uint32_t x, uint32_t y, uint32_t z) {
  context.block[0] = x;
  context.block[1] = y;
  context.block[2] = z;
  if (kernel->region_count == 1) {
    for (const Group &group : groups) {
      select(group);
      kernel->regions[0](&context, 0, group.lanes, group.uniform);
    }
    return;
  }
  for (Group &group : groups) {
    group.at = 0;
    group.is_scattered = false;
  }
  bool is_released = false;
  for (bool waits = true; waits; is_released = true) {
    waits = false;
    for (Group &group : groups) {
      select(group);
      advance(group, is_released);
    }
    for (const Group &group : groups)
      if (!group.is_scattered)
        waits |= group.at != ENDED;
      else
        waits |= std::any_of(group.next, group.next + group.lanes,
                             [](uint32_t at) { return at != ENDED; });
    if (waits && counts)
      count();
  }
}

/// Runs the group until its lanes have ended or wait for the block. If
/// `is_released`, those that have waited go on.
void Block::advance(Group &group, bool is_released) {
  if (!group.is_scattered)
    advance_together(group, is_released);
  else
    advance_lanes(group, is_released);
}

void Block::advance_together(Group &group, bool is_released) {
  while (group.at != ENDED) {
    if (waits_for_block(group.at)) {
      if (!std::exchange(is_released, false))
        return;
    } else if (group.at) {
      meet(kernel->meetings[group.at - 1], group.slots,
           uint32_t((uint64_t(1) << group.lanes) - 1));
    }
    const uint32_t at =
        kernel->regions[group.at](&context, 0, group.lanes, group.uniform);
    if (at == SCATTERED) {
      scatter(group);
      return advance_lanes(group, false);
    }
    group.at = at;
  }
}

/// Values that were equal in all lanes are now each lane's own.
void Block::scatter(Group &group) {
  group.is_scattered = true;
  for (uint32_t lane = 0; lane < group.lanes; ++lane)
    memcpy(group.own_uniform + size_t(lane) * kernel->uniform_bytes,
           group.uniform, kernel->uniform_bytes);
}

/// The meeting of a warp that is held next, and the lanes that are there: one
/// for which nobody is missing, if there is any. 0: no lane is at one.
uint32_t Block::choose(const Group &group, uint32_t &lanes) const {
  uint32_t there = 0, chosen = 0;
  for (uint32_t lane = 0; lane < group.lanes; ++lane)
    there |= uint32_t(group.next[lane] != ENDED) << lane;
  for (uint32_t lane = 0; lane < group.lanes; ++lane) {
    const uint32_t at = group.next[lane];
    if (at == ENDED || waits_for_block(at) || at == chosen)
      continue;
    uint32_t here = 0;
    for (uint32_t other = 0; other < group.lanes; ++other)
      here |= uint32_t(group.next[other] == at) << other;
    const Meeting &meeting = kernel->meetings[at - 1];
    const uint32_t missing =
        members(meeting, group.slots, lane) & there & ~here;
    if (chosen && missing)
      continue;
    chosen = at;
    lanes = here;
    if (!missing)
      break;
  }
  return chosen;
}

void Block::advance_lanes(Group &group, bool is_released) {
  const auto run_lane = [&](uint32_t lane) {
    uint32_t &at = group.next[lane];
    at = kernel->regions[at](&context, lane, lane + 1,
                             group.own_uniform +
                                 size_t(lane) * kernel->uniform_bytes);
  };
  if (is_released)
    for (uint32_t lane = 0; lane < group.lanes; ++lane)
      if (waits_for_block(group.next[lane]))
        run_lane(lane);
  if (kernel->capacity != WARP_LANES)
    return; // nobody asks anything of the warp
  uint32_t lanes = 0;
  while (const uint32_t at = choose(group, lanes)) {
    meet(kernel->meetings[at - 1], group.slots, lanes);
    for (uint32_t lane = 0; lane < group.lanes; ++lane)
      if (lanes >> lane & 1)
        run_lane(lane);
  }
}

/// The threads that wait where they are counted learn their number.
void Block::count() {
  const auto at_count = [&](const Group &group, uint32_t lane) {
    const uint32_t at = group.is_scattered ? group.next[lane] : group.at;
    const Meeting *meeting =
        at && at != ENDED ? &kernel->meetings[at - 1] : nullptr;
    return meeting && meeting->kind == MeetingKind::count ? meeting : nullptr;
  };
  const auto word = [&](const Group &group, uint32_t offset, uint32_t lane) {
    return reinterpret_cast<uint32_t *>(group.slots +
                                        size_t(offset) * kernel->capacity) +
           lane;
  };
  uint32_t sum = 0;
  for (bool writes : {false, true})
    for (const Group &group : groups)
      for (uint32_t lane = 0; lane < group.lanes; ++lane)
        if (const Meeting *meeting = at_count(group, lane)) {
          if (writes)
            *word(group, meeting->result, lane) = sum;
          else
            sum += *word(group, meeting->arguments[0], lane) != 0;
        }
}

} // namespace gpuexec::cuda::host
