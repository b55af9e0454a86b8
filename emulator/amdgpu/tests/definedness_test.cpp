//===-- emulator/amdgpu/tests/definedness_test.cpp - Partly known values --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of bits.h against all that the undefined bits may be: no bit that
// differs may be called defined.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/decode/register_parts.h"
#include "emulator/amdgpu/definedness/bits.h"

#include "gtest/gtest.h"

#include <functional>
#include <vector>

namespace gpuexec::emulator::amdgpu::definedness {
namespace {

constexpr unsigned WIDTH = 4;

/// All values that the bits may stand for.
std::vector<u64> values_of(Bits b) {
  std::vector<u64> all;
  for (u64 pick = b.undef;; pick = (pick - 1) & b.undef) {
    all.push_back((b.value & ~b.undef) | pick);
    if (!pick)
      return all;
  }
}

using Rule = std::function<Bits(Bits, Bits)>;
using Function = std::function<u64(u64, u64)>;

/// For all operands of WIDTH bits: what is called defined is the same for all
/// values, and equals the rule's value. Returns how many undefined bits the
/// rule gives beyond those that differ.
u64 expect_sound(const char *name, Rule rule, Function f) {
  u64 excess = 0;
  for (u64 a = 0; a < 1 << WIDTH; ++a)
    for (u64 b = 0; b < 1 << WIDTH; ++b)
      for (u64 ua = 0; ua < 1 << WIDTH; ++ua)
        for (u64 ub = 0; ub < 1 << WIDTH; ++ub) {
          Bits result = rule({a, ua}, {b, ub});
          u64 expected = f(a, b), differs = 0;
          for (u64 x : values_of({a, ua}))
            for (u64 y : values_of({b, ub}))
              differs |= f(x, y) ^ expected;
          if ((differs & ~result.undef) ||
              ((result.value ^ expected) & ~result.undef)) {
            ADD_FAILURE() << name << ": a " << a << " undefined " << ua
                          << ", b " << b << " undefined " << ub << ": says "
                          << result.undef << ", differs in " << differs;
            return excess;
          }
          excess += u64(std::popcount(result.undef & ~differs));
        }
  return excess;
}

constexpr u64 M = (1 << WIDTH) - 1;
i64 as_signed(u64 x) { return i64(x << (64 - WIDTH)) >> (64 - WIDTH); }

TEST(Definedness, Logic) {
  EXPECT_EQ(expect_sound(
                "and", [](Bits a, Bits b) { return a & b; },
                [](u64 a, u64 b) { return a & b; }),
            0u);
  EXPECT_EQ(expect_sound(
                "or", [](Bits a, Bits b) { return a | b; },
                [](u64 a, u64 b) { return a | b; }),
            0u);
  EXPECT_EQ(expect_sound(
                "xor", [](Bits a, Bits b) { return a ^ b; },
                [](u64 a, u64 b) { return a ^ b; }),
            0u);
}

TEST(Definedness, Sums) {
  expect_sound(
      "sum", [](Bits a, Bits b) { return sum(a, b, WIDTH).bits; },
      [](u64 a, u64 b) { return (a + b) & M; });
  expect_sound(
      "carry", [](Bits a, Bits b) { return sum(a, b, WIDTH).carry; },
      [](u64 a, u64 b) { return (a + b) >> WIDTH; });
  expect_sound(
      "difference", [](Bits a, Bits b) { return difference(a, b, WIDTH).bits; },
      [](u64 a, u64 b) { return (a - b) & M; });
  expect_sound(
      "borrow", [](Bits a, Bits b) { return difference(a, b, WIDTH).carry; },
      [](u64 a, u64 b) { return u64(a < b); });
}

TEST(Definedness, Products) {
  expect_sound(
      "product", [](Bits a, Bits b) { return product(a, b, WIDTH); },
      [](u64 a, u64 b) { return a * b & M; });
}

TEST(Definedness, Shifts) {
  auto by = [](u64 b) { return b & (WIDTH - 1); };
  expect_sound(
      "left", [](Bits a, Bits b) { return shift_left(a, b, WIDTH); },
      [&](u64 a, u64 b) { return a << by(b) & M; });
  expect_sound(
      "right", [](Bits a, Bits b) { return shift_right(a, b, WIDTH); },
      [&](u64 a, u64 b) { return a >> by(b); });
  expect_sound(
      "signed", [](Bits a, Bits b) { return shift_right_signed(a, b, WIDTH); },
      [&](u64 a, u64 b) { return u64(as_signed(a) >> by(b)) & M; });
}

TEST(Definedness, LeastAndMost) {
  expect_sound(
      "least", [](Bits a, Bits b) { return least(a, b, WIDTH, false); },
      [](u64 a, u64 b) { return a < b ? a : b; });
  expect_sound(
      "most", [](Bits a, Bits b) { return most(a, b, WIDTH, false); },
      [](u64 a, u64 b) { return a > b ? a : b; });
  expect_sound(
      "signed least", [](Bits a, Bits b) { return least(a, b, WIDTH, true); },
      [](u64 a, u64 b) { return as_signed(a) < as_signed(b) ? a : b; });
  expect_sound(
      "signed most", [](Bits a, Bits b) { return most(a, b, WIDTH, true); },
      [](u64 a, u64 b) { return as_signed(a) > as_signed(b) ? a : b; });
}

TEST(Definedness, ComparisonsAreExact) {
  const struct {
    Compare how;
    const char *name;
    bool (*f)(i64, i64);
  } all[] = {
      {Compare::lt, "lt", [](i64 a, i64 b) { return a < b; }},
      {Compare::eq, "eq", [](i64 a, i64 b) { return a == b; }},
      {Compare::le, "le", [](i64 a, i64 b) { return a <= b; }},
      {Compare::gt, "gt", [](i64 a, i64 b) { return a > b; }},
      {Compare::ne, "ne", [](i64 a, i64 b) { return a != b; }},
      {Compare::ge, "ge", [](i64 a, i64 b) { return a >= b; }},
  };
  for (auto [how, name, f] : all)
    for (bool is_signed : {false, true}) {
      auto function = [&](u64 a, u64 b) -> u64 {
        return is_signed ? f(as_signed(a), as_signed(b)) : f(i64(a), i64(b));
      };
      auto rule = [&](Bits a, Bits b) -> Bits {
        return {function(a.value, b.value),
                u64(undecided(how, a, b, WIDTH, is_signed))};
      };
      EXPECT_EQ(expect_sound(name, rule, function), 0u) << name << is_signed;
    }
}

TEST(Definedness, Counts) {
  expect_sound(
      "lowest one", [](Bits a, Bits) { return lowest_one(a, WIDTH, ones(32)); },
      [](u64 a, u64) { return a ? u64(std::countr_zero(a)) : ones(32); });
  expect_sound(
      "ones", [](Bits a, Bits) { return count_ones(a); },
      [](u64 a, u64) { return u64(std::popcount(a)); });
  EXPECT_EQ(expect_sound(
                "zero",
                [](Bits a, Bits) -> Bits {
                  return {a.value == 0, maybe_zero(a)};
                },
                [](u64 a, u64) { return u64(a == 0); }),
            0u);
}

/// A bit of the result is undefined just if an undefined bit of `x` moves it.
template <typename Part>
void expect_exact(const char *name, Part part, u32 value, u32 undef) {
  u32 moved = 0;
  for (u32 rest = undef; rest; rest &= rest - 1)
    moved |= part(value) ^ part(value ^ (rest & -rest));
  EXPECT_EQ(part(UndefBits{undef}).bits, moved)
      << name << " of " << value << ", undefined " << undef;
}

TEST(Definedness, PartsOfRegistersAreExact) {
  const u32 values[] = {0, ~0u, 0x9e3779b9, 0x85ebca6b},
            masks[] = {0, ~0u, 0x80, 0x8000, 0x80000000, 0x00ff0ff0};
  for (u32 value : values)
    for (u32 undef : masks) {
      for (unsigned selector = 0; selector <= SDWA_DWORD; ++selector) {
        const auto part = RegisterPart::selected_by(selector);
        for (bool is_signed : {false, true})
          expect_exact(
              "sdwa",
              [=](auto x) {
                return Sdwa{part, is_signed}.read(x);
              },
              value, undef);
        for (unsigned unused :
             {SdwaMerge::pad, SdwaMerge::sign, SdwaMerge::preserve})
          expect_exact(
              "sdwa_merge",
              [=](auto x) {
                return SdwaMerge{part, unused}.written(x, x >> 3);
              },
              value, undef);
      }
      for (bool yes : {false, true}) {
        expect_exact(
            "modify",
            [=](auto x) {
              return SignChange{true, yes}.applied(x);
            },
            value, undef);
        expect_exact(
            "insert_half",
            [=](auto x) { return HalfInsertion{yes}.written(x, x >> 5); },
            value, undef);
      }
    }
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::definedness
