//===-- toolchain/passes/shared/exceptions.cpp - See exceptions.h ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/exceptions.h"
#include "toolchain/passes/shared/runtime.h"
#include "toolchain/passes/shared/thread_record.h"
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace gpuexec {

namespace {

/// The type_info of a clause, null for everything.
Constant *type_of(Value *clause) {
  return cast<Constant>(clause->stripPointerCasts());
}

bool takes_everything(const LandingPadInst &pad) {
  for (unsigned i = 0; i < pad.getNumClauses(); ++i)
    if (pad.isCatch(i) && isa<ConstantPointerNull>(pad.getClause(i)))
      return true;
  return false;
}

/// Makes calls of the invokes that are tested as other calls are, or never.
bool is_plain(const InvokeInst &invoke, Unwinding &unwinding) {
  return !unwinding.may_unwind(invoke, UnwindStatus::exception);
}

} // namespace

//===-- Functions with landing pads ---------------------------------------===//

/// Lowers the exceptions of one function.
class FunctionWithPads {
public:
  FunctionWithPads(Function &function, Exceptions &exceptions)
      : function(function), exceptions(exceptions),
        unwinding(exceptions.unwinding) {}

  void lower();

private:
  void replace_invokes();
  void replace(InvokeInst &invoke);
  void note_handlers();
  void make_frame();
  void lower(LandingPadInst &pad);
  void lower(ResumeInst &resume);
  Value *load(IRBuilder<> &builder, RecordMember which, Type *type) const;
  void leave(IRBuilder<> &builder, Value *exception);
  BasicBlock *way_out();

  Function &function;
  Exceptions &exceptions;
  Unwinding &unwinding;
  Value *record = nullptr;
  Value *frame = nullptr; ///< i64, its address; null: the function has none
  AllocaInst *frame_memory = nullptr;
  BasicBlock *out = nullptr;
  /// What applies to the calls that were invokes: a list of clauses.
  DenseMap<const CallInst *, Constant *> handlers;
};

BasicBlock *FunctionWithPads::way_out() {
  if (!out)
    out = unwinding.add_way_out(function);
  return out;
}

Value *FunctionWithPads::load(IRBuilder<> &builder, RecordMember which,
                              Type *type) const {
  return builder.CreateLoad(type, member(builder, record, which));
}

/// A call, a test, and a branch to the landing pad, whose phis stay as they
/// are: the edge comes from the same block.
void FunctionWithPads::replace(InvokeInst &invoke) {
  LandingPadInst &pad = *invoke.getLandingPadInst();
  CallInst *call = createCallMatchingInvoke(&invoke);
  call->takeName(&invoke);
  call->insertBefore(invoke.getIterator());
  invoke.replaceAllUsesWith(call);
  BranchInst::Create(invoke.getNormalDest(), invoke.getIterator());
  handlers[call] = exceptions.clauses_of(pad);
  BasicBlock *away = invoke.getUnwindDest();
  invoke.eraseFromParent();
  unwinding.add_landing(*call, record, away);
}

void FunctionWithPads::replace_invokes() {
  SmallVector<InvokeInst *> invokes;
  for (BasicBlock &block : function)
    if (auto *invoke = dyn_cast<InvokeInst>(block.getTerminator()))
      invokes.push_back(invoke);
  // Landings of jumps are not reached yet: they and what they reach stay.
  df_iterator_default_set<BasicBlock *> before, now;
  for (BasicBlock *block : depth_first_ext(&function, before))
    (void)block;
  SmallVector<BasicBlock *> roots = {&function.getEntryBlock()};
  for (BasicBlock &block : function)
    if (!before.contains(&block))
      roots.push_back(&block);
  for (InvokeInst *invoke : invokes)
    if (is_plain(*invoke, unwinding))
      changeToCall(invoke);
    else
      replace(*invoke);
  for (BasicBlock *root : roots)
    for (BasicBlock *block : depth_first_ext(root, now))
      (void)block;
  // Handlers that no call reaches any more, and the tests within them.
  SmallVector<BasicBlock *> left;
  for (BasicBlock &block : function)
    if (!now.contains(&block))
      left.push_back(&block);
  DeleteDeadBlocks(left);
}

/// Puts a frame on the thread's list.
void FunctionWithPads::make_frame() {
  LLVMContext &context = function.getContext();
  IRBuilder<> builder(context);
  builder.SetInsertPointPastAllocas(&function);
  const DataLayout &layout = function.getDataLayout();
  Type *word = builder.getInt64Ty();
  frame_memory = builder.CreateAlloca(StructType::get(context, {word, word}),
                                      layout.getAllocaAddrSpace());
  frame_memory->setAlignment(Align(8));
  builder.SetInsertPoint(cast<Instruction>(record)->getNextNode());
  Value *generic =
      builder.CreateAddrSpaceCast(frame_memory, PointerType::get(context, 0));
  frame = builder.CreatePtrToInt(generic, word);
  Value *older = load(builder, RecordMember::handlers, word);
  builder.CreateStore(older,
                      member(builder, generic, RuntimeMember::frame_older));
  builder.CreateStore(builder.getInt64(0),
                      member(builder, generic, RuntimeMember::frame_clauses));
  builder.CreateStore(frame, member(builder, record, RecordMember::handlers));
  exceptions.older[&function] = older;
}

/// Notes in front of each call that may unwind which handlers apply to it, if
/// the frame does not say so already.
void FunctionWithPads::note_handlers() {
  Constant *none = nullptr, *unknown = &function; // no list
  DenseMap<const BasicBlock *, Constant *> at_end;
  ReversePostOrderTraversal<Function *> blocks(&function);
  const auto at_start = [&](BasicBlock *block) {
    if (block == &function.getEntryBlock())
      return none;
    std::optional<Constant *> common;
    for (BasicBlock *before : predecessors(block))
      if (auto known = at_end.find(before); known != at_end.end()) {
        if (common && *common != known->second)
          return unknown;
        common = known->second;
      }
    return common ? *common : unknown;
  };
  const auto visit = [&](BasicBlock *block, bool store) {
    Constant *noted = at_start(block);
    for (Instruction &instruction : *block) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call || !unwinding.may_unwind(*call, UnwindStatus::exception))
        continue;
      Constant *wanted = handlers.lookup(call);
      if (store && noted != wanted) {
        IRBuilder<> builder(call);
        Type *word = builder.getInt64Ty();
        Value *value = wanted ? builder.CreatePtrToInt(wanted, word)
                              : ConstantInt::get(word, 0);
        builder.CreateStore(
            value, member(builder, frame_memory, RuntimeMember::frame_clauses));
      }
      noted = wanted;
    }
    const auto [place, is_new] = at_end.try_emplace(block, noted);
    const bool changed = is_new || place->second != noted;
    place->second = noted;
    return changed;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : blocks)
      changed |= visit(block, false);
  }
  for (BasicBlock *block : blocks)
    visit(block, true);
}

