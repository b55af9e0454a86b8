//===-- toolchain/passes/share_variables.cpp - Local, for all threads -----===//
// No thread of a GPU reaches the stack of another one: an address there means
// something else to each. So in a program that creates threads, local variables
// whose address may get to another thread lie in memory that all threads see.
// Each thread has a stack there, in chunks that libc-shim/abi/more_frames.c
// allocates; its record says where the next variables go. When a function
// returns, its variables are free.
//
// After optimisation, when it is known what functions do with an address, and
// most variables are in registers.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/generic_pointers.h"
#include "toolchain/passes/shared/moved_variables.h"
#include "toolchain/passes/shared/thread_record.h"
#include "toolchain/passes/shared/threads.h"
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;
using gpuexec::RecordMember;

namespace {

constexpr unsigned GLOBAL = 1; // address space of both targets

/// Frames begin and end at multiples of it.
constexpr Align ALIGNMENT = Align::Constant<16>();

/// So many uses of an address are looked at.
constexpr unsigned MOST_USES = 1000;

/// The words of a thread's record that say where its shared stack ends.
struct StackTop {
  Value *frames, *end;
};

/// Puts all fixed variables in front of the function's code, which begins with
/// the instruction that is returned.
Instruction &put_variables_first(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : entry)
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && variable->isStaticAlloca())
      variables.push_back(variable);
  for (AllocaInst *variable : reverse(variables))
    variable->moveBefore(entry, entry.begin());
  return *entry.getFirstNonPHIOrDbgOrAlloca();
}

class SharedFrame {
public:
  /// `behind`: the last instruction of what begins a kernel, or null.
  SharedFrame(Function &function, Instruction *behind)
      : function(function), behind(behind) {}

  /// Moves the variables that are captured. False when there are none.
  bool move();

private:
  void find();
  StackTop load_top(IRBuilder<> &builder);
  void store_top(IRBuilder<> &builder, const StackTop &top);
  Value *push(Instruction &before, Value *size);
  Value *bytes_of(const AllocaInst &variable, IRBuilder<> &builder);
  void restore();

  Function &function;
  Instruction *behind;
  SmallVector<AllocaInst *> fixed, dynamic;
  StackTop top;
};

/// Its address is the same in all threads, each of which has its own.
bool is_record(const AllocaInst &variable) {
  return variable.getAllocatedType() ==
         gpuexec::record_type(variable.getContext());
}

bool is_of_va_list(const Instruction &instruction) {
  return isa<VAStartInst, VACopyInst, VAEndInst>(instruction);
}

/// Looks for uses by which another thread could get an address.
struct Captures : CaptureTracker {
  bool found = false;
  void tooManyUses() override { found = true; }
  Action captured(const Use *use, UseCaptureInfo info) override {
    auto *user = cast<Instruction>(use->getUser());
    if (is_of_va_list(*user) || isa<ReturnInst>(user))
      return ContinueIgnoringReturn;
    if (capturesNothing(info.UseCC))
      return Continue;
    found = true;
    return Stop;
  }
};

bool is_captured(const Value &address) {
  Captures captures;
  PointerMayBeCaptured(&address, &captures, MOST_USES);
  return captures.found;
}
bool is_captured(const AllocaInst &variable) {
  return !is_record(variable) &&
         is_captured(static_cast<const Value &>(variable));
}

/// Makes a variable of each struct that the function gets by value and whose
/// address may get to another thread.
void copy_structs(Function &function) {
  for (Argument &argument : function.args()) {
    Type *type = argument.getParamByValType();
    if (!type || !is_captured(argument))
      continue;
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    AllocaInst *copy = builder.CreateAlloca(
        type, argument.getType()->getPointerAddressSpace());
    const Align alignment =
        std::max(argument.getParamAlign().valueOrOne(), copy->getAlign());
    copy->setAlignment(alignment);
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(
        copy, alignment, &argument, argument.getParamAlign(),
        function.getDataLayout().getTypeAllocSize(type).getFixedValue());
  }
}

void SharedFrame::find() {
  SmallPtrSet<const AllocaInst *, 8> moved;
  SmallVector<const Value *> roots;
  SmallVector<AllocaInst *> others;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
      if (is_record(*variable))
        continue;
      if (!is_captured(*variable)) {
        others.push_back(variable);
        continue;
      }
      (variable->isStaticAlloca() ? fixed : dynamic).push_back(variable);
      if (variable->getAddressSpace())
        roots.push_back(variable);
    }
  const auto no_group = [](const CallBase &) { return false; };
  if (roots.empty() || gpuexec::can_become_generic(roots, no_group))
    return;
  // Their addresses mix with those of other variables: these move, too.
  for (AllocaInst *variable : others) {
    (variable->isStaticAlloca() ? fixed : dynamic).push_back(variable);
    if (variable->getAddressSpace())
      roots.push_back(variable);
  }
  if (!gpuexec::can_become_generic(roots, no_group))
    function.getContext().emitError(
        "in function '" + function.getName() +
        "' local variables cannot be shared with other threads");
}

