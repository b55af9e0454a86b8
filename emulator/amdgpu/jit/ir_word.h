//===-- emulator/amdgpu/jit/ir_word.h - 32 bits as LLVM IR ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An i32 with operators, so that rules that are written once for all tiers
// (decode/register_parts.h, access/) emit IR as well.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_IR_WORD_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_IR_WORD_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

#include <cstdint>

namespace gpuexec::emulator::amdgpu::jit {

/// If `word` is (zext v) << bits, with v in the upper bits up to bit 31:
/// returns v. Null otherwise.
inline llvm::Value *moved_to_top(llvm::Value *word, unsigned bits) {
  using namespace llvm::PatternMatch;
  llvm::Value *narrow;
  return match(word, m_Shl(m_ZExt(m_Value(narrow)), m_SpecificInt(bits))) &&
                 narrow->getType()->getIntegerBitWidth() + bits == 32
             ? narrow
             : nullptr;
}

struct IrWord {
  llvm::IRBuilderBase *ir;
  llvm::Value *value;

  IrWord operator<<(unsigned bits) const {
    return bits ? IrWord{ir, ir->CreateShl(value, bits)} : *this;
  }
  IrWord operator>>(unsigned bits) const {
    if (llvm::Value *narrow = moved_to_top(value, bits))
      return {ir, ir->CreateZExt(narrow, value->getType())};
    return bits ? IrWord{ir, ir->CreateLShr(value, bits)} : *this;
  }
  IrWord operator>>(IrWord bits) const {
    return {ir, ir->CreateLShr(value, bits.value)};
  }
  IrWord operator&(uint32_t mask) const {
    return {ir, ir->CreateAnd(value, mask)};
  }
  IrWord operator^(uint32_t bits) const {
    return bits ? IrWord{ir, ir->CreateXor(value, bits)} : *this;
  }
  IrWord operator|(IrWord other) const {
    return {ir, ir->CreateOr(value, other.value)};
  }
  IrWord operator+(IrWord other) const {
    return {ir, ir->CreateAdd(value, other.value)};
  }
};
inline IrWord shift_right_signed(IrWord x, unsigned bits) {
  if (llvm::Value *narrow = moved_to_top(x.value, bits))
    return {x.ir, x.ir->CreateSExt(narrow, x.value->getType())};
  return bits ? IrWord{x.ir, x.ir->CreateAShr(x.value, bits)} : x;
}

/// An i64 with operators, like IrWord.
struct IrLong {
  llvm::IRBuilderBase *ir;
  llvm::Value *value;

  IrLong operator&(uint64_t mask) const {
    return {ir, ir->CreateAnd(value, mask)};
  }
  IrLong operator+(IrLong other) const {
    return {ir, ir->CreateAdd(value, other.value)};
  }
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_IR_WORD_H