/// The exception goes on.
void FunctionWithPads::leave(IRBuilder<> &builder, Value *exception) {
  builder.CreateStore(exception, member(builder, record, RecordMember::value));
  set_status(builder, record, UnwindStatus::exception);
  builder.CreateBr(way_out());
}

void FunctionWithPads::lower(LandingPadInst &pad) {
  LLVMContext &context = function.getContext();
  BasicBlock *begin = pad.getParent();
  BasicBlock *taken = begin->splitBasicBlock(&pad);
  begin->getTerminator()->eraseFromParent();
  IRBuilder<> builder(begin);
  builder.SetCurrentDebugLocation(pad.getDebugLoc());
  if (unwinding.has_sources(UnwindStatus::jump)) { // passes by the handlers
    BasicBlock *rest = BasicBlock::Create(context, "", &function, taken);
    BasicBlock *landing = unwinding.landing(function);
    builder.CreateCondBr(is_unwinding(builder, record, UnwindStatus::jump),
                         landing ? landing : way_out(), rest);
    builder.SetInsertPoint(rest);
  }
  Value *exception = load(builder, RecordMember::value, builder.getInt64Ty());
  Value *address =
      builder.CreateIntToPtr(exception, PointerType::get(context, 0));
  const auto load_member = [&](RuntimeMember which, Type *type) {
    return builder.CreateLoad(type, member(builder, address, which));
  };
  Value *selector = builder.getInt32(0);
  Value *is_ours = nullptr;
  if (frame && pad.getNumClauses()) {
    is_ours = builder.CreateICmpEQ(
        load_member(RuntimeMember::exception_frame, builder.getInt64Ty()),
        frame);
    selector = builder.CreateSelect(
        is_ours,
        builder.CreateTrunc(load_member(RuntimeMember::exception_selector,
                                        builder.getInt64Ty()),
                            builder.getInt32Ty()),
        selector);
  }
  if (!pad.isCleanup() && !takes_everything(pad)) {
    builder.CreateCondBr(is_ours, taken, way_out());
  } else {
    builder.CreateBr(taken);
  }
  builder.SetInsertPoint(&pad);
  set_status(builder, record, UnwindStatus::none);
  Value *both =
      builder.CreateInsertValue(PoisonValue::get(pad.getType()), address, 0);
  both = builder.CreateInsertValue(both, selector, 1);
  pad.replaceAllUsesWith(both);
  pad.eraseFromParent();
}