StackTop SharedFrame::load_top(IRBuilder<> &builder) {
  Value *record = gpuexec::record(builder);
  const auto load = [&](RecordMember which) {
    return builder.CreateLoad(builder.getInt64Ty(),
                              gpuexec::member(builder, record, which));
  };
  return {load(RecordMember::frames), load(RecordMember::frames_end)};
}

void SharedFrame::store_top(IRBuilder<> &builder, const StackTop &top) {
  Value *record = gpuexec::record(builder);
  builder.CreateStore(top.frames,
                      gpuexec::member(builder, record, RecordMember::frames));
  builder.CreateStore(
      top.end, gpuexec::member(builder, record, RecordMember::frames_end));
}

/// Takes `size` bytes, a multiple of ALIGNMENT: their address.
Value *SharedFrame::push(Instruction &before, Value *size) {
  IRBuilder<> builder(&before);
  const StackTop now = load_top(builder);
  Value *behind = builder.CreateAdd(now.frames, size);
  Value *full = builder.CreateICmpUGT(behind, now.end);
  Instruction *slow = SplitBlockAndInsertIfThen(
      full, &before, /*Unreachable=*/false,
      MDBuilder(function.getContext()).createUnlikelyBranchWeights());
  // A chunk begins with two words: where it ends and where the next one begins.
  builder.SetInsertPoint(slow);
  Value *chunk = builder.CreateCall(gpuexec::more_frames(*function.getParent()),
                                    {now.end, size});
  Value *end = builder.CreateLoad(builder.getInt64Ty(), chunk);
  Value *first =
      builder.CreateAdd(builder.CreatePtrToInt(chunk, builder.getInt64Ty()),
                        builder.getInt64(2 * sizeof(uint64_t)));
  builder.SetInsertPoint(&before);
  const auto choose = [&](Value *fast, Value *other) {
    PHINode *phi = PHINode::Create(builder.getInt64Ty(), 2, "",
                                   before.getParent()->begin());
    for (BasicBlock *from : predecessors(before.getParent()))
      phi->addIncoming(from == slow->getParent() ? other : fast, from);
    return phi;
  };
  Value *address = choose(now.frames, first);
  Value *last = choose(now.end, end);
  store_top(builder, {builder.CreateAdd(address, size), last});
  return address;
}

Value *SharedFrame::bytes_of(const AllocaInst &variable, IRBuilder<> &builder) {
  const uint64_t each =
      function.getDataLayout().getTypeAllocSize(variable.getAllocatedType());
  const uint64_t extra = std::max(ALIGNMENT, variable.getAlign()).value() - 1;
  Value *count = builder.CreateZExtOrTrunc(
      const_cast<Value *>(variable.getArraySize()), builder.getInt64Ty());
  Value *bytes = builder.CreateMul(count, builder.getInt64(each));
  return builder.CreateAnd(
      builder.CreateAdd(bytes, builder.getInt64(extra + ALIGNMENT.value() - 1)),
      builder.getInt64(-ALIGNMENT.value()));
}

/// The variable is at the address from now on.
void replace(AllocaInst &variable, Value *address, IRBuilder<> &builder) {
  if (variable.getAlign() > ALIGNMENT)
    address = builder.CreateAnd(
        builder.CreateAdd(address,
                          builder.getInt64(variable.getAlign().value() - 1)),
        builder.getInt64(-variable.getAlign().value()));
  Value *pointer = builder.CreateAddrSpaceCast(
      builder.CreateIntToPtr(address, builder.getPtrTy(GLOBAL)),
      builder.getPtrTy());
  pointer->takeName(&variable);
  if (variable.getType() == pointer->getType())
    gpuexec::replace_variable(variable, pointer);
  else
    report_fatal_error("a variable that is still private");
}

/// Everything is as it was when the function returns, and where it gives back
/// the memory of a scope.
void SharedFrame::restore() {
  for (BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator())) {
      Instruction *last = block.getTerminatingMustTailCall();
      IRBuilder<> builder(last ? last : block.getTerminator());
      store_top(builder, top);
    }
  if (dynamic.empty())
    return;
  SmallVector<IntrinsicInst *> saves;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::stacksave)
      saves.push_back(call);
  for (IntrinsicInst *save : saves) {
    IRBuilder<> builder(save);
    const StackTop then = load_top(builder);
    for (User *user : save->users())
      if (auto *call = dyn_cast<IntrinsicInst>(user);
          call && call->getIntrinsicID() == Intrinsic::stackrestore) {
        builder.SetInsertPoint(call);
        store_top(builder, then);
      }
  }
}

