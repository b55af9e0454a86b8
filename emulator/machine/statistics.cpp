//===-- emulator/machine/statistics.cpp - What is counted -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/statistics.h"

#include <type_traits>

namespace gpuexec::emulator {

const char *name_of(InstructionClass kind) {
  switch (kind) {
  case InstructionClass::scalar_alu:
    return "scalar_alu";
  case InstructionClass::vector_alu:
    return "vector_alu";
  case InstructionClass::scalar_memory:
    return "scalar_memory";
  case InstructionClass::global_memory:
    return "global_memory";
  case InstructionClass::lds:
    return "lds";
  case InstructionClass::scratch:
    return "scratch";
  case InstructionClass::atomic:
    return "atomic";
  case InstructionClass::branch:
    return "branch";
  case InstructionClass::barrier:
    return "barrier";
  case InstructionClass::other:
    return "other";
  }
  return "other";
}

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
