//===-- emulator/amdgpu/ops/tests/call.h - Calls by mnemonic ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of valu.def and salu.def behind one signature on raw bits, so
// that tests can be driven by tables and by mnemonics. The functions are called
// as the interpreter calls them: operands as types.h describes them.
//===----------------------------------------------------------------------===//

#ifndef GPUEXEC_EMULATOR_AMDGPU_OPS_TESTS_CALL_H
#define GPUEXEC_EMULATOR_AMDGPU_OPS_TESTS_CALL_H

#include "emulator/amdgpu/ops/salu.h"
#include "emulator/amdgpu/ops/valu.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec::emulator::ops::tests {

struct Result {
  uint64_t value = 0;
  std::optional<bool> bit; // lane mask bit or scc, where the function has one
};

/// A function: how many operands it takes besides the mode, and how to call it.
struct Function {
  unsigned operands = 0;
  Result (*call)(const FloatMode &mode, const uint64_t *operands) = nullptr;
};

/// By mnemonic; the integer clamp variant of x is called "x_sat".
const std::map<std::string, Function> &functions();

/// The unit's own names in valu.def and salu.def, without the _sat variants.
const std::vector<std::string> &mnemonics();

} // namespace gpuexec::emulator::ops::tests

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_TESTS_CALL_H
