//===-- emulator/amdgpu/tests/matrix_test.cpp - v_mfma_*, v_smfmac_* ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each matrix instruction of the table, with small whole numbers, of which all
// sums are exact: against sums of products, with the elements where AMD's
// tables of register layouts have them.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/interpret/matrix.h"
#include "emulator/amdgpu/ops/valu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

namespace gpuexec::emulator::amdgpu {
namespace {

constexpr unsigned A = 0, B = 16, C = 32, D = 64; // registers

u64 bits_of_number(MatrixElement type, int value) {
  const u32 single = ops::bits_of(float(value));
  switch (type) {
  case MatrixElement::f64:
    return ops::bits_of(double(value));
  case MatrixElement::f32:
  case MatrixElement::xf32:
    return single;
  case MatrixElement::f16:
    return ops::narrow_to_half(float(value)).bits;
  case MatrixElement::bf16:
    return single >> 16;
  case MatrixElement::fp8:
    return ops::v_cvt_pk_fp8_f32(float(value), 0) & 0xff;
  case MatrixElement::bf8:
    return ops::v_cvt_pk_bf8_f32(float(value), 0) & 0xff;
  default:
    return u8(value);
  }
}
MatrixElement result_type(const MatrixShape &shape) {
  return shape.a == MatrixElement::f64 ? MatrixElement::f64
                                       : MatrixElement::f32;
}
u64 bits_of_result(const MatrixShape &shape, int value) {
  return shape.a == MatrixElement::i8
             ? u32(value)
             : bits_of_number(result_type(shape), value);
}

struct Place {
  unsigned item, lane;
};
/// A[i][k] or B[k][i]: blocks first, then parts of k, in groups of m lanes.
Place input_place(const MatrixShape &shape, unsigned b, unsigned i,
                  unsigned k) {
  const unsigned each = shape.elements_of_b();
  return {k % each, i + shape.m * (b + shape.blocks * (k / each))};
}
/// D[i][j]. Of 32 bits: four rows go to the next group of m lanes, and when all
/// groups have some, to the next four registers. Of f64: row by row.
Place result_place(const MatrixShape &shape, unsigned b, unsigned i,
                   unsigned j) {
  const unsigned groups = LANES / shape.m;
  if (shape.a == MatrixElement::f64)
    return shape.blocks == 1 ? Place{i / 4, j + 16 * (i % 4)}
                             : Place{0, j + 4 * i + 16 * b};
  const unsigned four = i / 4 + shape.m / 4 * b;
  return {4 * (four / groups) + i % 4, j + shape.m * (four % groups)};
}

class Matrix : public testing::Test {
protected:
  void put(unsigned reg, unsigned width, Place at, u64 bits) {
    for (unsigned w = 0; w < (width + 31) / 32; ++w) {
      const unsigned bit = at.item * width + 32 * w;
      u32 &word = state->v[reg + bit / 32][at.lane];
      const u32 mask = width < 32 ? ((1u << width) - 1) << bit % 32 : ~0u;
      word = (word & ~mask) | (u32(bits >> (32 * w)) << bit % 32 & mask);
    }
  }
  u64 get(unsigned reg, unsigned width, Place at) {
    const unsigned word = at.item * width / 32;
    return state->v[reg + word][at.lane] |
           (width == 64 ? u64(state->v[reg + word + 1][at.lane]) << 32 : 0);
  }
  static int a(unsigned b, unsigned i, unsigned k) {
    return int((b * 5 + i * 3 + k * 7) % 15) - 7;
  }
  static int b(unsigned b, unsigned j, unsigned k) {
    return int((b * 7 + j * 5 + k * 3) % 13) - 6;
  }
  static int c(unsigned b, unsigned i, unsigned j) {
    return int(b + i * 9 + j) % 50 - 20;
  }
  void fill(const MatrixShape &s) {
    for (unsigned m = 0; m < s.blocks; ++m)
      for (unsigned i = 0; i < s.m; ++i) {
        for (unsigned k = 0; k < s.k; ++k) {
          put(A, bits_of(s.a), input_place(s, m, i, k),
              bits_of_number(s.a, a(m, i, k)));
          put(B, bits_of(s.b), input_place(s, m, i, k),
              bits_of_number(s.b, b(m, i, k)));
        }
        for (unsigned j = 0; j < s.m; ++j)
          put(C, width(s), result_place(s, m, i, j),
              bits_of_result(s, c(m, i, j)));
      }
  }
  static unsigned width(const MatrixShape &s) {
    return s.a == MatrixElement::f64 ? 64 : 32;
  }
  Inst inst(const Operation &op) {
    Inst i;
    i.operation = op.id;
    i.src[0] = vector_operand(A);
    i.src[1] = vector_operand(B);
    i.src[2] = vector_operand(C);
    i.dst = vector_operand(D);
    return i;
  }
  /// `sum`: D[i][j] of block m.
  template <typename F>
  void check(const Operation &op, const Inst &i, F sum, unsigned d = D) {
    fill(op.matrix);
    multiply_matrices(*state, &i);
    for (unsigned m = 0; m < op.matrix.blocks; ++m)
      for (unsigned y = 0; y < op.matrix.m; ++y)
        for (unsigned x = 0; x < op.matrix.m; ++x)
          ASSERT_EQ(get(d, width(op.matrix), result_place(op.matrix, m, y, x)),
                    bits_of_result(op.matrix, sum(m, y, x)))
              << op.name << ": block " << m << ", row " << y << ", column "
              << x;
  }
  static int product(const MatrixShape &s, unsigned from, unsigned m,
                     unsigned y, unsigned x) {
    int sum = 0;
    for (unsigned k = 0; k < s.k; ++k)
      sum += a(from, y, k) * b(m, x, k);
    return sum;
  }
  std::unique_ptr<State> state = [] {
    auto made = std::make_unique<State>();
    fill_constants(*made);
    return made;
  }();
};

TEST_F(Matrix, EveryInstructionMultiplies) {
  unsigned count = 0;
  for (unsigned k = 1; k < OPERATIONS; ++k) {
    const Operation &op = operation(OperationId(k));
    const MatrixShape &s = op.matrix;
    if (!s.m || s.sparse)
      continue;
    ++count;
    // Every lane has the same number of elements, and all are used.
    EXPECT_EQ(s.m * s.k * s.blocks % LANES, 0u) << op.name;
    auto sum = [&](unsigned m, unsigned y, unsigned x) {
      return product(s, m, m, y, x) + c(m, y, x);
    };
    check(op, inst(op), sum);
    // D may be C, or a constant may be C.
    Inst in_place = inst(op);
    in_place.dst = in_place.src[2];
    check(op, in_place, sum, C);
    Inst constant = inst(op);
    constant.src[2] = constant_operand(bits_of_result(s, 2));
    ASSERT_NE(constant.src[2], LITERAL) << op.name;
    check(op, constant, [&](unsigned m, unsigned y, unsigned x) {
      return product(s, m, m, y, x) + 2;
    });
  }
  EXPECT_EQ(count, 39u);
}

/// The columns of the two elements that row i of a sparse A has in a group of
/// four.
std::pair<unsigned, unsigned> columns(unsigned i, unsigned group) {
  constexpr std::pair<unsigned, unsigned> all[] = {{0, 1}, {0, 2}, {0, 3},
                                                   {1, 2}, {1, 3}, {2, 3}};
  return all[(i * 5 + group * 7) % 6];
}

TEST_F(Matrix, SparseInstructionsTakeTheIndexedElements) {
  unsigned count = 0;
  for (unsigned n = 1; n < OPERATIONS; ++n) {
    const Operation &op = operation(OperationId(n));
    const MatrixShape &s = op.matrix;
    if (!s.sparse)
      continue;
    ++count;
    const unsigned each = s.elements_of_a(), width = bits_of(s.a);
    for (unsigned set = 0; set < 16 / each; ++set) {
      // Of B everything, of A two in four, C where D will be.
      fill(s);
      for (unsigned i = 0; i < s.m; ++i) {
        for (unsigned part = 0; part < LANES / s.m; ++part)
          state->v[C][i + s.m * part] = 0x1b2d8e74; // the other sets
        for (unsigned group = 0; group < s.k / 4u; ++group)
          for (unsigned which = 0; which < 2; ++which) {
            const auto [first, second] = columns(i, group);
            const unsigned column = which ? second : first,
                           at = 2 * group + which, lane = i + s.m * (at / each),
                           bit = 2 * (set * each + at % each);
            put(A, width, {at % each, lane},
                bits_of_number(s.a, a(0, i, 4 * group + column)));
            u32 &indices = state->v[C][lane];
            indices = (indices & ~(3u << bit)) | column << bit;
          }
        for (unsigned j = 0; j < s.m; ++j)
          put(D, 32, result_place(s, 0, i, j), bits_of_result(s, c(0, i, j)));
      }
      Inst inst;
      inst.operation = op.id;
      inst.src[0] = vector_operand(A);
      inst.src[1] = vector_operand(B);
      inst.src[2] = vector_operand(C);
      inst.dst = vector_operand(D);
      inst.imm = set * 2 * each;
      multiply_matrices(*state, &inst);
      for (unsigned i = 0; i < s.m; ++i)
        for (unsigned j = 0; j < s.m; ++j) {
          int sum = c(0, i, j);
          for (unsigned group = 0; group < s.k / 4u; ++group) {
            const auto [first, second] = columns(i, group);
            for (unsigned k : {4 * group + first, 4 * group + second})
              sum += a(0, i, k) * b(0, j, k);
          }
          ASSERT_EQ(get(D, 32, result_place(s, 0, i, j)),
                    bits_of_result(s, sum))
              << op.name << ": set " << set << ", row " << i << ", column "
              << j;
        }
    }
  }
  EXPECT_EQ(count, 14u);
}

TEST_F(Matrix, WhatHasNoPartnerIsNotMultiplied) {
  const Operation &op = operation(OperationId::v_smfmac_f32_16x16x32_f16);
  Inst i = inst(op);
  std::fill_n(&state->v[A][0], 2 * LANES, 0x3c003c00u); // 1
  std::fill_n(&state->v[B][0], 4 * LANES, 0x7c003c00u); // 1, infinity
  std::fill_n(&state->v[C][0], LANES, 0x88888888u);     // columns 0 and 2
  std::fill_n(&state->v[D][0], 4 * LANES, ops::bits_of(3.0f));
  multiply_matrices(*state, &i);
  EXPECT_EQ(state->v[D][0], ops::bits_of(19.0f));
}

TEST_F(Matrix, Xf32HasTenBitsOfFraction) {
  const Operation &op = operation(OperationId::v_mfma_f32_16x16x8xf32);
  Inst i = inst(op);
  std::fill_n(&state->v[C][0], 4 * LANES, 0u);
  std::fill_n(&state->v[A][0], 2 * LANES, 0x3f803fffu); // 1 + 2^-10 and more
  std::fill_n(&state->v[B][0], 2 * LANES, 0xbf801fffu); // -1 and less
  multiply_matrices(*state, &i);
  EXPECT_EQ(state->v[D][0], ops::bits_of(-8.0f - 0x1p-7f));
  std::fill_n(&state->v[A][0], 2 * LANES, 0x7f800001u); // a NaN
  multiply_matrices(*state, &i);
  EXPECT_TRUE(std::isnan(ops::f32(state->v[D][0])));
}

TEST_F(Matrix, BlocksOfAAreShared) {
  const Operation &op = operation(OperationId::v_mfma_f32_4x4x1f32);
  Inst i = inst(op);
  i.imm = 2 | 3 << 8; // groups of four blocks use their fourth
  check(op, i, [&](unsigned m, unsigned y, unsigned x) {
    return product(op.matrix, m / 4 * 4 + 3, m, y, x) + c(m, y, x);
  });
}

TEST_F(Matrix, LanesOfBAreMoved) {
  const Operation &op = operation(OperationId::v_mfma_f32_16x16x1f32);
  // Each block's B is 16 lanes.
  const unsigned from[8][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3},
                               {1, 2, 3, 0}, {0, 0, 0, 0}, {1, 1, 1, 1},
                               {2, 2, 2, 2}, {3, 3, 3, 3}};
  for (unsigned blgp = 0; blgp < 8; ++blgp) {
    Inst i = inst(op);
    i.imm = blgp << 16;
    check(op, i, [&](unsigned m, unsigned y, unsigned x) {
      return a(m, y, 0) * b(from[blgp][m], x, 0) + c(m, y, x);
    });
  }
}

TEST_F(Matrix, DoublesAreNegated) {
  const Operation &op = operation(OperationId::v_mfma_f64_16x16x4f64);
  for (unsigned neg = 0; neg < 8; ++neg) {
    Inst i = inst(op);
    i.imm = neg << 16;
    check(op, i, [&](unsigned m, unsigned y, unsigned x) {
      const int sign = (neg & 1) ^ (neg >> 1 & 1) ? -1 : 1;
      // -0 is not in the sums that are compared as bits: c is added last.
      return sign * product(op.matrix, m, m, y, x) +
             (neg & 4 ? -1 : 1) * c(m, y, x);
    });
  }
}

TEST_F(Matrix, IntegersWrap) {
  const Operation &op = operation(OperationId::v_mfma_i32_16x16x16i8);
  Inst i = inst(op);
  std::fill_n(&state->v[C][0], 4 * LANES, 0x7fffffffu);
  std::fill_n(&state->v[A][0], LANES, 0x80808080u);
  std::fill_n(&state->v[B][0], LANES, 0x80808080u);
  multiply_matrices(*state, &i);
  EXPECT_EQ(state->v[D][0], 0x7fffffffu + 16 * 128 * 128);
}

TEST_F(Matrix, DenormalsOfHalvesAreKeptOrFlushed) {
  const Operation &op = operation(OperationId::v_mfma_f32_16x16x16f16);
  for (bool flush : {false, true}) {
    Inst i = inst(op);
    i.imm = flush ? MATRIX_FLUSHES : 0;
    std::fill_n(&state->v[C][0], 4 * LANES, 0u);
    std::fill_n(&state->v[A][0], 2 * LANES, 0x00010001u); // 2^-24
    std::fill_n(&state->v[B][0], 2 * LANES, 0x3c003c00u); // 1
    multiply_matrices(*state, &i);
    EXPECT_EQ(state->v[D][0], flush ? 0u : ops::bits_of(0x1p-20f));
  }
}

} // namespace
} // namespace gpuexec::emulator::amdgpu