/// LLVM's backend wants lists of variable arguments on the stack. A list is a
/// pointer.
void keep_lists_private(Function &function,
                        function_ref<bool(const Value &)> moves) {
  SmallVector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (is_of_va_list(instruction) &&
        any_of(cast<CallInst>(instruction).args(),
               [&](const Use &list) { return moves(*list); }))
      calls.push_back(cast<CallInst>(&instruction));
  for (CallInst *call : calls) {
    IRBuilder<> builder(call);
    Type *pointer = builder.getPtrTy();
    Value *list = call->getArgOperand(0);
    if (isa<VAStartInst>(call)) {
      BasicBlock &entry = function.getEntryBlock();
      AllocaInst *place =
          new AllocaInst(pointer, list->getType()->getPointerAddressSpace(), "",
                         entry.begin());
      call->setArgOperand(0, place);
      builder.SetInsertPoint(call->getNextNode());
      builder.CreateStore(builder.CreateLoad(pointer, place), list);
      continue;
    }
    if (isa<VACopyInst>(call))
      builder.CreateStore(builder.CreateLoad(pointer, call->getArgOperand(1)),
                          list);
    call->eraseFromParent();
  }
}

bool SharedFrame::move() {
  find();
  if (fixed.empty() && dynamic.empty())
    return false;
  SmallVector<AllocaInst *> all(fixed);
  all.append(dynamic);
  SmallPtrSet<const Value *, 8> moved(all.begin(), all.end());
  const auto moves = [&](const Value &address) {
    return moved.contains(getUnderlyingObject(&address));
  };
  keep_lists_private(function, moves);
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *call = dyn_cast<CallBase>(&instruction);
        call && !isa<IntrinsicInst>(call))
      gpuexec::pass_private_copies(*call, function.getEntryBlock(), moves);
  SmallVector<Value *> addresses;
  for (AllocaInst *variable : all)
    if (variable->getAddressSpace())
      addresses.push_back(variable);
  gpuexec::make_generic(addresses);
  for (AllocaInst *variable : all)
    for (User *user : make_early_inc_range(variable->users()))
      if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
        marker->eraseFromParent();

  Instruction &first = put_variables_first(function);
  Instruction &begin = behind ? *behind->getNextNode() : first;
  IRBuilder<> builder(&begin);
  top = load_top(builder);
  uint64_t size = 0;
  SmallVector<uint64_t> offsets;
  for (AllocaInst *variable : fixed) {
    offsets.push_back(size);
    size += cast<ConstantInt>(bytes_of(*variable, builder))->getZExtValue();
  }
  Value *frame = size ? push(begin, builder.getInt64(size)) : nullptr;
  builder.SetInsertPoint(&begin);
  for (auto [variable, offset] : zip_equal(fixed, offsets))
    replace(*variable, builder.CreateAdd(frame, builder.getInt64(offset)),
            builder);
  for (AllocaInst *variable : dynamic) {
    builder.SetInsertPoint(variable);
    Value *bytes = bytes_of(*variable, builder);
    Value *address = push(*variable, bytes);
    builder.SetInsertPoint(variable);
    replace(*variable, address, builder);
  }
  restore();
  return true;
}

/// Gives a kernel a record with an empty stack. The last instruction of it.
Instruction *begin_kernel(Function &kernel) {
  put_variables_first(kernel);
  IRBuilder<> builder(kernel.getContext());
  Value *record = gpuexec::make_record(kernel, builder);
  Instruction *last = nullptr;
  for (RecordMember which : {RecordMember::frames, RecordMember::frames_end})
    last = builder.CreateStore(builder.getInt64(0),
                               gpuexec::member(builder, record, which));
  return last;
}

bool has_captured(Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    return variable && is_captured(*variable);
  });
}

} // namespace

PreservedAnalyses gpuexec::share_variables(Module &module,
                                           ModuleAnalysisManager &) {
  if (!gpuexec::more_frames(module))
    return PreservedAnalyses::all();
  SmallVector<Function *> changed;
  for (Function &function : module)
    if (!function.isDeclaration()) {
      copy_structs(function);
      if (has_captured(function))
        changed.push_back(&function);
    }
  if (changed.empty())
    return PreservedAnalyses::all();
  DenseMap<Function *, Instruction *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration() && is_kernel(function))
      kernels[&function] = begin_kernel(function);
  for (Function *function : changed)
    SharedFrame(*function, kernels.lookup(function)).move();
  return PreservedAnalyses::none();
}
