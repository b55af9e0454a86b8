//===-- emulator/ptx/lower/wmma.cpp - wmma --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX leaves open which lane has what of a matrix. Ours: a row of a, and a
// column of b, is cut into words along k; consecutive lanes have consecutive
// pieces of it, as many words as the fragment has registers, and lanes beyond
// the last row begin anew. Of c and d a lane has a tile of 2x4 (8x8 matrices:
// 1x2), and the tiles go along rows.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/forms.h"
#include "emulator/ptx/lower/matrix.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// A fragment that is loaded or stored.
struct Fragment {
  Shape shape;
  Type type;     ///< of memory; none for four bits and one
  unsigned bits; ///< of an element
  bool by_rows;  ///< .row
  ArrayRef<Operand> registers;
  Value *pointer, *stride; ///< stride: in elements, i64
};

Value *number(Emitter &e, uint64_t value) { return e.ir.getInt64(value); }

/// The address of element (row, column), both i64.
Value *element(Emitter &e, const Fragment &f, Value *row, Value *column) {
  Value *slow = f.by_rows ? row : column, *fast = f.by_rows ? column : row;
  Value *index = e.ir.CreateAdd(e.ir.CreateMul(slow, f.stride), fast);
  Value *offset = e.ir.CreateLShr(e.ir.CreateMul(index, number(e, f.bits)), 3);
  return e.ir.CreatePtrAdd(f.pointer, offset);
}

Value *wide_lane_id(Emitter &e) {
  return e.ir.CreateZExt(lane_id(e), e.ir.getInt64Ty());
}

/// a or b: words along k. `rows` of a or columns of b.
void load_factor(Emitter &e, const Instruction &i, const Fragment &f,
                 bool is_a) {
  unsigned rows = is_a ? f.shape.m : f.shape.n;
  unsigned width = std::max(f.bits, 32u), each = width / f.bits;
  unsigned words = f.shape.k / each, count = f.registers.size();
  if (!count || words % count)
    return e.fail(i, "an unknown number of registers");
  unsigned lanes = words / count; // that share a row
  Value *lane = wide_lane_id(e);
  Value *row =
      e.ir.CreateURem(e.ir.CreateUDiv(lane, number(e, lanes)), number(e, rows));
  Value *first = e.ir.CreateMul(e.ir.CreateURem(lane, number(e, lanes)),
                                number(e, count * each));
  auto at = [&](unsigned k) {
    Value *along = e.ir.CreateAdd(first, number(e, k));
    return is_a ? element(e, f, row, along) : element(e, f, along, row);
  };
  llvm::Type *word = e.ir.getIntNTy(width);
  bool together = f.by_rows == is_a;
  if (!together && f.bits < 8)
    return e.fail(i, "a by rows and b by columns only");
  for (unsigned n = 0; n < count; ++n) {
    Value *data;
    if (together) {
      data = e.ir.CreateAlignedLoad(word, at(n * each), Align(width / 8));
    } else {
      data = Constant::getNullValue(word);
      for (unsigned part = 0; part < each; ++part) {
        Value *one = e.ir.CreateAlignedLoad(
            e.ir.getIntNTy(f.bits), at(n * each + part), Align(f.bits / 8));
        data = e.ir.CreateOr(
            data, e.ir.CreateShl(e.ir.CreateZExt(one, word), part * f.bits));
      }
    }
    e.write(f.registers[n], data, width == 64 ? Type::b64 : Type::b32);
  }
}

/// c and d: calls `move` with the number of each element of the tile and its
/// address.
void each_of_tile(Emitter &e, const Fragment &f,
                  function_ref<void(unsigned, Value *)> move) {
  unsigned tall = f.shape.m * f.shape.n == 256 ? 2 : 1, wide = 2 * tall;
  Value *lane = wide_lane_id(e), *across = number(e, f.shape.n / wide);
  Value *row = e.ir.CreateMul(e.ir.CreateUDiv(lane, across), number(e, tall));
  Value *column =
      e.ir.CreateMul(e.ir.CreateURem(lane, across), number(e, wide));
  for (unsigned n = 0; n < tall * wide; ++n)
    move(n, element(e, f, e.ir.CreateAdd(row, number(e, n / wide)),
                    e.ir.CreateAdd(column, number(e, n % wide))));
}

void load_sum(Emitter &e, const Fragment &f) {
  llvm::Type *type = e.ir.getIntNTy(f.bits);
  Value *low = nullptr; // of a pair of halves
  each_of_tile(e, f, [&](unsigned n, Value *at) {
    Value *data = e.ir.CreateAlignedLoad(type, at, Align(f.bits / 8));
    if (f.bits != 16) {
      if (n < f.registers.size())
        e.write(f.registers[n], data, f.bits == 64 ? Type::b64 : Type::b32);
      return;
    }
    data = e.ir.CreateZExt(data, e.ir.getInt32Ty());
    if (n % 2 && n / 2 < f.registers.size())
      e.write(f.registers[n / 2], e.ir.CreateOr(low, e.ir.CreateShl(data, 16)),
              Type::b32);
    low = data;
  });
}

