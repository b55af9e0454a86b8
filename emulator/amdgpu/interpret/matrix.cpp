//===-- emulator/amdgpu/interpret/matrix.cpp - Matrix instructions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// D = A * B + C. Where the elements are: AMD's CDNA3 ISA guide, "Matrix
// arithmetic instructions" (the formulas there hold for CDNA2 too). EXEC is
// ignored: all lanes take part.
//
// What the guides leave open, and what is done here:
//  - f32 and f64: one fused multiply-add for each k, in ascending order, that
//    begins with C. Denormals are kept; rounding is to nearest whatever MODE
//    says.
//  - xf32: the lower 13 bits of the inputs are ignored, as AMD's libraries
//    (Tensile, rocWMMA) convert floats to it. NaNs stay NaNs.
//  - xf32, f16, bf16, fp8, bf8: the products are exact; they and C are summed
//    in double, in ascending order of k, and the sum is rounded once to f32. On
//    gfx90a denormals of A, B and D become zero, as AMD's documentation of the
//    MI200 says for its f16 and bf16 instructions; those of C as well.
//  - i8: sums wrap.
//  - Sparse: a lane has some elements of A, and twice as many columns.
//    Element e is in column 4 * (e / 2) + index of these; its index is in bits
//    2e + 1 : 2e. AMD's tests place elements this way for 16-bit instructions;
//    8-bit ones are assumed to do the same. Elements of B without a partner in
//    A do not count.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/interpret/matrix.h"

#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/ops/valu.h"

#include <cmath>
#include <type_traits>

