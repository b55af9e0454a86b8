//===-- emulator/ptx/lower/function.cpp - See function.h ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/function.h"
#include "emulator/ptx/lower/host.h"
#include "emulator/ptx/lower/signature.h"
#include "emulator/ptx/lower/variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// The most threads of a block, if the kernel does not say less.
constexpr uint64_t MOST_THREADS = 1024;

void set_block_size(llvm::Function &target, const Function &source) {
  auto product = [](const uint32_t(&sizes)[3]) {
    uint64_t all = 1;
    for (uint32_t size : sizes)
      all *= std::min<uint64_t>(size, MOST_THREADS + 1);
    return all;
  };
  uint64_t most = product(source.required_threads);
  if (!most)
    most = product(source.max_threads);
  if (!most || most > MOST_THREADS)
    most = MOST_THREADS;
  target.addFnAttr("amdgpu-flat-work-group-size", "1," + std::to_string(most));
  target.addFnAttr("uniform-work-group-size", "true");
}

llvm::Type *bytes_type(const Variable &variable, LLVMContext &context) {
  if (!variable.is_array() && variable.vector == 1)
    return IntegerType::get(context, std::max(bits_of(variable.type), 8u));
  return ArrayType::get(llvm::Type::getInt8Ty(context), variable.bytes());
}

/// Parameters by reference lie in the segment of arguments, each behind the
/// one before, aligned by PTX's rules.
llvm::Function *declare_kernel(ModuleState &module, const Function &source) {
  LLVMContext &context = module.target.getContext();
  llvm::Type *pointer =
      PointerType::get(context, address_space(Space::constant, module.target));
  const SmallVector<llvm::Type *, 8> types(source.parameters.size(), pointer);
  auto *target = llvm::Function::Create(
      FunctionType::get(llvm::Type::getVoidTy(context), types, false),
      GlobalValue::ExternalLinkage, source.name, module.target);
  if (is_host(module.target))
    target->setSection(host::KERNEL_SECTION);
  else
    target->setCallingConv(CallingConv::AMDGPU_KERNEL);
  target->setVisibility(GlobalValue::ProtectedVisibility);
  for (auto [at, parameter] : enumerate(source.parameters)) {
    target->getArg(at)->setName(parameter.name);
    target->addParamAttr(at, Attribute::getWithByRefType(
                                 context, bytes_type(parameter, context)));
    target->addParamAttr(
        at, Attribute::getWithAlignment(context,
                                        Align(parameter.alignment_in_bytes())));
  }
  set_block_size(*target, source);
  return target;
}

} // namespace

llvm::Function *declare_function(ModuleState &module, const Function &source) {
  llvm::Function *target = nullptr;
  if (source.is_kernel) {
    target = declare_kernel(module, source);
  } else {
    const bool may_exit = module.may_exit.lookup(source.name);
    target = llvm::Function::Create(
        function_type(source.results, source.parameters, may_exit,
                      address_space(Space::local, module.target),
                      module.target.getContext()),
        !source.body || source.is_visible ? GlobalValue::ExternalLinkage
        : source.is_weak                  ? GlobalValue::WeakAnyLinkage
                                          : GlobalValue::InternalLinkage,
        source.name, module.target);
    mark_parameters(*target, source.parameters);
  }
  target->setConvergent();
  target->setDoesNotThrow();
  // One that ends its thread returns that it has.
  if (source.is_noreturn && !module.may_exit.lookup(source.name))
    target->setDoesNotReturn();
  return target;
}

