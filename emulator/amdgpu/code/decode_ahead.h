//===-- emulator/amdgpu/code/decode_ahead.h - Decodes before a fork -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM takes about half a microsecond for an instruction, a third of the time
// of a short program. A process that is forked for each of many runs of one
// program decodes its instructions once, before.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_CODE_DECODE_AHEAD_H
#define GPUEXEC_EMULATOR_AMDGPU_CODE_DECODE_AHEAD_H

#include "emulator/amdgpu/decode/disassembler.h"

namespace gpuexec::emulator::amdgpu {

/// Decodes instructions that lie one behind the other, and keeps them for the
/// next take_disassembler() with this processor and wave size. Code that is not
/// run costs memory: of all calls together the first MOST_AHEAD bytes are
/// decoded.
void decode_ahead(llvm::StringRef cpu, bool wave32,
                  llvm::ArrayRef<uint8_t> code);
inline constexpr size_t MOST_AHEAD = 1u << 20;

/// Puts a disassembler back to where take_disassembler() has found it. To free
/// it would cost a forked process more than it saves.
struct GiveBack {
  std::unique_ptr<Disassembler> *place = nullptr; ///< null: it is freed
  void operator()(Disassembler *disassembler) const;
};
using TakenDisassembler = std::unique_ptr<Disassembler, GiveBack>;

/// As Disassembler::create(). The first caller after decode_ahead() gets what
/// that has decoded, for as long as it keeps the disassembler.
llvm::Expected<TakenDisassembler> take_disassembler(llvm::StringRef cpu,
                                                    bool wave32);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_CODE_DECODE_AHEAD_H
