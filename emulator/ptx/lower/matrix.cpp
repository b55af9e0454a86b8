//===-- emulator/ptx/lower/matrix.cpp - Matrices of a warp ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma, ldmatrix, stmatrix, movmatrix, and cp.async, which copies at once. The
// products are functions of the device library (emulator/ptx/device/matrix.c).
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/matrix.h"
#include "emulator/ptx/lower/forms.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace gpuexec::ptx {

ArrayRef<Operand> parts_of(const Operand &operand) {
  if (operand.kind == Operand::Kind::list)
    return operand.parts;
  return operand;
}

Shape shape_of(const Instruction &i) {
  for (StringRef rest : i.modifiers) {
    Shape s;
    if (rest.consume_front("m") && !rest.consumeInteger(10, s.m) &&
        rest.consume_front("n") && !rest.consumeInteger(10, s.n) &&
        rest.consume_front("k") && !rest.consumeInteger(10, s.k))
      return s;
  }
  return {};
}

Value *gather(Emitter &e, ArrayRef<Operand> registers, Type type,
              unsigned count) {
  Value *vector =
      Constant::getNullValue(FixedVectorType::get(e.type(type), count));
  for (unsigned n = 0; n < registers.size() && n < count; ++n)
    vector = e.ir.CreateInsertElement(vector, e.read(registers[n], type), n);
  return vector;
}

Value *gather_floats(Emitter &e, ArrayRef<Operand> registers, bool halves,
                     unsigned count) {
  if (!halves)
    return gather(e, registers, Type::f32, count);
  Value *vector =
      Constant::getNullValue(FixedVectorType::get(e.ir.getFloatTy(), count));
  for (unsigned n = 0; n < 2 * registers.size() && n < count; ++n) {
    Value *half =
        e.ir.CreateExtractElement(e.read(registers[n / 2], Type::f16x2), n % 2);
    vector = e.ir.CreateInsertElement(
        vector, e.ir.CreateFPExt(half, e.ir.getFloatTy()), n);
  }
  return vector;
}

void scatter(Emitter &e, ArrayRef<Operand> registers, Value *vector,
             Type type) {
  for (unsigned n = 0; n < registers.size(); ++n)
    e.write(registers[n], e.ir.CreateExtractElement(vector, n), type);
}

void scatter_floats(Emitter &e, ArrayRef<Operand> registers, Value *vector,
                    bool halves) {
  if (!halves)
    return scatter(e, registers, vector, Type::f32);
  unsigned count = cast<FixedVectorType>(vector->getType())->getNumElements();
  vector =
      e.ir.CreateFPTrunc(vector, FixedVectorType::get(e.ir.getHalfTy(), count));
  for (unsigned n = 0; n < registers.size(); ++n) {
    Value *pair = PoisonValue::get(FixedVectorType::get(e.ir.getHalfTy(), 2));
    for (unsigned h = 0; h < 2; ++h)
      pair = e.ir.CreateInsertElement(
          pair, e.ir.CreateExtractElement(vector, 2 * n + h), h);
    e.write(registers[n], pair, Type::f16x2);
  }
}

std::optional<Kind> kind_of(const Instruction &i, Type type) {
  switch (type) {
  case Type::f16:
    return Kind{"f16", 16};
  case Type::bf16:
    return Kind{"bf16", 16};
  case Type::tf32:
    return Kind{"tf32", 32};
  case Type::s8:
  case Type::u8:
    return Kind{"i8", 8};
  case Type::e4m3:
  case Type::e5m2:
    return Kind{"f8", 8};
  default:
    break;
  }
  if (i.has("s4") || i.has("u4"))
    return Kind{"i4", 4};
  if (i.has("b1"))
    return Kind{i.has("xor") ? "xor" : "and", 1};
  return std::nullopt;
}

unsigned variants(const Instruction &i) {
  unsigned found = 0, seen = 0;
  for (StringRef modifier : i.modifiers)
    for (StringRef name : {"s8", "u8", "s4", "u4", "e4m3", "e5m2"})
      if (modifier == name && seen < 2)
        found |= unsigned(name[0] == 's' || name == "e5m2") << seen++;
  return found;
}

Value *shared_address(Emitter &e, const Instruction &i,
                      const Operand &operand) {
  bool generic = none_of(i.modifiers, [](StringRef modifier) {
    return modifier.starts_with("shared");
  });
  Value *pointer = e.address(operand, generic ? Space::generic : Space::shared);
  if (generic)
    pointer = e.ir.CreateAddrSpaceCast(pointer,
                                       PointerType::get(e.ir.getContext(), 3));
  return e.ir.CreatePtrToInt(pointer, e.ir.getInt32Ty());
}

