//===-- emulator/ptx/lower/control.cpp - Branches, calls, ends ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/emitter.h"
#include "emulator/ptx/lower/function.h"
#include "emulator/ptx/lower/signature.h"
#include "emulator/ptx/lower/states.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

void lower_branch(Emitter &emitter, const Instruction &i) {
  BasicBlock *target = i.operands.size() == 1
                           ? emitter.state.find_label(i.operands[0].name)
                           : nullptr;
  if (!target)
    return emitter.fail(i, "the label is not declared");
  emitter.ir.CreateBr(target);
}

/// `brx.idx %r1, table`.
void lower_indexed_branch(Emitter &emitter, const Instruction &i) {
  const ArrayRef<StringRef> *targets =
      i.operands.size() == 2 ? emitter.state.find_targets(i.operands[1].name)
                             : nullptr;
  if (!i.has("idx") || !targets)
    return emitter.fail(i, "a number and a table of labels expected");
  IRBuilder<> &ir = emitter.ir;
  Value *index = emitter.read(i.operands[0], Type::b32);
  auto *beyond =
      BasicBlock::Create(ir.getContext(), "beyond", &emitter.state.target);
  SwitchInst *jump = ir.CreateSwitch(index, beyond, targets->size());
  for (auto [at, name] : enumerate(*targets)) {
    BasicBlock *target = emitter.state.find_label(name);
    if (!target)
      return emitter.fail(i, "the label '" + name + "' is not declared");
    jump->addCase(ir.getInt32(at), target);
  }
  ir.SetInsertPoint(beyond);
  ir.CreateUnreachable();
}

/// A call's operands: `(result), function, (arguments), prototype`.
struct CallParts {
  ArrayRef<Operand> results, arguments;
  const Operand *function = nullptr;
  StringRef prototype;
};

bool parts_of(const Instruction &i, CallParts &parts) {
  ArrayRef<Operand> rest = i.operands;
  const auto list = [&](ArrayRef<Operand> &into) {
    if (!rest.empty() && rest[0].kind == Operand::Kind::list) {
      into = rest[0].parts;
      rest = rest.drop_front();
    }
  };
  list(parts.results);
  if (rest.empty() || rest[0].kind != Operand::Kind::name)
    return false;
  parts.function = &rest[0];
  rest = rest.drop_front();
  list(parts.arguments);
  if (!rest.empty() && rest[0].kind == Operand::Kind::name) {
    parts.prototype = rest[0].name;
    rest = rest.drop_front();
  }
  return rest.empty();
}

/// What is called, and what it takes and gives.
struct Callee {
  Value *address = nullptr;
  FunctionType *type = nullptr;
  ArrayRef<Variable> results, parameters;
  bool may_exit = false;
};

class Call {
public:
  Call(Emitter &emitter, const Instruction &i)
      : emitter(emitter), state(emitter.state), ir(emitter.ir), i(i) {}

  void lower() {
    if (!parts_of(i, parts))
      return emitter.fail(i, "a function and its arguments expected");
    if (!find_callee())
      return;
    if (parts.arguments.size() != callee.parameters.size() ||
        parts.results.size() != callee.results.size())
      return emitter.fail(i, "'" + parts.function->name +
                                 "' has another number of parameters");
    SmallVector<Value *, 8> arguments;
    for (auto [operand, parameter] : zip(parts.arguments, callee.parameters))
      arguments.push_back(argument(operand, parameter));
    if (!state.module.error.empty())
      return;
    CallInst *call = ir.CreateCall(callee.type, callee.address, arguments);
    mark_parameters(*call, callee.parameters);
    call->setConvergent();
    unsigned at = 0;
    if (callee.may_exit)
      check_exit(part(call, at++));
    for (auto [operand, result] : zip(parts.results, callee.results))
      store_result(operand, result, part(call, at++));
  }

private:
  bool find_callee() {
    const StringRef name = parts.function->name;
    if (const Place *place = state.find(name);
        place && place->variable->space == Space::reg)
      return find_indirect();
    llvm::Function *function = state.module.functions.lookup(name);
    const Function *source = state.module.declarations.lookup(name);
    if (!function || !source || source->is_kernel) {
      emitter.fail(i, "the function '" + name + "' is not declared");
      return false;
    }
    callee = {function, function->getFunctionType(), source->results,
              source->parameters, state.module.may_exit.lookup(name)};
    return true;
  }

