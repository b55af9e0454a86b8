//===-- toolchain/passes/language/lower_jumps.cpp - setjmp and longjmp ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A jmp_buf holds no registers and no stack. It holds the number of a
// function's activation and the number of a place in it: the setjmp. longjmp
// (libc-shim/process/setjmp.c) notes both in the thread's record and returns,
// as do all functions up to the activation with that number
// (shared/unwinding.h), which branches behind its setjmp.
//
// This branch is an edge of the function's control flow like any other. Values
// that are used behind a setjmp and are computed elsewhere go through memory,
// so that they are right on either way; the optimiser then makes registers of
// them again. A variable that is not volatile and has changed since the setjmp
// has its latest value, or the one that it had at the setjmp: as C allows.
//
// Before the link calls of setjmp are left alone. LLVM knows them as calls that
// may return twice: it does not inline their function, and moves no values that
// a second return would find changed.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/lifetimes.h"
#include "toolchain/passes/shared/thread_record.h"
#include "toolchain/passes/shared/unwinding.h"
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;
using gpuexec::RecordMember;

namespace {

/// The functions that return twice. A call without a buffer (configure's test
/// for the function) is none of setjmp. sigsetjmp also saves the signal mask,
/// which its definition does.
constexpr const char *SETJMPS[] = {"setjmp", "_setjmp", "sigsetjmp",
                                   "__sigsetjmp", "__gpuexec_builtin_setjmp"};
/// Large variables of the functions that a jump leaves (move_large_variables)
/// are freed where it is taken. Only in programs that have such variables.
constexpr const char NEWEST_VARIABLES[] = "__large_variables",
                     FREE_VARIABLES[] = "__free_large_variables";
constexpr const char JUMP[] = "__gpuexec_jump";
constexpr const char LOST[] = "__gpuexec_lost_jump";

using Sites = MapVector<Function *, SmallVector<CallInst *>>;

Sites find_setjmps(Module &module) {
  Sites sites;
  for (const char *name : SETJMPS)
    if (Function *setjmp = module.getFunction(name))
      for (User *user : setjmp->users())
        if (auto *call = dyn_cast<CallInst>(user);
            call && call->getCalledOperand() == setjmp && call->arg_size() &&
            call->getArgOperand(0)->getType()->isPointerTy())
          sites[call->getFunction()].push_back(call);
  return sites;
}

//===-- Sources and kernels -----------------------------------------------===//

/// Defines void __gpuexec_jump(i64 target, i32 label, i64 value).
void define_jump(Function &jump) {
  IRBuilder<> builder(BasicBlock::Create(jump.getContext(), "", &jump));
  jump.setLinkage(GlobalValue::InternalLinkage);
  jump.setVisibility(GlobalValue::DefaultVisibility);
  Value *record = gpuexec::record(builder);
  const auto set = [&](RecordMember which, Value *value) {
    builder.CreateStore(value, gpuexec::member(builder, record, which));
  };
  set(RecordMember::target, jump.getArg(0));
  set(RecordMember::label, jump.getArg(1));
  set(RecordMember::value, jump.getArg(2));
  set(RecordMember::jumping, builder.getInt32(1));
  builder.CreateRetVoid();
}

void initialise_record(Function &kernel) {
  IRBuilder<> builder(kernel.getContext());
  Value *record = gpuexec::make_record(kernel, builder);
  builder.CreateStore(builder.getInt32(0),
                      gpuexec::member(builder, record, RecordMember::jumping));
  builder.CreateStore(builder.getInt64(1),
                      gpuexec::member(builder, record, RecordMember::next));
}

//===-- Targets -----------------------------------------------------------===//

/// Is the value used where the branch to a setjmp may have passed over it?
bool crosses_blocks(const Instruction &instruction) {
  return any_of(instruction.users(), [&](const User *user) {
    return cast<Instruction>(user)->getParent() != instruction.getParent() ||
           isa<PHINode>(user);
  });
}

/// Moves to memory what is live between blocks, except `valid_everywhere`.
void demote(Function &function, ArrayRef<Value *> valid_everywhere) {
  SmallVector<Instruction *> values;
  SmallVector<PHINode *> phis;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block) {
      if (auto *phi = dyn_cast<PHINode>(&instruction))
        phis.push_back(phi);
      auto *alloca = dyn_cast<AllocaInst>(&instruction);
      if (!(alloca && alloca->isStaticAlloca()) &&
          !is_contained(valid_everywhere, &instruction) &&
          !instruction.getType()->isTokenTy() && crosses_blocks(instruction))
        values.push_back(&instruction);
    }
  for (Instruction *value : values)
    DemoteRegToStack(*value);
  for (PHINode *phi : phis)
    DemotePHIToStack(phi);
}