namespace {

Value *word(Emitter &e, uint32_t value) { return e.ir.getInt32(value); }

/// The value of `a` (i32) in lane `lane`.
Value *from_lane(Emitter &e, Value *a, Value *lane) {
  return e.intrinsic(Intrinsic::amdgcn_ds_bpermute, {},
                     {e.ir.CreateShl(lane, 2), a});
}

void multiply_doubles(Emitter &e, const Instruction &i, Shape shape) {
  Value *a = gather(e, parts_of(i.operands[1]), Type::f64, 8);
  Value *b = gather(e, parts_of(i.operands[2]), Type::f64, 4);
  Value *c = gather(e, parts_of(i.operands[3]), Type::f64, 4);
  Value *d =
      e.call("__gpuexec_ptx_mma_f64", c->getType(),
             {a, b, c, word(e, shape.k / 4), word(e, shape.m / 8)}, true);
  ArrayRef<Operand> results = parts_of(i.operands[0]);
  scatter(e, results, d, Type::f64);
}

/// mma.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c;
void multiply(Emitter &e, const Instruction &i) {
  Shape shape = shape_of(i);
  if (i.has("sp") || i.has("block_scale"))
    return e.fail(i, "sparse matrices and scales are not there");
  bool known = (shape.m == 16 || shape.m == 8) && shape.n == 8;
  if (!known || i.operands.size() < 4 || !i.has("row") || !i.has("col"))
    return e.fail(i, "an unknown shape");
  Type d_type = i.type(0), a_type = i.type(1), c_type = Type::none;
  for (unsigned n = 0; i.type(n) != Type::none; ++n)
    c_type = i.type(n);
  if (d_type == Type::f64)
    return multiply_doubles(e, i, shape);
  auto kind = kind_of(i, a_type);
  // A block is what four lanes have in one register each.
  unsigned blocks = kind ? shape.k * kind->bits / 128 : 0;
  if (!blocks || blocks > 2 || shape.k * kind->bits % 128)
    return e.fail(i, "an unknown shape or type");
  bool integers = d_type == Type::s32;
  bool c_halves = c_type == Type::f16, d_halves = d_type == Type::f16;
  Value *a = gather(e, parts_of(i.operands[1]), Type::b32, 4);
  Value *b = gather(e, parts_of(i.operands[2]), Type::b32, 2);
  ArrayRef<Operand> c_registers = parts_of(i.operands[3]);
  Value *c = integers ? gather(e, c_registers, Type::b32, 4)
                      : gather_floats(e, c_registers, c_halves, 4);
  unsigned saturates = i.has("satfinite") ? 4 : 0;
  Value *d =
      e.call(("__gpuexec_ptx_mma_" + Twine(kind->name)).str(), c->getType(),
             {a, b, c, word(e, blocks), word(e, shape.m / 8),
              word(e, variants(i) | saturates)},
             true);
  ArrayRef<Operand> results = parts_of(i.operands[0]);
  if (!integers)
    return scatter_floats(e, results, d, d_halves);
  scatter(e, results, d, Type::b32);
}

Value *shared_pointer(Emitter &e, Value *address) {
  return e.ir.CreateIntToPtr(address, PointerType::get(e.ir.getContext(), 3));
}

/// Where this lane's part of matrix `n` is: of the row of lane 8n + row.
Value *part_address(Emitter &e, Value *rows, unsigned n, Value *row,
                    Value *offset) {
  Value *lane = e.ir.CreateAdd(row, word(e, 8 * n));
  return shared_pointer(e, e.ir.CreateAdd(from_lane(e, rows, lane), offset));
}

/// ldmatrix and stmatrix of 8x8 matrices of 16 bits: lanes 8n to 8n + 7 have
/// the addresses of matrix n's rows, and each lane gets two numbers of it.
void move_matrices(Emitter &e, const Instruction &i) {
  bool loads = i.opcode == "ldmatrix";
  ArrayRef<Operand> registers = parts_of(i.operands[loads ? 0 : 1]);
  if (!i.has("m8n8") || !i.has("b16") || registers.size() > 4)
    return e.fail(i, "only 8x8 matrices of 16 bits");
  Value *rows = shared_address(e, i, i.operands[loads ? 1 : 0]);
  Value *lane = lane_id(e);
  Value *high = e.ir.CreateLShr(lane, 2), *low = e.ir.CreateAnd(lane, 3);
  llvm::Type *half = e.ir.getInt16Ty(), *whole = e.ir.getInt32Ty();
  for (unsigned n = 0; n < registers.size(); ++n) {
    Value *data = loads ? nullptr : e.read(registers[n], Type::b32);
    if (!i.has("trans")) {
      Value *at = part_address(e, rows, n, high, e.ir.CreateShl(low, 2));
      if (loads)
        data = e.ir.CreateAlignedLoad(whole, at, Align(4));
      else
        e.ir.CreateAlignedStore(data, at, Align(4));
    } else { // the numbers of column `high` in two neighbouring rows
      Value *both = word(e, 0);
      for (unsigned part = 0; part < 2; ++part) {
        Value *row = e.ir.CreateAdd(e.ir.CreateShl(low, 1), word(e, part));
        Value *at = part_address(e, rows, n, row, e.ir.CreateShl(high, 1));
        if (!loads) {
          Value *number =
              e.ir.CreateTrunc(e.ir.CreateLShr(data, 16 * part), half);
          e.ir.CreateAlignedStore(number, at, Align(2));
          continue;
        }
        Value *number =
            e.ir.CreateZExt(e.ir.CreateAlignedLoad(half, at, Align(2)), whole);
        both = e.ir.CreateOr(both, e.ir.CreateShl(number, 16 * part));
      }
      if (loads)
        data = both;
    }
    if (loads)
      e.write(registers[n], data, Type::b32);
  }
}

/// movmatrix: an 8x8 matrix of 16 bits in the lanes, transposed.
void transpose(Emitter &e, const Instruction &i) {
  Value *a = e.read(i.operands[1], Type::b32);
  Value *lane = lane_id(e);
  Value *high = e.ir.CreateLShr(lane, 2), *low = e.ir.CreateAnd(lane, 3);
  Value *shift = e.ir.CreateShl(e.ir.CreateAnd(high, 1), 4);
  Value *result = word(e, 0);
  for (unsigned part = 0; part < 2; ++part) {
    // Row 2 * low + part, column `high`: four lanes have a row.
    Value *row = e.ir.CreateAdd(e.ir.CreateShl(low, 1), word(e, part));
    Value *source =
        e.ir.CreateAdd(e.ir.CreateShl(row, 2), e.ir.CreateLShr(high, 1));
    Value *number =
        e.ir.CreateAnd(e.ir.CreateLShr(from_lane(e, a, source), shift), 0xffff);
    result = e.ir.CreateOr(result, e.ir.CreateShl(number, 16 * part));
  }
  e.write(i.operands[0], result, Type::b32);
}

/// cp.async: now. What waits for copies has nothing to wait for.
void copy(Emitter &e, const Instruction &i) {
  if (i.has("commit_group") || i.has("wait_group") || i.has("wait_all"))
    return;
  if (i.has("mbarrier") && !i.operands.empty())
    return lower_copy_arrival(e, i);
  unsigned operands = i.operands.size();
  if (any_of(i.modifiers,
             [](StringRef m) { return m.ends_with("cache_hint"); }))
    --operands;
  bool known = !i.has("bulk") && !i.has("mbarrier") && operands >= 3 &&
               i.operands[2].kind == Operand::Kind::integer;
  if (!known)
    return e.fail(i, "only cp.async of 4, 8 or 16 bytes is there");
  unsigned bytes = i.operands[2].integer;
  if (bytes != 4 && bytes != 8 && bytes != 16)
    return e.fail(i, "4, 8 or 16 bytes");
  Value *to = shared_pointer(e, shared_address(e, i, i.operands[0]));
  Value *from = e.address(i.operands[1], Space::global);
  if (operands < 4) {
    llvm::Type *type = FixedVectorType::get(e.ir.getInt32Ty(), bytes / 4);
    Value *data = e.ir.CreateAlignedLoad(type, from, Align(bytes));
    e.ir.CreateAlignedStore(data, to, Align(bytes));
    return;
  }
  // The rest behind the bytes that are read is filled with zeros.

  const Operand &size = i.operands[3];
  Value *count = e.read(size, Type::u32);
  e.call("__gpuexec_ptx_copy_some", e.ir.getVoidTy(),
         {to, from, word(e, bytes), count});
}

const struct {
  const char *opcode;
  size_t operands; ///< the fewest
  void (*emit)(Emitter &, const Instruction &);
} FAMILY[] = {{"mma", 4, multiply},           {"ldmatrix", 2, move_matrices},
              {"stmatrix", 2, move_matrices}, {"movmatrix", 2, transpose},
              {"wmma", 2, lower_wmma},        {"mbarrier", 1, lower_mbarrier}};

} // namespace

bool lower_matrix(Emitter &e, const Instruction &i) {
  if (i.opcode == "cp" && i.has("async")) {
    copy(e, i);
    return true;
  }
  for (const auto &row : FAMILY) {
    if (i.opcode != row.opcode)
      continue;
    if (i.operands.size() < row.operands)
      e.fail(i, "too few operands");
    else
      row.emit(e, i);
    return true;
  }
  return false;
}

} // namespace gpuexec::ptx