void FunctionWithPads::lower(ResumeInst &resume) {
  IRBuilder<> builder(&resume);
  Value *exception = builder.CreateExtractValue(resume.getValue(), 0);
  leave(builder, builder.CreatePtrToInt(exception, builder.getInt64Ty()));
  resume.eraseFromParent();
}

void FunctionWithPads::lower() {
  IRBuilder<> builder(function.getContext());
  record = record_at_start(function, builder);
  replace_invokes();
  SmallVector<LandingPadInst *> pads;
  SmallVector<ResumeInst *> resumes;
  for (Instruction &instruction : instructions(function))
    if (auto *pad = dyn_cast<LandingPadInst>(&instruction))
      pads.push_back(pad);
    else if (auto *resume = dyn_cast<ResumeInst>(&instruction))
      resumes.push_back(resume);
  if (any_of(pads, [](LandingPadInst *pad) { return pad->getNumClauses(); })) {
    make_frame();
    note_handlers();
  }
  for (LandingPadInst *pad : pads)
    lower(*pad);
  for (ResumeInst *resume : resumes)
    lower(*resume);
  function.setPersonalityFn(nullptr);
}

//===-- Exceptions --------------------------------------------------------===//

namespace {

/// Defines void __gpuexec_begin_throw(void *exception).
void define_throw(Function &function) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  function.setLinkage(GlobalValue::InternalLinkage);
  function.setVisibility(GlobalValue::DefaultVisibility);
  Value *record = gpuexec::record(builder);
  builder.CreateStore(
      builder.CreatePtrToInt(function.getArg(0), builder.getInt64Ty()),
      member(builder, record, RecordMember::value));
  set_status(builder, record, UnwindStatus::exception);
  builder.CreateRetVoid();
}

/// Defines handler_frame *__gpuexec_newest_handlers(void).
void define_frames(Function &function) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  function.setLinkage(GlobalValue::InternalLinkage);
  function.setVisibility(GlobalValue::DefaultVisibility);
  Value *newest = builder.CreateLoad(
      builder.getInt64Ty(),
      member(builder, gpuexec::record(builder), RecordMember::handlers));
  builder.CreateRet(builder.CreateIntToPtr(newest, function.getReturnType()));
}

/// setjmp never unwinds, but its declaration does not say so.
void call_setjmps(Module &module) {
  for (RuntimeGroup group : {RuntimeGroup::setjmp, RuntimeGroup::sigsetjmp,
                             RuntimeGroup::builtin_setjmp})
    for (StringRef name : names_of(group))
      if (Function *setjmp = module.getFunction(name))
        for (User *user : make_early_inc_range(setjmp->users()))
          if (auto *invoke = dyn_cast<InvokeInst>(user);
              invoke && invoke->getCalledOperand() == setjmp)
            changeToCall(invoke);
}

} // namespace

bool Exceptions::begin() {
  Function *source = find_runtime(module, Runtime::begin_throw);
  if (!source && none_of(module, [](const Function &function) {
        return function.hasPersonalityFn();
      }))
    return false;
  call_setjmps(module);
  if (source) {
    define_throw(*source);
    unwinding.add_source(*source, UnwindStatus::exception);
  }
  if (Function *frames = find_runtime(module, Runtime::newest_handlers))
    define_frames(*frames);
  return true;
}