void store_sum(Emitter &e, const Fragment &f) {
  llvm::Type *type = e.ir.getIntNTy(f.bits);
  each_of_tile(e, f, [&](unsigned n, Value *at) {
    unsigned index = f.bits == 16 ? n / 2 : n;
    if (index >= f.registers.size())
      return;
    Value *data =
        e.read(f.registers[index], f.bits == 64 ? Type::b64 : Type::b32);
    if (f.bits == 16)
      data = e.ir.CreateTrunc(e.ir.CreateLShr(data, 16 * (n % 2)), type);
    e.ir.CreateAlignedStore(data, at, Align(f.bits / 8));
  });
}

/// The elements' distance where the instruction does not say it.
unsigned usual_stride(const Instruction &i, Shape shape, bool by_rows) {
  if (i.has("a"))
    return by_rows ? shape.k : shape.m;
  if (i.has("b"))
    return by_rows ? shape.n : shape.k;
  return by_rows ? shape.n : shape.m;
}

void move(Emitter &e, const Instruction &i, Shape shape) {
  bool loads = i.has("load");
  Fragment f;
  f.shape = shape;
  f.type = i.type();
  f.bits = f.type != Type::none         ? bits_of(f.type)
           : i.has("s4") || i.has("u4") ? 4
                                        : 1;
  if (f.bits > 64)
    return e.fail(i, "an unknown type");
  f.by_rows = i.has("row");
  f.registers = parts_of(i.operands[loads ? 0 : 1]);
  Space space = i.space().value_or(Space::generic);
  for (StringRef modifier : i.modifiers)
    if (modifier.starts_with("shared"))
      space = Space::shared;
  f.pointer = e.address(i.operands[loads ? 1 : 0], space);
  f.stride =
      i.operands.size() > 2
          ? e.ir.CreateZExt(e.read(i.operands[2], Type::u32), e.ir.getInt64Ty())
          : number(e, usual_stride(i, shape, f.by_rows));
  if (i.has("a") || i.has("b"))
    return load_factor(e, i, f, i.has("a"));
  if (f.type == Type::none || f.bits < 16)
    return e.fail(i, "16 bits or more");
  loads ? load_sum(e, f) : store_sum(e, f);
}

/// The types of a and b: they are not named for f16.
Type factor_type(const Instruction &i) {
  if (i.type(2) != Type::none)
    return i.type(1);
  return i.has("s4") || i.has("u4") || i.has("b1") ? Type::none : Type::f16;
}

void multiply(Emitter &e, const Instruction &i, Shape shape) {
  if (i.operands.size() < 4)
    return e.fail(i, "too few operands");
  ArrayRef<Operand> d = parts_of(i.operands[0]), a = parts_of(i.operands[1]);
  ArrayRef<Operand> b = parts_of(i.operands[2]), c = parts_of(i.operands[3]);
  auto word = [&](uint32_t value) { return e.ir.getInt32(value); };
  if (i.type() == Type::f64) { // as mma.m8n8k4
    Value *product = e.call(
        "__gpuexec_ptx_mma_f64", FixedVectorType::get(e.ir.getDoubleTy(), 4),
        {gather(e, a, Type::f64, 8), gather(e, b, Type::f64, 4),
         gather(e, c, Type::f64, 4), word(1), word(1)},
        true);
    return scatter(e, d, product, Type::f64);
  }
  auto kind = kind_of(i, factor_type(i));
  if (!kind || a.empty() || b.empty())
    return e.fail(i, "an unknown type");
  bool integers = i.type() == Type::s32;
  bool small = shape.m == 8 && shape.n == 8; // as mma.m8n8k...
  bool d_halves = i.type(0) == Type::f16,
       c_halves = i.type(1) == Type::f16 && i.type(2) == Type::none;
  unsigned count = small ? 4 : 8;
  Value *sum = integers ? gather(e, c, Type::b32, count)
                        : gather_floats(e, c, c_halves, count);
  unsigned variant = variants(i) | (i.has("satfinite") ? 4 : 0);
  SmallVector<Value *, 9> arguments = {gather(e, a, Type::b32, small ? 4 : 8),
                                       gather(e, b, Type::b32, small ? 2 : 8),
                                       sum};
  if (small)
    arguments.append({word(1), word(1), word(variant)});
  else
    arguments.append({word(a.size()), word(b.size()),
                      word(shape.k * kind->bits / 32), word(shape.n / 4),
                      word(variant)});
  std::string name = small ? "__gpuexec_ptx_mma_" : "__gpuexec_ptx_wmma_";
  Value *product = e.call(name + kind->name, sum->getType(), arguments, true);
  if (integers)
    return scatter(e, d, product, Type::b32);
  scatter_floats(e, d, product, d_halves);
}

} // namespace

void lower_wmma(Emitter &e, const Instruction &i) {
  Shape shape = shape_of(i);
  unsigned size = shape.m * shape.n;
  if ((size != 256 && size != 64) || !shape.k || i.has("sp"))
    return e.fail(i, "an unknown shape");
  i.has("mma") ? multiply(e, i, shape) : move(e, i, shape);
}

} // namespace gpuexec::ptx
