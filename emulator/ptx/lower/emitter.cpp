//===-- emulator/ptx/lower/emitter.cpp - Operands and calls ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/emitter.h"
#include "emulator/ptx/lower/registers.h"
#include "emulator/ptx/lower/states.h"
#include "llvm/ADT/APFloat.h"

using namespace llvm;

namespace gpuexec::ptx {

Emitter::Emitter(llvm::Module &module, FunctionState &state)
    : ir(module.getContext()), module(module), state(state) {}

llvm::Type *Emitter::type(Type type) {
  LLVMContext &context = module.getContext();
  switch (type) {
  case Type::f16:
    return llvm::Type::getHalfTy(context);
  case Type::bf16:
    return llvm::Type::getBFloatTy(context);
  case Type::f16x2:
    return FixedVectorType::get(llvm::Type::getHalfTy(context), 2);
  case Type::bf16x2:
    return FixedVectorType::get(llvm::Type::getBFloatTy(context), 2);
  case Type::f32:
    return llvm::Type::getFloatTy(context);
  case Type::f64:
    return llvm::Type::getDoubleTy(context);
  default:
    // none: of a form without a type, which its family refuses.
    return IntegerType::get(context, std::max(bits_of(type), 1u));
  }
}

/// An integer of another width: the low bits, or extended.
static Value *resize(IRBuilder<> &ir, Value *value, unsigned bits,
                     bool by_sign) {
  llvm::Type *wanted = ir.getIntNTy(bits);
  return by_sign ? ir.CreateSExtOrTrunc(value, wanted)
                 : ir.CreateZExtOrTrunc(value, wanted);
}

/// The bits of a constant as a value of type t.
static uint64_t constant_bits(const Operand &operand, Type t) {
  const uint64_t bits = operand.integer;
  const bool is_single = operand.kind == Operand::Kind::real32;
  if (operand.kind == Operand::Kind::integer || bits_of(t) == 0)
    return bits;
  // A real number of the other width is rounded: `mov.f32 %f1, 1.5`.
  if (is_single == (bits_of(t) < 64))
    return bits;
  APFloat value =
      is_single ? APFloat(APFloat::IEEEsingle(), APInt(32, uint32_t(bits)))
                : APFloat(APFloat::IEEEdouble(), APInt(64, bits));
  bool loses;
  value.convert(is_single ? APFloat::IEEEdouble() : APFloat::IEEEsingle(),
                APFloat::rmNearestTiesToEven, &loses);
  return value.bitcastToAPInt().getZExtValue();
}

/// The address of a variable as a number in its own space.
static Value *address_number(Emitter &emitter, const Place &place,
                             int64_t offset) {
  IRBuilder<> &ir = emitter.ir;
  Value *number = ir.CreatePtrToInt(
      place.storage,
      emitter.module.getDataLayout().getIntPtrType(place.storage->getType()));
  number = ir.CreateZExt(number, ir.getInt64Ty());
  return offset ? ir.CreateAdd(number, ir.getInt64(offset)) : number;
}

/// A register's bits, one component of a vector, or null after an error.
static Value *named_bits(Emitter &emitter, const Operand &operand) {
  FunctionState &state = emitter.state;
  IRBuilder<> &ir = emitter.ir;
  if (const Place *place = state.find(operand.name)) {
    const Variable &variable = *place->variable;
    if (variable.space != Space::reg)
      return address_number(emitter, *place, operand.integer);
    llvm::Type *type = register_type(variable, emitter.module.getContext());
    Value *storage = place->storage;
    if (operand.component) {
      const unsigned at = StringRef("xyzw").find(operand.component);
      if (at >= variable.vector) {
        state.fail("'" + operand.name + "' has no such component");
        return nullptr;
      }
      storage = ir.CreateConstInBoundsGEP2_32(type, storage, 0, at);
      type = type->getArrayElementType();
    } else if (variable.vector > 1) {
      state.fail("'" + operand.name + "' is a vector");
      return nullptr;
    }
    Value *value = ir.CreateLoad(type, storage);
    return operand.integer
               ? ir.CreateAdd(value,
                              ConstantInt::getSigned(type, operand.integer))
               : value;
  }
  if (Value *value = special_register(emitter, operand))
    return value;
  if (llvm::Function *function = state.module.functions.lookup(operand.name))
    return ir.CreatePtrToInt(function, ir.getInt64Ty());
  state.fail("'" + operand.name + "' is not declared");
  return nullptr;
}

Value *Emitter::read(const Operand &operand, Type t) {
  const unsigned bits = std::max(bits_of(t), 1u);
  Value *value = nullptr;
  switch (operand.kind) {
  case Operand::Kind::integer:
    value = ConstantInt::get(
        ir.getContext(),
        APInt(64, uint64_t(operand.integer)).sextOrTrunc(bits));
    if (t == Type::pred)
      value = ir.getInt1(operand.integer != 0);
    break;
  case Operand::Kind::real32:
  case Operand::Kind::real64:
    value = ConstantInt::get(
        ir.getContext(),
        APInt(64, constant_bits(operand, t)).zextOrTrunc(bits));
    break;
  case Operand::Kind::name:
    value = named_bits(*this, operand);
    break;
  case Operand::Kind::address: {
    // An address where a value is expected, as in `mov.u64 %rd1, [x]`.
    state.fail("a value expected, not an address");
    break;
  }
  default:
    state.fail("a single value expected");
  }
  if (!value)
    return PoisonValue::get(type(t));
  if (t == Type::pred && value->getType() != ir.getInt1Ty())
    value = ir.CreateIsNotNull(value);
  value = ir.CreateBitCast(resize(ir, value, bits, false), type(t));
  if (!operand.negated)
    return value;
  if (t == Type::pred)
    return ir.CreateNot(value);
  return value->getType()->isFPOrFPVectorTy() ? ir.CreateFNeg(value)
                                              : ir.CreateNeg(value);
}

void Emitter::write(const Operand &operand, Value *value, Type t) {
  if (operand.kind == Operand::Kind::sink)
    return;
  const Place *place =
      operand.kind == Operand::Kind::name ? state.find(operand.name) : nullptr;
  if (!place || place->variable->space != Space::reg) {
    state.fail("a register expected" +
               (operand.name.empty() ? "" : ", not '" + operand.name + "'"));
    return;
  }
  const Variable &variable = *place->variable;
  llvm::Type *type = register_type(variable, module.getContext());
  Value *storage = place->storage;
  if (type->isArrayTy()) {
    const size_t at = StringRef("xyzw").find(operand.component);
    if (!operand.component || at >= variable.vector) {
      state.fail("a component of '" + operand.name + "' expected");
      return;
    }
    storage = ir.CreateConstInBoundsGEP2_32(type, storage, 0, at);
    type = type->getArrayElementType();
  }
  const unsigned from = value->getType()->getPrimitiveSizeInBits();
  value = ir.CreateBitCast(value, ir.getIntNTy(std::max(from, 1u)));
  ir.CreateStore(resize(ir, value, type->getIntegerBitWidth(), is_signed(t)),
                 storage);
}

/// A pointer in another address space; numbers stay numbers.
static Value *cast(IRBuilder<> &ir, Value *pointer, unsigned space) {
  return ir.CreateAddrSpaceCast(pointer, ir.getPtrTy(space));
}

Value *Emitter::address(const Operand &operand, Space space) {
  unsigned wanted = address_space(space, module);
  Value *base = nullptr;
  if (operand.kind != Operand::Kind::address &&
      operand.kind != Operand::Kind::name) {
    state.fail("an address expected");
    return PoisonValue::get(ir.getPtrTy(wanted));
  }
  const Place *place = state.find(operand.name);
  if (place && place->variable->space != Space::reg) {
    base = place->storage;
    const unsigned own = base->getType()->getPointerAddressSpace();
    // .param is where the parameter is.
    if (own != wanted && space != Space::param)
      base = cast(ir, base, wanted);
  } else {
    // A register with a parameter's address: of a kernel it is in the segment
    // of arguments.
    if (space == Space::param && state.source.is_kernel)
      wanted = address_space(Space::constant, module);
    const unsigned bits = module.getDataLayout().getPointerSizeInBits(wanted);
    Operand number = operand;
    number.kind = Operand::Kind::name;
    number.integer = 0;
    Value *value =
        operand.name.empty()
            ? ir.getInt64(0)
            : read(number, place && bits_of(place->variable->type) == 32
                               ? Type::b32
                               : Type::b64);
    base =
        ir.CreateIntToPtr(resize(ir, value, bits, false), ir.getPtrTy(wanted));
  }
  return operand.integer
             ? ir.CreatePtrAdd(
                   base,
                   ir.getIntN(module.getDataLayout().getIndexTypeSizeInBits(
                                  base->getType()),
                              operand.integer))
             : base;
}

Value *Emitter::call(StringRef name, llvm::Type *result,
                     ArrayRef<Value *> arguments, bool convergent) {
  SmallVector<llvm::Type *, 8> types;
  for (Value *each : arguments)
    types.push_back(each->getType());
  FunctionCallee callee =
      module.getOrInsertFunction(name, FunctionType::get(result, types, false));
  if (callee.getFunctionType() !=
      cast<llvm::Function>(callee.getCallee())->getFunctionType()) {
    state.fail("'" + name + "' is a function of another type");
    return PoisonValue::get(result);
  }
  CallInst *call = ir.CreateCall(callee, arguments);
  if (convergent) {
    call->setConvergent();
    llvm::cast<llvm::Function>(callee.getCallee())->setConvergent();
  }
  return call;
}

Value *Emitter::intrinsic(Intrinsic::ID id, ArrayRef<llvm::Type *> types,
                          ArrayRef<Value *> arguments) {
  return ir.CreateIntrinsic(id, types, arguments);
}

void Emitter::fail(const Instruction &i, const Twine &reason) {
  std::string form = i.opcode.str();
  for (StringRef each : i.modifiers)
    form += ("." + each).str();
  state.module.fail(i.line, form + ": " + reason);
}

} // namespace gpuexec::ptx