/// A function that calls setjmp, as the target of jumps.
class Target {
public:
  Target(Function &function, Function &lost) : function(function), lost(lost) {}

  /// Replaces the calls.
  gpuexec::Landing lower(ArrayRef<CallInst *> setjmps);

private:
  void find_left(ArrayRef<CallInst *> setjmps);
  void number_activation();
  BasicBlock *split(CallInst *setjmp);
  AllocaInst *variable(Type *type);
  void keep_variables(IRBuilder<> &builder);
  BasicBlock *free_variables(BasicBlock *behind, AllocaInst *kept);
  BasicBlock *make_landing(ArrayRef<BasicBlock *> behind);
  void lower(CallInst &setjmp, uint32_t label);

  Function &function, &lost;
  Value *record = nullptr;
  Value *activation = nullptr;  ///< i64, of this call of the function
  AllocaInst *result = nullptr; ///< i32, what setjmp returns
  /// Whose lifetimes had not begun at any setjmp: a jump to one leaves their
  /// scopes.
  SmallVector<AllocaInst *> left;
  /// Of each setjmp: what __large_variables() returned there.
  SmallVector<AllocaInst *> kept;
};

void Target::find_left(ArrayRef<CallInst *> setjmps) {
  const SmallVector<AllocaInst *> variables =
      gpuexec::variables_with_lifetimes(function);
  const gpuexec::LiveVariables lifetimes(function, variables);
  SmallPtrSet<const AllocaInst *, 8> alive;
  for (CallInst *setjmp : setjmps)
    for (const AllocaInst *variable : lifetimes.alive_after(*setjmp))
      alive.insert(variable);
  copy_if(variables, std::back_inserter(left), [&](const AllocaInst *variable) {
    return !alive.contains(variable);
  });
}

void Target::number_activation() {
  IRBuilder<> builder(function.getContext());
  record = gpuexec::record_at_start(function, builder);
  Value *next = gpuexec::member(builder, record, RecordMember::next);
  activation = builder.CreateLoad(builder.getInt64Ty(), next);
  builder.CreateStore(builder.CreateAdd(activation, builder.getInt64(1)), next);
  result = variable(builder.getInt32Ty());
}

AllocaInst *Target::variable(Type *type) {
  IRBuilder<> builder(function.getContext());
  builder.SetInsertPointPastAllocas(&function);
  return builder.CreateAlloca(
      type, function.getParent()->getDataLayout().getAllocaAddrSpace());
}

void Target::keep_variables(IRBuilder<> &builder) {
  Function *newest = function.getParent()->getFunction(NEWEST_VARIABLES);
  if (!newest)
    return;
  kept.push_back(variable(newest->getReturnType()));
  builder.CreateStore(builder.CreateCall(newest), kept.back());
}

/// A block in front of `behind` that frees the variables of left functions.
BasicBlock *Target::free_variables(BasicBlock *behind, AllocaInst *kept) {
  Function *free = function.getParent()->getFunction(FREE_VARIABLES);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  builder.CreateCall(free,
                     {builder.CreateLoad(free->getArg(0)->getType(), kept)});
  return builder.CreateBr(behind)->getParent();
}

/// The block behind the call, which gets its result from memory.
BasicBlock *Target::split(CallInst *setjmp) {
  BasicBlock *behind =
      setjmp->getParent()->splitBasicBlock(setjmp->getNextNode());
  IRBuilder<> builder(behind, behind->begin());
  Value *value = builder.CreateLoad(builder.getInt32Ty(), result);
  setjmp->replaceAllUsesWith(
      builder.CreateIntCast(value, setjmp->getType(), true));
  return behind;
}