void emit_return(Emitter &emitter, bool exits) {
  FunctionState &state = emitter.state;
  IRBuilder<> &ir = emitter.ir;
  llvm::Type *type = state.target.getReturnType();
  const bool may_exit = state.module.may_exit.lookup(state.source.name);
  if (exits && !state.source.is_kernel && !may_exit) {
    // A function that is called by its address cannot tell its caller.
    if (is_host(emitter.module))
      unfit(emitter, "exit in a function that is called by its address");
    else
      emitter.intrinsic(Intrinsic::amdgcn_endpgm, {}, {});
    ir.CreateUnreachable();
    return;
  }
  if (type->isVoidTy()) {
    ir.CreateRetVoid();
    return;
  }
  SmallVector<Value *, 4> values;
  if (may_exit)
    values.push_back(ir.getInt1(exits));
  for (const Place &place : state.results) {
    llvm::Type *each =
        how_passed(*place.variable, emitter.module.getContext()).type;
    values.push_back(exits ? PoisonValue::get(each)
                           : (Value *)ir.CreateLoad(each, place.storage));
  }
  if (!type->isStructTy()) {
    ir.CreateRet(values[0]);
    return;
  }
  Value *all = PoisonValue::get(type);
  for (auto [at, value] : enumerate(values))
    all = ir.CreateInsertValue(all, value, at);
  ir.CreateRet(all);
}

namespace {

class Body {
public:
  Body(ModuleState &module, const Function &source, llvm::Function &target)
      : state(module, source, target), emitter(module.target, state),
        ir(emitter.ir) {}

  bool lower() {
    LLVMContext &context = state.target.getContext();
    state.entry = BasicBlock::Create(context, "entry", &state.target);
    auto *body = BasicBlock::Create(context, "body", &state.target);
    ir.SetInsertPoint(state.entry);
    ir.CreateBr(body);
    ir.SetInsertPoint(body);
    begin_locations();
    state.scopes.emplace_back();
    for (auto [at, parameter] : enumerate(state.source.parameters))
      bind_parameter(parameter, *state.target.getArg(at));
    for (const Variable &result : state.source.results)
      state.results.push_back(declare(result));
    lower_statements(*state.source.body);
    if (!is_terminated())
      emit_return(emitter, false);
    return state.module.error.empty();
  }

private:
  bool is_terminated() { return ir.GetInsertBlock()->getTerminator(); }
  bool failed() { return !state.module.error.empty(); }

  BasicBlock *new_block(StringRef name) {
    return BasicBlock::Create(state.target.getContext(), name, &state.target);
  }

  /// A variable of the function, in the innermost scope.
  Place declare(const Variable &variable) {
    Place place{&variable, nullptr};
    Scope &scope = state.scopes.back();
    if (variable.is_group) {
      scope.groups.push_back(&variable);
      return place;
    }
    if (variable.space == Space::reg)
      place.storage =
          state.allocate(register_type(variable, state.target.getContext()), 0);
    else if (variable.space == Space::local || variable.space == Space::param)
      place.storage = state.allocate(
          ArrayType::get(
              ir.getInt32Ty(),
              std::max<uint64_t>(divideCeil(variable.bytes(), 4), 1)),
          std::max(variable.alignment_in_bytes(), 4u));
    else
      place.storage = make_variable(state.module, variable);
    if (!place.storage)
      return place;
    scope.places[variable.name] = place;
    return place;
  }

  void bind_parameter(const Variable &parameter, Argument &argument) {
    const Passed passed = how_passed(parameter, state.target.getContext());
    if (state.source.is_kernel || passed.kind != Passed::Kind::value) {
      state.scopes.back().places[parameter.name] = {&parameter, &argument};
      return;
    }
    const Place place = declare(parameter);
    ir.CreateStore(&argument, place.storage);
  }

  /// Labels may be used before they stand in the text.
  void collect_labels(const Block &block) {
    Scope &scope = state.scopes.back();
    for (const Statement &each : block.statements)
      if (each.kind == Statement::Kind::label) {
        BasicBlock *&label = scope.labels[each.label];
        if (!label) // a second one is refused where it stands
          label = BasicBlock::Create(state.target.getContext(), each.label);
      } else if (each.kind == Statement::Kind::prototype)
        scope.prototypes[each.label] = each.prototype;
      else if (each.kind == Statement::Kind::branch_targets)
        scope.targets[each.label] = *each.targets;
  }

  void lower_statements(const Block &block) {
    collect_labels(block);
    for (const Statement &statement : block.statements) {
      if (failed())
        break;
      state.line = statement.line;
      lower_statement(statement);
    }
    // What an error left unplaced.
    for (auto &[name, label] : state.scopes.back().labels)
      if (!label->getParent())
        label->insertInto(&state.target);
  }