  bool find_indirect() {
    const Prototype *prototype = state.find_prototype(parts.prototype);
    if (!prototype) {
      emitter.fail(i, "a .callprototype is missing");
      return false;
    }
    callee.address = ir.CreateIntToPtr(emitter.read(*parts.function, Type::b64),
                                       ir.getPtrTy());
    callee.results = prototype->results;
    callee.parameters = prototype->parameters;
    callee.type = function_type(callee.results, callee.parameters, false,
                                address_space(Space::local, emitter.module),
                                ir.getContext());
    return true;
  }

  /// The place of a call's .param variable; null for a register or constant.
  const Place *parameter_place(const Operand &operand) {
    if (operand.kind != Operand::Kind::name)
      return nullptr;
    const Place *place = state.find(operand.name);
    return place && place->variable->space == Space::param ? place : nullptr;
  }

  Value *argument(const Operand &operand, const Variable &parameter) {
    const Passed passed = how_passed(parameter, ir.getContext());
    const Place *place = parameter_place(operand);
    if (!place) {
      if (passed.kind != Passed::Kind::value || passed.type->isArrayTy()) {
        emitter.fail(i, "a variable in .param expected for a structure");
        return nullptr;
      }
      return ir.CreateBitCast(emitter.read(operand, parameter.type),
                              passed.type);
    }
    if (passed.kind != Passed::Kind::pointer &&
        place->variable->bytes() < parameter.bytes()) {
      emitter.fail(i, "'" + operand.name + "' is smaller than the parameter");
      return nullptr;
    }
    if (passed.kind == Passed::Kind::value)
      return ir.CreateLoad(passed.type, place->storage);
    return ir.CreateAddrSpaceCast(
        place->storage,
        passed.argument(address_space(Space::local, emitter.module)));
  }

  /// One result of a call.
  Value *part(CallInst *call, unsigned at) {
    return call->getType()->isStructTy() ? ir.CreateExtractValue(call, at)
                                         : call;
  }

  /// A thread that ended in the called function ends here, too.
  void check_exit(Value *exited) {
    auto *ends = BasicBlock::Create(ir.getContext(), "exited", &state.target);
    auto *stays = BasicBlock::Create(ir.getContext(), "stays", &state.target);
    ir.CreateCondBr(exited, ends, stays);
    ir.SetInsertPoint(ends);
    emit_return(emitter, /*exits=*/true);
    ir.SetInsertPoint(stays);
  }

  void store_result(const Operand &operand, const Variable &result,
                    Value *value) {
    if (operand.kind == Operand::Kind::sink)
      return;
    const Place *place = parameter_place(operand);
    if (!place) {
      if (value->getType()->isArrayTy())
        return emitter.fail(i, "a variable in .param expected for a result");
      return emitter.write(operand, value, result.type);
    }
    if (place->variable->bytes() < result.bytes())
      return emitter.fail(i, "'" + operand.name + "' is too small");
    ir.CreateStore(value, place->storage);
  }

  Emitter &emitter;
  FunctionState &state;
  IRBuilder<> &ir;
  const Instruction &i;
  CallParts parts;
  Callee callee;
};

} // namespace

bool lower_control(Emitter &emitter, const Instruction &i) {
  const StringRef opcode = i.opcode;
  if (opcode == "bra")
    lower_branch(emitter, i);
  else if (opcode == "brx")
    lower_indexed_branch(emitter, i);
  else if (opcode == "call")
    Call(emitter, i).lower();
  else if (opcode == "ret" || opcode == "exit")
    emit_return(emitter, opcode == "exit");
  else if (opcode == "trap")
    emitter.intrinsic(Intrinsic::trap, {}, {});
  else if (opcode == "nanosleep" && is_host(emitter.module))
    return true;
  else if (opcode == "nanosleep")
    emitter.intrinsic(Intrinsic::amdgcn_s_sleep, {}, {emitter.ir.getInt32(1)});
  else
    return opcode == "brkpt" || opcode == "pmevent";
  return true;
}

} // namespace gpuexec::ptx