/// Replaces llvm.eh.typeid.for, and gives each type of a clause a number.
void Exceptions::number_types() {
  SmallVector<IntrinsicInst *> asked;
  for (Function &function : module)
    if (function.getIntrinsicID() == Intrinsic::eh_typeid_for)
      for (User *user : function.users())
        asked.push_back(cast<IntrinsicInst>(user));
  for (IntrinsicInst *call : asked) {
    const uint32_t next = uint32_t(numbers.size()) + 1;
    const uint32_t number =
        numbers.try_emplace(type_of(call->getArgOperand(0)), next)
            .first->second;
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), number));
    call->eraseFromParent();
  }
}

/// The list of a pad's clauses as libc-shim/unwind/ reads it, or null.
Constant *Exceptions::clauses_of(const LandingPadInst &pad) {
  if (!pad.getNumClauses())
    return nullptr;
  LLVMContext &context = module.getContext();
  Type *word = Type::getInt32Ty(context);
  PointerType *pointer = PointerType::get(context, 0);
  SmallVector<Constant *> rows;
  const auto add = [&](uint64_t kind, uint64_t selector, Constant *type) {
    rows.push_back(ConstantStruct::getAnon(
        {type->isNullValue()
             ? ConstantPointerNull::get(pointer)
             : ConstantExpr::getPointerBitCastOrAddrSpaceCast(type, pointer),
         ConstantInt::get(word, kind), ConstantInt::get(word, selector)}));
  };
  Constant *null = ConstantPointerNull::get(pointer);
  for (unsigned i = 0; i < pad.getNumClauses(); ++i) {
    Constant *clause = pad.getClause(i);
    if (pad.isCatch(i)) {
      Constant *type = type_of(clause);
      add(CLAUSE_CATCH,
          numbers.try_emplace(type, numbers.size() + 1).first->second, type);
      continue;
    }
    // A selector of its own for each filter: it only has to be negative.
    add(CLAUSE_FILTER, uint32_t(-int32_t(i) - 1), null);
    for (unsigned at = 0;
         at < cast<ArrayType>(clause->getType())->getNumElements(); ++at)
      add(CLAUSE_ALLOWED, 0, type_of(clause->getAggregateElement(at)));
  }
  add(CLAUSE_END, 0, null);
  ArrayType *type = ArrayType::get(rows.front()->getType(), rows.size());
  Constant *list = ConstantArray::get(type, rows);
  GlobalVariable *&variable = lists[list];
  if (!variable) {
    variable = new GlobalVariable(
        module, type, true, GlobalValue::InternalLinkage, list,
        name_of(RuntimeName::clauses), nullptr, GlobalValue::NotThreadLocal,
        module.getDataLayout().getDefaultGlobalsAddressSpace());
    variable->setAlignment(Align(8));
  }
  return variable;
}

void Exceptions::lower() {
  number_types();
  for (Function &function : module)
    if (is_kernel(function) && !function.isDeclaration() &&
        unwinding.has_sources(UnwindStatus::exception)) {
      IRBuilder<> builder(module.getContext());
      Value *record = make_long_record(function, builder);
      builder.CreateStore(builder.getInt64(0),
                          member(builder, record, RecordMember::handlers));
    }
  for (Function &function : module)
    if (function.hasPersonalityFn() && !function.isDeclaration())
      FunctionWithPads(function, *this).lower();
}

void Exceptions::finish() {
  for (auto &[function, value] : older)
    for (BasicBlock &block : *function)
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
        // The store stands between the call and the return.
        if (CallInst *last = block.getTerminatingMustTailCall())
          last->setTailCallKind(CallInst::TCK_None);
        IRBuilder<> builder(end);
        builder.CreateStore(value, member(builder, gpuexec::record(builder),
                                          RecordMember::handlers));
      }
  for (Function &function : module) {
    function.setDoesNotThrow();
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        call->setDoesNotThrow();
  }
}

} // namespace gpuexec