namespace gpuexec::emulator::amdgpu {
namespace {

struct Modifiers {
  unsigned cbsz, abid, blgp;
  bool flush;
  explicit Modifiers(const Inst &i)
      : cbsz(i.imm & 7), abid(i.imm >> 8 & 15), blgp(i.imm >> 16 & 7),
        flush(i.imm & MATRIX_FLUSHES) {}
};

const u32 *row(const State &s, Operand o, unsigned more) {
  return reinterpret_cast<const u32 *>(reinterpret_cast<const char *>(&s) +
                                       (o & ~ROW)) +
         more * LANES;
}

float flushed(float v, bool flush) {
  return flush && std::fabs(v) < 0x1p-126f ? std::copysign(0.0f, v) : v;
}

/// Element `e` of a lane's registers.
template <typename T>
T element(const State &s, Operand o, MatrixElement type, unsigned lane,
          unsigned e, bool flush) {
  auto bits = [&](unsigned width) {
    const unsigned at = e * width;
    return row(s, o, at / 32)[lane] >> (at % 32);
  };
  switch (type) {
  case MatrixElement::f32:
    return T(ops::f32(bits(32)));
  case MatrixElement::xf32: {
    const float single = ops::f32(bits(32));
    return T(single != single ? single : ops::f32(bits(32) & 0xffffe000));
  }
  case MatrixElement::f16: {
    const u32 half = bits(16) & 0xffff;
    return T(flush && !(half & 0x7c00) ? 0.0f : ops::widen(ops::f16(half)));
  }
  case MatrixElement::bf16:
    return T(flushed(ops::f32(bits(16) << 16), flush));
  case MatrixElement::i8:
    return T(i8(bits(8)));
  case MatrixElement::fp8:
    return T(ops::v_cvt_f32_fp8(u8(bits(8))));
  case MatrixElement::bf8:
    return T(ops::v_cvt_f32_bf8(u8(bits(8))));
  case MatrixElement::f64:
    return T(ops::f64(row(s, o, 2 * e)[lane] | u64(row(s, o, 2 * e + 1)[lane])
                                                   << 32));
  case MatrixElement::none:
    break;
  }
  return T(0);
}

/// The number of the block of A that `block` uses: groups of 2^cbsz blocks
/// share one, which abid names.
unsigned block_of_a(unsigned block, const Modifiers &m, unsigned blocks) {
  const unsigned group = 1u << m.cbsz;
  return ((block & ~(group - 1)) + (m.abid & (group - 1))) & (blocks - 1);
}

/// The number of the lane whose values of B `lane` uses.
unsigned lane_of_b(unsigned lane, unsigned blgp) {
  switch (blgp) {
  case 0:
    return lane;
  case 1: // the lower half for both
    return lane & 31;
  case 2:
    return lane | 32;
  case 3: // rotated by 16
    return (lane + 16) & 63;
  default: // one quarter for all
    return (blgp - 4) * 16 + (lane & 15);
  }
}

/// The elements of A or B: [block][row of A or column of B][k]. A sparse A has
/// only those that are in registers.
template <typename T> struct Input {
  T at[LANES * 16]; // at most 16 elements a lane
};
template <typename T>
void read_input(const State &s, Operand o, const MatrixShape &shape,
                MatrixElement type, unsigned each, bool flush, unsigned blgp,
                Input<T> &to) {
  const unsigned k = each * LANES / (shape.m * shape.blocks);
  for (unsigned lane = 0; lane < LANES; ++lane) {
    const unsigned group = lane / shape.m, i = lane % shape.m,
                   block = group % shape.blocks, part = group / shape.blocks;
    for (unsigned e = 0; e < each; ++e)
      to.at[(block * shape.m + i) * k + part * each + e] =
          element<T>(s, o, type, lane_of_b(lane, blgp), e, flush);
  }
}

float multiply(const float *a, const float *b, unsigned k, float c) {
  for (unsigned x = 0; x < k; ++x)
    c = std::fma(a[x], b[x], c);
  return c;
}
double multiply(const double *a, const double *b, unsigned k, double c) {
  for (unsigned x = 0; x < k; ++x)
    c = std::fma(a[x], b[x], c);
  return c;
}
u32 multiply(const i32 *a, const i32 *b, unsigned k, u32 c) {
  for (unsigned x = 0; x < k; ++x)
    c += u32(a[x] * b[x]);
  return c;
}
/// Narrow floats are multiplied and summed as doubles.
float multiply_narrow(const double *a, const double *b, unsigned k, float c) {
  double sum = double(c);
  for (unsigned x = 0; x < k; ++x)
    sum += a[x] * b[x];
  return float(sum);
}

/// Where D[i][j] of a block is: the lane, and which of the lane's values.
struct Place {
  unsigned item, lane;
};
Place place(const MatrixShape &shape, unsigned block, unsigned i, unsigned j) {
  const unsigned m = shape.m, n = shape.m,
                 rows = shape.a == MatrixElement::f64 ? 1 : 4,
                 lanes = n * m / rows, // of a block
      at_once = lanes >= LANES ? 1 : LANES / lanes,
                 parts = LANES / at_once / n, // groups of rows in lanes
      items = m / (rows * parts);             // and in items
  return {i % rows + rows * (i / (rows * parts) + items * (block / at_once)),
          j + n * (i / rows % parts + parts * (block % at_once))};
}

/// The values of C, which become those of D: at[item][lane] of their Place. R:
/// the type that they have in registers.
template <typename R> struct Results {
  static constexpr unsigned WORDS = sizeof(R) / 4;
  R at[32][LANES];
  unsigned count; // rows in use

  Results(const State &s, Operand from, const MatrixShape &shape)
      : count(shape.registers_of_result() / WORDS) {
    const bool is_row = from != LITERAL && from & ROW;
    for (unsigned item = 0; item < count; ++item)
      for (unsigned lane = 0; lane < LANES; ++lane) {
        u64 bits = 0;
        if (is_row)
          for (unsigned w = 0; w < WORDS; ++w)
            bits |= u64(row(s, from, item * WORDS + w)[lane]) << (32 * w);
        else
          __builtin_memcpy(&bits, reinterpret_cast<const char *>(&s) + from, 8);
        __builtin_memcpy(&at[item][lane], &bits, sizeof(R));
      }
  }
  void write(State &s, Operand to) const {
    for (unsigned item = 0; item < count; ++item)
      for (unsigned w = 0; w < WORDS; ++w) {
        u32 *words = const_cast<u32 *>(row(s, to, item * WORDS + w));
        for (unsigned lane = 0; lane < LANES; ++lane)
          __builtin_memcpy(
              words + lane,
              reinterpret_cast<const char *>(&at[item][lane]) + 4 * w, 4);
      }
  }
  R &of(const Place &place) { return at[place.item][place.lane]; }
};

template <typename R, typename T, typename F>
void dense(State &s, const Inst *i, F multiply) {
  const MatrixShape &shape = operation(*i).matrix;
  const Modifiers modifiers(*i);
  const bool negates = shape.a == MatrixElement::f64; // blgp is neg
  Input<T> a, b;
  read_input(s, i->src[0], shape, shape.a, shape.elements_of_a(),
             modifiers.flush, 0, a);
  read_input(s, i->src[1], shape, shape.b, shape.elements_of_b(),
             modifiers.flush, negates ? 0 : modifiers.blgp, b);
  if (negates)
    for (unsigned x = 0; x < LANES; ++x) {
      a.at[x] = modifiers.blgp & 1 ? -a.at[x] : a.at[x];
      b.at[x] = modifiers.blgp & 2 ? -b.at[x] : b.at[x];
    }
  Results<R> c(s, i->src[2], shape);
  for (unsigned block = 0; block < shape.blocks; ++block) {
    const unsigned from = block_of_a(block, modifiers, shape.blocks);
    for (unsigned y = 0; y < shape.m; ++y)
      for (unsigned x = 0; x < shape.m; ++x) {
        R &value = c.of(place(shape, block, y, x));
        if constexpr (std::is_same_v<R, float>)
          value = flushed(value, modifiers.flush);
        if (negates && modifiers.blgp & 4)
          value = -value;
        value =
            multiply(a.at + (from * shape.m + y) * shape.k,
                     b.at + (block * shape.m + x) * shape.k, shape.k, value);
        if constexpr (std::is_same_v<R, float>)
          value = flushed(value, modifiers.flush);
      }
  }
  c.write(s, i->dst);
}

template <typename R, typename T, typename F>
void sparse(State &s, const Inst *i, F multiply) {
  const MatrixShape &shape = operation(*i).matrix;
  const unsigned each = shape.elements_of_a(), present = shape.k / 2u;
  Input<T> a, b;
  read_input(s, i->src[0], shape, shape.a, each, false, 0, a);
  read_input(s, i->src[1], shape, shape.b, shape.elements_of_b(), false, 0, b);
  Results<R> c(s, i->dst, shape);
  for (unsigned y = 0; y < shape.m; ++y) {
    unsigned columns[32]; // of A, where a row's elements are
    for (unsigned e = 0; e < present; ++e) {
      const u32 indices = row(s, i->src[2], 0)[y + shape.m * (e / each)];
      columns[e] = e / 2 * 4 + (indices >> (i->imm + 2 * (e % each)) & 3);
    }
    for (unsigned x = 0; x < shape.m; ++x) {
      T partners[32];
      for (unsigned e = 0; e < present; ++e)
        partners[e] = b.at[x * shape.k + columns[e]];
      R &value = c.of(place(shape, 0, y, x));
      value = multiply(a.at + y * present, partners, present, value);
    }
  }
  c.write(s, i->dst);
}

template <typename R, typename T, typename F>
void matrix(State &s, const Inst *i, F multiply) {
  if (operation(*i).matrix.sparse)
    sparse<R, T>(s, i, multiply);
  else
    dense<R, T>(s, i, multiply);
}

} // namespace

void multiply_matrices(State &s, const Inst *i) {
  switch (operation(*i).matrix.a) {
  case MatrixElement::f64:
    return matrix<double, double>(s, i,
                                  [](auto... x) { return multiply(x...); });
  case MatrixElement::f32:
    return matrix<float, float>(s, i, [](auto... x) { return multiply(x...); });
  case MatrixElement::i8:
    return matrix<u32, i32>(s, i, [](auto... x) { return multiply(x...); });
  default:
    return matrix<float, double>(
        s, i, [](auto... x) { return multiply_narrow(x...); });
  }
}

} // namespace gpuexec::emulator::amdgpu
