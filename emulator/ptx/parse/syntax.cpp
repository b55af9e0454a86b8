//===-- emulator/ptx/parse/syntax.cpp - See syntax.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/parse/syntax.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuexec::ptx {

unsigned bits_of(Type type) {
  switch (type) {
#define PTX_TYPE(NAME, BITS)                                                   \
  case Type::NAME:                                                             \
    return BITS;
#include "emulator/ptx/parse/types.def"
  case Type::none:
    break;
  }
  return 0;
}

StringRef name_of(Type type) {
  switch (type) {
#define PTX_TYPE(NAME, BITS)                                                   \
  case Type::NAME:                                                             \
    return #NAME;
#include "emulator/ptx/parse/types.def"
  case Type::none:
    break;
  }
  return "none";
}

bool is_signed(Type type) {
  return is_contained({Type::s8, Type::s16, Type::s32, Type::s64}, type);
}

bool is_floating(Type type) {
  return is_contained({Type::f16, Type::f16x2, Type::bf16, Type::bf16x2,
                       Type::tf32, Type::f32, Type::f32x2, Type::f64},
                      type);
}

std::optional<Type> type_named(StringRef name) {
  return StringSwitch<std::optional<Type>>(name)
#define PTX_TYPE(NAME, BITS) .Case(#NAME, Type::NAME)
#include "emulator/ptx/parse/types.def"
      .Default(std::nullopt);
}

std::optional<Space> space_named(StringRef name) {
  return StringSwitch<std::optional<Space>>(name)
      .Case("reg", Space::reg)
      .Case("sreg", Space::sreg)
      .Case("const", Space::constant)
      .Case("global", Space::global)
      .Case("local", Space::local)
      .StartsWith("param", Space::param)   // param::entry, param::func
      .StartsWith("shared", Space::shared) // shared::cta, shared::cluster
      .Default(std::nullopt);
}

bool Instruction::has(StringRef modifier) const {
  return is_contained(modifiers, modifier);
}

Type Instruction::type(unsigned n) const {
  for (StringRef modifier : modifiers)
    if (std::optional<Type> type = type_named(modifier); type && !n--)
      return *type;
  return Type::none;
}

std::optional<Space> Instruction::space() const {
  for (StringRef modifier : modifiers)
    if (std::optional<Space> space = space_named(modifier))
      return space;
  return std::nullopt;
}

uint64_t Variable::elements() const {
  uint64_t count = 1;
  for (uint64_t each : dimensions)
    count *= each;
  return count;
}

uint64_t Variable::bytes() const {
  return elements() * vector * ((bits_of(type) + 7) / 8);
}

uint32_t Variable::alignment_in_bytes() const {
  return alignment ? alignment : vector * ((bits_of(type) + 7) / 8);
}

} // namespace gpuexec::ptx