  void lower_statement(const Statement &statement) {
    switch (statement.kind) {
    case Statement::Kind::instruction:
      return lower_instruction(*statement.instruction);
    case Statement::Kind::label: {
      BasicBlock *block = state.scopes.back().labels.lookup(statement.label);
      if (block->getParent()) {
        state.fail("the label '" + statement.label + "' is there twice");
        return;
      }
      if (!is_terminated())
        ir.CreateBr(block);
      block->insertInto(&state.target);
      ir.SetInsertPoint(block);
      return;
    }
    case Statement::Kind::variable:
      declare(*statement.variable);
      return;
    case Statement::Kind::block:
      state.scopes.emplace_back();
      lower_statements(*statement.block);
      state.scopes.pop_back();
      return;
    case Statement::Kind::location:
      set_location(*statement.location);
      return;
    case Statement::Kind::prototype:
    case Statement::Kind::branch_targets:
      return;
    }
  }

  Value *guard(const Instruction &i) {
    Operand predicate;
    predicate.name = i.guard;
    predicate.negated = i.guard_negated;
    return emitter.read(predicate, Type::pred);
  }

  void lower_instruction(const Instruction &i) {
    if (is_terminated()) // behind a branch: nobody comes here
      ir.SetInsertPoint(new_block("dead"));
    if (i.guard.empty())
      return lower_form(i);
    Value *condition = guard(i);
    auto *then = new_block("then"), *after = new_block("after");
    ir.CreateCondBr(condition, then, after);
    ir.SetInsertPoint(then);
    lower_form(i);
    if (!is_terminated())
      ir.CreateBr(after);
    ir.SetInsertPoint(after);
  }

  void lower_form(const Instruction &i) {
    static constexpr bool (*FAMILIES[])(Emitter &, const Instruction &) = {
        lower_memory,     lower_control, lower_arithmetic, lower_conversion,
        lower_comparison, lower_bits,    lower_warp,       lower_atomics,
        lower_matrix,     lower_texture, lower_video};
    if (is_host(emitter.module) && is_unfit(i.opcode)) {
      unfit(emitter, i.opcode);
      ir.CreateUnreachable();
      return;
    }
    if (none_of(FAMILIES, [&](auto lower) { return lower(emitter, i); }))
      emitter.fail(i, "this instruction is not known");
  }

  void begin_locations();
  void set_location(const Location &location);

  FunctionState state;
  Emitter emitter;
  IRBuilder<> &ir;
};

/// The first .loc of a block; null if there is none.
const Location *first_location(const Block &block) {
  for (const Statement &each : block.statements) {
    if (each.kind == Statement::Kind::location)
      return each.location;
    if (each.kind == Statement::Kind::block)
      if (const Location *found = first_location(*each.block))
        return found;
  }
  return nullptr;
}

void Body::begin_locations() {
  ModuleState &module = state.module;
  const Location *first =
      module.debug ? first_location(*state.source.body) : nullptr;
  DIFile *file = first ? module.files.lookup(first->file) : nullptr;
  if (!file)
    return;
  state.subprogram = module.debug->createFunction(
      file, state.source.name, state.source.name, file, first->line,
      module.debug->createSubroutineType(
          module.debug->getOrCreateTypeArray({})),
      first->line, DINode::FlagZero, DISubprogram::SPFlagDefinition);
  state.target.setSubprogram(state.subprogram);
  set_location(*first);
}

void Body::set_location(const Location &location) {
  if (!state.subprogram)
    return;
  DIFile *file = state.module.files.lookup(location.file);
  DIScope *scope = state.subprogram;
  if (file && file != state.subprogram->getFile())
    scope = state.module.debug->createLexicalBlockFile(scope, file);
  ir.SetCurrentDebugLocation(DILocation::get(
      state.target.getContext(), location.line, location.column, scope));
}

} // namespace

bool lower_body(ModuleState &module, const Function &source,
                llvm::Function &target) {
  return Body(module, source, target).lower();
}

} // namespace gpuexec::ptx
