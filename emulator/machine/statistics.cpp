//===-- emulator/machine/statistics.cpp - What is counted -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/statistics.h"

#include <type_traits>

namespace gpuexec::emulator {

// Every member is a uint64_t, so that sums need not name them one by one.
static_assert(std::is_trivially_copyable_v<Counters> &&
              sizeof(Counters) % sizeof(uint64_t) == 0);

Counters &Counters::operator+=(const Counters &other) {
  auto *to = reinterpret_cast<uint64_t *>(this);
  auto *from = reinterpret_cast<const uint64_t *>(&other);
  for (size_t i = 0; i < sizeof(Counters) / sizeof(uint64_t); ++i)
    to[i] += from[i];
  return *this;
}

Counters &Counters::operator-=(const Counters &other) {
  auto *to = reinterpret_cast<uint64_t *>(this);
  auto *from = reinterpret_cast<const uint64_t *>(&other);
  for (size_t i = 0; i < sizeof(Counters) / sizeof(uint64_t); ++i)
    to[i] -= from[i];
  return *this;
}

} // namespace gpuexec::emulator