/// Writes the target to the buffer, and 0 as the result.
void Target::lower(CallInst &setjmp, uint32_t label) {
  IRBuilder<> builder(setjmp.getParent()->getTerminator());
  Value *buffer = setjmp.getArgOperand(0);
  builder.CreateAlignedStore(activation, buffer, Align(8));
  builder.CreateAlignedStore(
      builder.getInt32(label),
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer, 8),
      Align(8));
  builder.CreateStore(builder.getInt32(0), result);
  keep_variables(builder);
  Function *called = setjmp.getCalledFunction();
  if (called->getName().contains("sigsetjmp"))
    setjmp.removeFnAttr(Attribute::ReturnsTwice);
  else
    setjmp.eraseFromParent();
}

/// Takes the jump if it is to this activation, or leaves the function.
BasicBlock *Target::make_landing(ArrayRef<BasicBlock *> behind) {
  LLVMContext &context = function.getContext();
  BasicBlock *landing = BasicBlock::Create(context, "landing", &function);
  BasicBlock *taken = BasicBlock::Create(context, "", &function);
  BasicBlock *invalid = BasicBlock::Create(context, "", &function);
  IRBuilder<> builder(landing);
  const auto load = [&](RecordMember which, Type *type) {
    return builder.CreateLoad(type, gpuexec::member(builder, record, which));
  };
  builder.CreateCondBr(
      builder.CreateICmpEQ(load(RecordMember::target, builder.getInt64Ty()),
                           activation),
      taken, gpuexec::add_way_out(function, lost));
  builder.SetInsertPoint(taken);
  builder.CreateStore(builder.getInt32(0),
                      gpuexec::member(builder, record, RecordMember::jumping));
  builder.CreateStore(
      builder.CreateTrunc(load(RecordMember::value, builder.getInt64Ty()),
                          builder.getInt32Ty()),
      result);
  SwitchInst *places =
      builder.CreateSwitch(load(RecordMember::label, builder.getInt32Ty()),
                           invalid, unsigned(behind.size()));
  for (uint32_t i = 0; i < behind.size(); ++i)
    places->addCase(builder.getInt32(i),
                    kept.empty() ? behind[i]
                                 : free_variables(behind[i], kept[i]));
  builder.SetInsertPoint(invalid);
  builder.CreateUnreachable();
  return landing;
}

gpuexec::Landing Target::lower(ArrayRef<CallInst *> setjmps) {
  SmallVector<BasicBlock *> behind;
  find_left(setjmps);
  number_activation();
  for (CallInst *setjmp : setjmps)
    behind.push_back(split(setjmp));
  for (uint32_t i = 0; i < setjmps.size(); ++i)
    lower(*setjmps[i], i);
  demote(function, {record, activation}); // computed at the beginning
  return {make_landing(behind), left};
}

/// The functions that only this pass calls need not be kept any more.
void release(Module &module, ArrayRef<const char *> names) {
  removeFromUsedLists(module, [&](Constant *used) {
    return any_of(names, [&](StringRef name) {
      return used->stripPointerCasts()->getName() == name;
    });
  });
  for (const char *name : names)
    if (Function *function = module.getFunction(name);
        function && function->hasLocalLinkage() && function->use_empty())
      function->eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::lower_jumps(Module &module,
                                       ModuleAnalysisManager &) {
  Function *jump = module.getFunction(JUMP);
  Sites setjmps = find_setjmps(module);
  if (!jump && setjmps.empty()) {
    release(module, {FREE_VARIABLES, NEWEST_VARIABLES});
    return PreservedAnalyses::none();
  }
  Function *lost = module.getFunction(LOST);
  if (!lost) {
    module.getContext().emitError("setjmp and longjmp are not gpuexec's");
    return PreservedAnalyses::all();
  }
  SmallVector<Function *> sources;
  if (jump) {
    define_jump(*jump);
    sources.push_back(jump);
  }
  Landings landings;
  for (auto &[function, calls] : setjmps)
    landings[function] = Target(*function, *lost).lower(calls);
  // In front of what the targets among the kernels do at their beginnings.
  for (Function &function : module)
    if (is_kernel(function) && !function.isDeclaration())
      initialise_record(function);
  const Jumpers jumpers(module, sources);
  if (const Function *opaque = jumpers.opaque())
    module.getContext().emitError(
        "longjmp may have to pass through '" + opaque->getName() +
        "', which was compiled without link-time optimisation (-fno-lto) "
        "or is undefined");
  unwind_by_returning(module, jumpers, landings, *lost);
  release(module, {FREE_VARIABLES, NEWEST_VARIABLES, LOST});
  return PreservedAnalyses::none();
}
