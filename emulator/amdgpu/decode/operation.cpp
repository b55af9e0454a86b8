//===-- emulator/amdgpu/decode/operation.cpp - The table of instructions --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/decode/operation.h"

#include "emulator/amdgpu/ops/salu.h"
#include "emulator/amdgpu/ops/valu.h"

#include "llvm/ADT/StringMap.h"

#include <type_traits>

namespace gpuexec::emulator::amdgpu {
namespace {

constexpr Fidelity fidelity_of(OperationId id) {
  switch (id) {
#define INEXACT(name, fidelity)                                                \
  case OperationId::name:                                                      \
    return Fidelity::fidelity;
#include "emulator/amdgpu/ops/fidelity.def"
  case OperationId::none:
    return Fidelity::none;
  default:
    return Fidelity::exact;
  }
}

constexpr Operation row(OperationId id, const char *name, Form form,
                        InstructionClass instruction_class) {
  Operation op;
  op.id = id;
  op.name = name;
  op.form = form;
  op.instruction_class = instruction_class;
  op.fidelity = fidelity_of(id);
  return op;
}

// Vector arithmetic: from the types of a function in ops/.

template <typename A>
constexpr bool IS_MODE = std::is_same_v<A, const ops::FloatMode &>;
template <typename A>
constexpr bool IS_SOURCE =
    !IS_MODE<A> && !std::is_same_v<A, bool> && !std::is_same_v<A, ops::LaneId>;

/// The results of an instruction whose function returns R: a value of some
/// type, a bit of a lane mask, or both.
template <typename R> struct VectorResult {
  static constexpr Type type = TYPE<R>;
  static constexpr bool has_bit = false;
};
template <typename T> struct VectorResult<ops::WithBit<T>> {
  static constexpr Type type = TYPE<T>;
  static constexpr bool has_bit = true;
};
template <> struct VectorResult<bool> {
  static constexpr Type type = Type::none;
  static constexpr bool has_bit = true;
};

constexpr Operation vector_row(OperationId id, const char *name, Form form) {
  return row(id, name, form, InstructionClass::lane_arithmetic);
}
template <typename R, typename... A>
constexpr Operation valu(R (*)(A...), Operation op) {
  ((IS_SOURCE<A> ? void(op.source[op.sources++] = TYPE<A>) : void()), ...);
  op.result = VectorResult<R>::type;
  op.float_pair = std::is_same_v<R, ops::F32x2>;
  op.condition = (false || ... || std::is_same_v<A, bool>);
  op.writes_mask = VectorResult<R>::has_bit;
  for (unsigned k = 0; k < op.sources; ++k)
    op.uses.src[k] = reads(File::any, registers_of(op.source[k]));
  if (op.result != Type::none)
    op.uses.dst = writes(File::vector, registers_of(op.result));
  if (op.condition)
    op.uses.scond = reads(File::scalar, 2);
  if (op.writes_mask)
    op.uses.sdst = writes(File::scalar, 2);
  return op;
}
template <typename R, typename... A>
constexpr Operation packed(R (*)(A...), Operation op) {
  Type type = op.form == Form::packed32 ? Type::u64 : Type::p16;
  ((IS_SOURCE<A> ? void(op.source[op.sources++] = type) : void()), ...);
  op.result = type;
  op.float_parts = (false || ... || is_float(TYPE<A>));
  for (unsigned k = 0; k < op.sources; ++k)
    op.uses.src[k] = reads(File::any, registers_of(type));
  op.uses.dst = writes(File::vector, registers_of(type));
  return op;
}
template <typename R>
constexpr Operation mix(R (*)(const ops::FloatMode &, float, float, float),
                        Operation op, Half half) {
  op.sources = 3;
  op.half = std::is_same_v<R, float> ? Half::none : half;
  for (Use &use : op.uses.src)
    use = reads(File::any, 1);
  op.uses.dst = writes(File::vector, 1);
  return op;
}
constexpr Operation saturating(Operation op) {
  op.saturates = true;
  return op;
}
constexpr Operation tied(Operation op) {
  op.tied = true;
  return op;
}
constexpr Operation keep_high(Operation op) {
  op.keep_high = true;
  return op;
}

// Scalar arithmetic.

template <typename R> struct ScalarResult {
  static constexpr Type type = sizeof(R) == 8 ? Type::u64 : Type::u32;
  static constexpr bool has_scc = false;
};
template <typename T> struct ScalarResult<ops::WithScc<T>> {
  static constexpr Type type = ScalarResult<T>::type;
  static constexpr bool has_scc = true;
};
template <> struct ScalarResult<ops::Scc> {
  static constexpr Type type = Type::none;
  static constexpr bool has_scc = true;
};

template <typename R, typename... A>
constexpr Operation scalar(R (*)(A...), Operation op) {
  ((std::is_same_v<A, bool> ? void()
                            : void(op.source[op.sources++] =
                                       sizeof(A) == 8 ? Type::u64 : Type::u32)),
   ...);
  op.result = ScalarResult<R>::type;
  op.writes_scc = ScalarResult<R>::has_scc;
  for (unsigned k = 0; k < op.sources; ++k)
    op.uses.src[k] = reads(File::value, registers_of(op.source[k]));
  if (op.result != Type::none)
    op.uses.dst = writes(File::scalar, registers_of(op.result));
  return op;
}
/// The function's second source is EXEC, which is no operand.
constexpr Operation exec_logic(Operation op, bool saves_exec) {
  op.form = Form::saveexec;
  op.saves_exec = saves_exec;
  op.sources = 1;
  const unsigned words = registers_of(op.result); // 1: a wave of 32 lanes
  op.uses = from_to(reads(File::value, words), writes(File::scalar, words));
  return op;
}

// Memory.

/// The operands that make an address in the space. The decoder corrects them
/// for each instruction: with a scalar base, an address row is an offset of 32
/// bits (global, flat), and a buffer's modes say how many rows there are.
constexpr Uses address_uses(Space space) {
  Uses uses;
  switch (space) {
  case Space::none:
    break;
  case Space::global:
  case Space::flat:
    uses.src[0] = reads(File::vector, 2);
    uses.src[1] = reads(File::scalar, 2).optionally();
    break;
  case Space::scratch:
    uses.src[0] = reads(File::vector, 1).optionally();
    uses.src[1] = reads(File::scalar, 1).optionally();
    break;
  case Space::lds:
    uses.src[0] = reads(File::vector, 1);
    break;
  case Space::buffer:
    uses.sdst = reads(File::scalar, 4);
    uses.src[1] = reads(File::value, 1);
    break;
  case Space::scalar:
  case Space::scalar_buffer:
    uses.src[0] = reads(File::scalar, space == Space::scalar ? 2 : 4);
    uses.src[1] = reads(File::scalar, 1).optionally();
    break;
  }
  return uses;
}
constexpr unsigned registers_for(unsigned bytes) { return (bytes + 3) / 4; }

constexpr Operation memory_row(OperationId id, const char *name,
                               MemoryAccess memory) {
  InstructionClass instruction_class =
      memory.space == Space::lds        ? InstructionClass::shared_memory
      : memory.access == Access::atomic ? InstructionClass::atomic
      : memory.space == Space::scratch  ? InstructionClass::stack_memory
                                        : InstructionClass::global_memory;
  Operation op = row(id, name, Form::memory, instruction_class);
  op.memory = memory;
  op.uses = address_uses(memory.space);
  return op;
}
constexpr Operation load(Operation op, Half half) {
  op.half = half;
  op.uses.dst = writes(File::vector, registers_for(op.memory.bytes));
  return op;
}
constexpr Operation store(Operation op, Half half) {
  op.half = half;
  op.uses.src[2] = reads(File::vector, registers_for(op.memory.bytes));
  return op;
}
constexpr Operation load_two(Operation op) {
  op.uses.dst = writes(File::vector, 2 * registers_for(op.memory.bytes));
  return op;
}
constexpr Operation store_two(Operation op) {
  op.uses.src[1] = op.uses.src[2] =
      reads(File::vector, registers_for(op.memory.bytes));
  return op;
}
constexpr Operation atomic(Operation op) {
  const MemoryAccess &memory = op.memory;
  unsigned words = memory.bytes / 4;
  bool takes_two = compares(memory.atomic) ||
                   memory.atomic == AtomicOperation::mask_or ||
                   memory.atomic == AtomicOperation::wrap;
  // In LDS the second data operand is src[1], else it follows the first.
  bool in_lds = memory.space == Space::lds;
  op.uses.src[2] =
      reads(File::vector, takes_two && !in_lds ? 2 * words : words);
  if (takes_two && in_lds)
    op.uses.src[1] = reads(File::vector, words);
  op.uses.dst = writes(File::vector, words).optionally();
  return op;
}
constexpr Operation lane_permute(OperationId id, const char *name) {
  Operation op = row(id, name, Form::memory, InstructionClass::shared_memory);
  op.memory.space = Space::lds;
  op.uses = from_to(reads(File::vector, 1), writes(File::vector, 1));
  op.uses.src[2] = reads(File::vector, 1);
  return op;
}
constexpr Operation scalar_load(OperationId id, const char *name, Space space,
                                unsigned bytes, bool is_signed) {
  Operation op =
      row(id, name, Form::scalar_load, InstructionClass::wave_memory);
  op.memory.space = space;
  op.memory.access = Access::load;
  op.memory.bytes = u8(bytes);
  op.memory.is_signed = is_signed;
  op.uses = address_uses(space);
  op.uses.dst = writes(File::scalar, registers_for(bytes));
  return op;
}

// The rest.

constexpr Uses with_lane_number(Use src, Use dst) {
  Uses uses = from_to(src, dst);
  uses.src[1] = reads(File::value, 1);
  return uses;
}
/// v_permlane16: src[0] is a row; two scalars name the lanes to read.
constexpr Uses lane_selection() {
  Uses uses = from_to(reads(File::vector, 1), writes(File::vector, 1));
  uses.src[1] = uses.src[2] = reads(File::value, 1);
  return uses;
}
constexpr Uses from_rows() {
  Uses uses = from_to(reads(File::vector, 1), writes(File::vector, 1));
  uses.src[1] = reads(File::vector, 1);
  return uses;
}
constexpr Operation special(Operation op, Uses uses) {
  op.uses = uses;
  return op;
}
constexpr Operation jump(OperationId id, const char *name,
                         Terminator terminator, Uses uses) {
  Operation op = row(id, name, Form::special,
                     terminator == Terminator::end ? InstructionClass::other
                                                   : InstructionClass::branch);
  op.terminator = terminator;
  op.uses = uses;
  return op;
}
constexpr Operation branch_if(OperationId id, const char *name,
                              Condition condition) {
  Operation op = jump(id, name, Terminator::conditional, {});
  op.branches_on = condition;
  return op;
}
constexpr Operation matrix(Operation op, MatrixShape shape) {
  op.matrix = shape;
  if (shape.a != MatrixElement::i8)
    op.fidelity = Fidelity::order;
  const unsigned result = shape.registers_of_result();
  op.uses = from_to(reads(File::vector, shape.registers_of_a()),
                    writes(File::vector, result));
  op.uses.src[1] = reads(File::vector, shape.registers_of_b());
  op.uses.src[2] = reads(File::vector, shape.sparse ? 1 : result);
  return op;
}
constexpr Operation packed_pairs(Operation op) {
  op.sources = 2;
  op.source[0] = op.source[1] = op.result = Type::u64;
  op.uses.src[0] = op.uses.src[1] = reads(File::any, 2);
  op.uses.dst = writes(File::vector, 2);
  return op;
}
constexpr Operation with_order(Operation op, Order order) {
  op.order = order;
  return op;
}

// clang-format off
constexpr Operation TABLE[] = {
  {},
#define ROW(name) OperationId::name, #name
#define VECTOR(name, form) vector_row(ROW(name), Form::form)
#define VALU(name) valu(&ops::name, VECTOR(name, valu)),
#define VALU_SAT(name) saturating(valu(&ops::name, VECTOR(name, valu))),
#define VALU_TIED(name) tied(valu(&ops::name, VECTOR(name, valu))),
#define VALU_KEEP_HIGH(name) keep_high(valu(&ops::name, VECTOR(name, valu))),
#define VALU_KEEP_HIGH_SAT(name) keep_high(saturating(valu(&ops::name, VECTOR(name, valu)))),
#define VALU_KEEP_HIGH_TIED(name) keep_high(tied(valu(&ops::name, VECTOR(name, valu)))),
#define VCMP(name) valu(&ops::name, VECTOR(name, vcmp)),
#define VPK(name, half) packed(&ops::half, VECTOR(name, packed)),
#define VPK_SAT(name, half) saturating(packed(&ops::half, VECTOR(name, packed))),
#define VPK_TIED(name, half) tied(packed(&ops::half, VECTOR(name, packed))),
#define VPK32(name, half) packed(&ops::half, VECTOR(name, packed32)),
#define VMIX(name) mix(&ops::name, VECTOR(name, mix), Half::low),
#define VMIX_HIGH(name) mix(&ops::name, VECTOR(name, mix), Half::high),
#include "emulator/amdgpu/ops/valu.def"
#define SCALAR(name, function) scalar(&ops::function, row(ROW(name), Form::salu, InstructionClass::wave_arithmetic))
#define SALU(name) SCALAR(name, name),
#define SALU_TIED(name) tied(SCALAR(name, name)),
#define SALU_SAVEEXEC(name, logic) exec_logic(SCALAR(name, logic), true),
#define SALU_WREXEC(name, logic) exec_logic(SCALAR(name, logic), false),
#include "emulator/amdgpu/ops/salu.def"
#define LOAD(space, name, bytes, is_signed, half) \
  load(memory_row(ROW(name), {Space::space, Access::load, {}, is_signed, bytes}), Half::half),
#define STORE(space, name, bytes, half) \
  store(memory_row(ROW(name), {Space::space, Access::store, {}, false, bytes}), Half::half),
#define LOAD_TWO(name, bytes, unit) \
  load_two(memory_row(ROW(name), {Space::lds, Access::load_two, {}, false, bytes, unit})),
#define STORE_TWO(name, bytes, unit) \
  store_two(memory_row(ROW(name), {Space::lds, Access::store_two, {}, false, bytes, unit})),
#define ATOMIC(space, name, operation, type) \
  atomic(memory_row(ROW(name), {Space::space, Access::atomic, AtomicOperation::operation, \
                                std::is_signed_v<type>, sizeof(type)})),
#define SCALAR_LOAD(space, name, words) scalar_load(ROW(name), Space::space, 4 * words, false),
#define SCALAR_LOAD_PART(space, name, type) \
  scalar_load(ROW(name), Space::space, sizeof(ops::type), std::is_signed_v<ops::type>),
#define LANE_PERMUTE(name, handler) lane_permute(ROW(name)),
#include "emulator/amdgpu/ops/memory.def"
#define SPECIAL(name, class, handler, uses, stencil, jit, shadow) special(row(ROW(name), Form::special, InstructionClass::class), uses),
#define MATRIX(name, a, b, m, k, blocks) \
  matrix(row(ROW(name), Form::special, InstructionClass::lane_arithmetic), {MatrixElement::a, MatrixElement::b, m, k, blocks}),
#define SPARSE_MATRIX(name, a, b, m, k) \
  matrix(row(ROW(name), Form::special, InstructionClass::lane_arithmetic), {MatrixElement::a, MatrixElement::b, m, k, 1, true}),
#define JUMP(name, terminator, handler, uses, stencil, shadow) jump(ROW(name), Terminator::terminator, uses),
#define BRANCH_IF(name, condition, shadow) branch_if(ROW(name), Condition::condition),
#define PACKED_PAIRS(name, handler, shadow) packed_pairs(VECTOR(name, packed32)),
#define NOTHING(name, class, order) \
  with_order(row(ROW(name), Form::nothing, InstructionClass::class), Order::order),
#define FENCE(name, order) with_order(row(ROW(name), Form::fence, InstructionClass::other), Order::order),
#include "emulator/amdgpu/ops/special.def"
#undef SCALAR
#undef VECTOR
#undef ROW
};
// clang-format on
static_assert(sizeof(TABLE) / sizeof(TABLE[0]) == OPERATIONS);

} // namespace

const Operation &operation(OperationId id) { return TABLE[unsigned(id)]; }

const char *name_of(const Inst &inst) {
#define NAME(name) #name,
  static constexpr const char *NAMES[] = {"", "check", GPUEXEC_MICRO_OPS(NAME)};
#undef NAME
  return inst.kind == MicroOpKind::operation ? operation(inst).name
                                             : NAMES[unsigned(inst.kind)];
}

const Operation *find_operation(llvm::StringRef name) {
  // Never destroyed: kernels may run, and look here, while the process exits.
  static const auto &map = *[] {
    auto &rows = *new llvm::StringMap<const Operation *>;
    for (const Operation &op : TABLE)
      if (op.id != OperationId::none)
        rows[op.name] = &op;
#define ALIAS(name, row) rows[#name] = &TABLE[unsigned(OperationId::row)];
#include "emulator/amdgpu/ops/aliases.def"
    return &rows;
  }();
  auto it = map.find(name);
  return it == map.end() ? nullptr : it->second;
}

} // namespace gpuexec::emulator::amdgpu
