//===-- emulator/amdgpu/interpret/find_routine.cpp - For a micro-op -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/interpret/level.h"
#include "emulator/amdgpu/interpret/routines.h"

#include <map>

namespace gpuexec::emulator::amdgpu {

Routine find_routine(const RoutineKey &key) {
  static const std::map<RoutineKey, Routine> known = [] {
    std::map<RoutineKey, Routine> all;
    const RoutineTable table = best_level().routines();
    for (const RoutineRow *row = table.rows; row != table.rows + table.count;
         ++row)
      if (row->routine)
        all.insert({row->key, row->routine});
    return all;
  }();
  auto found = known.find(key);
  return found == known.end() ? nullptr : found->second;
}

} // namespace gpuexec::emulator::amdgpu
