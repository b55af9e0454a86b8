//===-- toolchain/passes/language/extend_stack.cpp - Deep recursion -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread of a GPU has a small stack: at most 128 KiB on AMD, and on NVIDIA
// what the driver can reserve for every thread that could run at once. So
// recursion continues in the heap when the stack is nearly full. In every cycle
// of calls some functions, the heads, test how full the stack is when they
// begin. If little is left, a head calls a second version of itself. The frames
// of this version, and of second versions of the other functions of the cycle,
// are in memory that libc-shim/abi/heap_stack.c allocates
// (shared/resumable.h).
//
// Functions that cannot have a second version (variable arguments,
// variable-length arrays on AMD, a cycle that is too large) recurse on the
// stack alone. When it is full, a head ends the program with a message.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/call_cycles.h"
#include "toolchain/passes/shared/heap_stack.h"
#include "toolchain/passes/shared/kernel_inputs.h"
#include "toolchain/passes/shared/resumable.h"
#include "toolchain/passes/shared/stack_limit.h"
#include "toolchain/passes/shared/thread_record.h"
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using gpuexec::CallCycle;
using gpuexec::CallTargets;
using gpuexec::FrameWord;
using gpuexec::Resumable;
using gpuexec::ResumableGroup;
using gpuexec::Runtime;
using gpuexec::StackLimit;

namespace {

/// A cycle with more LLVM instructions gets no second version, which would take
/// long to compile, and memory on the device.
constexpr unsigned LARGEST_CYCLE = 3000;

/// The functions of libc-shim/abi/heap_stack.c; null if they are not linked.
struct Library {
  Function *more, *free, *overflow;

  explicit Library(Module &module)
      : more(find_definition(module, Runtime::more_stack)),
        free(find_definition(module, Runtime::free_stack)),
        overflow(find_definition(module, Runtime::stack_overflow)) {}

  bool is_linked() const { return more && free && overflow; }

  /// These functions and all that they call, malloc for example. None of them
  /// may itself continue in the heap.
  SetVector<Function *> functions() const {
    SetVector<Function *> reached;
    reached.insert_range(ArrayRef{more, free, overflow});
    for (size_t i = 0; i < reached.size(); ++i)
      for (Instruction &instruction : instructions(*reached[i]))
        if (auto *call = dyn_cast<CallBase>(&instruction))
          if (Function *callee = call->getCalledFunction())
            reached.insert(callee);
    return reached;
  }
};

/// Adds an internal function that is never inlined, with the attributes of
/// `like` that code generation depends on.
Function *add_function(Function &like, FunctionType *type, const Twine &name) {
  Function *function = Function::Create(type, GlobalValue::InternalLinkage,
                                        name, like.getParent());
  const AttributeSet attributes = like.getAttributes().getFnAttrs();
  for (Attribute attribute : attributes)
    if (attribute.isStringAttribute())
      function->addFnAttr(attribute);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::NoUnwind);
  return function;
}

//===-- Runs in the heap --------------------------------------------------===//

/// Adds the function void loop(frame, bottom), which resumes `frame`, then the
/// frame that this returns, and so on until that is `bottom`.
Function *add_loop(const ResumableGroup &group) {
  Function &first = *group.members.front().first;
  LLVMContext &context = first.getContext();
  PointerType *pointer = gpuexec::frame_pointer(context);
  Function *function = add_function(
      first,
      FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false),
      first.getName() + ".run");
  BasicBlock *entry = BasicBlock::Create(context, "", function);
  BasicBlock *head = BasicBlock::Create(context, "", function);
  BasicBlock *latch = BasicBlock::Create(context, "", function);
  BasicBlock *done = BasicBlock::Create(context, "", function);
  IRBuilder<> builder(entry);
  builder.CreateBr(head);
  builder.SetInsertPoint(latch);
  PHINode *next = builder.CreatePHI(pointer, unsigned(group.members.size()));
  builder.CreateCondBr(builder.CreateICmpEQ(next, function->getArg(1)), done,
                       head);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();

  builder.SetInsertPoint(head);
  PHINode *frame = builder.CreatePHI(pointer, 2);
  frame->addIncoming(function->getArg(0), entry);
  frame->addIncoming(next, latch);
  Value *number = builder.CreateLoad(
      builder.getInt32Ty(),
      gpuexec::word_address(builder, frame, FrameWord::function));
  SwitchInst *members = nullptr;
  for (auto [i, member] : enumerate(group.members)) {
    BasicBlock *block = BasicBlock::Create(context, "", function, latch);
    if (!members)
      members = builder.CreateSwitch(number, block);
    else
      members->addCase(builder.getInt32(unsigned(i)), block);
    IRBuilder<> call(block);
    next->addIncoming(call.CreateCall(&member.second->function(), frame),
                      block);
    call.CreateBr(latch);
  }
  return function;
}

/// Adds a function with the type of `head` that runs its second version: it
/// allocates the first chunk of frames, calls the loop and frees the frames.
Function *add_entry(Function &head, const ResumableGroup &group, Function &loop,
                    const Library &library) {
  LLVMContext &context = head.getContext();
  Function *function =
      add_function(head, head.getFunctionType(), head.getName() + ".in_heap");
  for (unsigned i = 0; i < head.arg_size(); ++i)
    function->addParamAttrs(
        i, AttrBuilder(context, head.getAttributes().getParamAttrs(i)));
  function->addFnAttr(Attribute::Cold);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  BasicBlock *full = BasicBlock::Create(context, "", function);
  BasicBlock *begin = BasicBlock::Create(context, "", function);
  builder.CreateCondBr(gpuexec::is_beyond(builder, StackLimit::hard), full,
                       begin);
  builder.SetInsertPoint(full);
  builder.CreateCall(library.overflow, gpuexec::stack_size(builder));
  builder.CreateUnreachable();

  builder.SetInsertPoint(begin);
  const Resumable &member = *group.members.find(&head)->second;
  const uint64_t bare = gpuexec::bare_frame_size(group);
  auto [bottom, end] = gpuexec::next_chunk(
      builder, *library.more,
      ConstantPointerNull::get(gpuexec::frame_pointer(context)),
      bare + member.frame_size());
  Value *frame =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), bottom, bare);
  SmallVector<Value *> arguments(make_pointer_range(function->args()));
  member.begin_frame(builder, {frame, end}, bottom, member.number(builder),
                     arguments);
  builder.CreateCall(&loop, {frame, bottom});
  Value *result = nullptr;
  if (!head.getReturnType()->isVoidTy())
    result = builder.CreateAlignedLoad(
        head.getReturnType(),
        gpuexec::word_address(builder, bottom, FrameWord::result),
        gpuexec::RESULT_ALIGNMENT);
  builder.CreateCall(library.free,
                     builder.CreateAddrSpaceCast(end, builder.getPtrTy()));
  result ? builder.CreateRet(result) : builder.CreateRetVoid();
  return function;
}

//===-- Heads -------------------------------------------------------------===//

/// Moves the builder to the block, with the line where the function begins.
void begin_in(IRBuilder<> &builder, BasicBlock *block) {
  builder.SetInsertPoint(block);
  if (DISubprogram *program = block->getParent()->getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(
        block->getContext(), program->getScopeLine(), 0, program));
}

/// Adds a test to the function's beginning. Moves the builder to a new, empty
/// block that is reached when the stack is fuller than `limit`.
void add_test(Function &head, StackLimit limit, IRBuilder<> &builder) {
  BasicBlock *old = &head.getEntryBlock();
  BasicBlock *entry = BasicBlock::Create(head.getContext(), "", &head, old);
  BasicBlock *full = BasicBlock::Create(head.getContext(), "", &head);
  for (Instruction &instruction : make_early_inc_range(*old))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && isa<ConstantInt>(variable->getArraySize()))
      variable->moveBefore(*entry, entry->end());
  begin_in(builder, entry);
  MDBuilder metadata(head.getContext());
  builder.CreateCondBr(gpuexec::is_beyond(builder, limit), full, old,
                       metadata.createUnlikelyBranchWeights());
  head.removeFnAttr(Attribute::Memory);
  begin_in(builder, full);
}

/// Makes a head call `entry`, which add_entry() has made, when the stack is
/// fuller than the soft limit.
void call_in_heap(Function &head, Function &entry) {
  IRBuilder<> builder(head.getContext());
  add_test(head, StackLimit::soft, builder);
  SmallVector<Value *> arguments(make_pointer_range(head.args()));
  CallInst *call = builder.CreateCall(&entry, arguments);
  call->setAttributes(
      entry.getAttributes().removeFnAttributes(head.getContext()));
  head.getReturnType()->isVoidTy() ? builder.CreateRetVoid()
                                   : builder.CreateRet(call);
}

/// Makes a head end the program when the stack is fuller than the hard limit.
void end_when_full(Function &head, const Library &library) {
  IRBuilder<> builder(head.getContext());
  add_test(head, StackLimit::hard, builder);
  builder.CreateCall(library.overflow, gpuexec::stack_size(builder));
  builder.CreateUnreachable();
}

//===-- Cycles ------------------------------------------------------------===//

bool is_large(const CallCycle &cycle) {
  unsigned instructions = 0;
  for (const Function *function : cycle.members)
    instructions += function->getInstructionCount();
  return instructions > LARGEST_CYCLE;
}

/// Gives all functions of a cycle second versions, and lets its heads call
/// them.
void extend(const CallCycle &cycle, const CallTargets &targets,
            const Library &library) {
  ResumableGroup group;
  group.targets = &targets;
  group.more = library.more;
  for (Function *function : cycle.members) {
    const unsigned number = unsigned(group.members.size());
    group.members[function] = std::make_unique<Resumable>(*function, number);
    if (!function->getReturnType()->isVoidTy())
      group.result_size = std::max<uint64_t>(
          group.result_size, function->getDataLayout().getTypeAllocSize(
                                 function->getReturnType()));
  }
  for (auto &[function, member] : group.members)
    member->prepare(group);
  for (auto &[function, member] : group.members)
    member->complete(group);
  Function *loop = add_loop(group);
  for (Function *head : cycle.heads)
    call_in_heap(*head, *add_entry(*head, group, *loop, library));
}

/// Removes casts of private addresses to generic ones and back, which clang
/// makes for structs that calls return.
void remove_double_casts(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *back = dyn_cast<AddrSpaceCastInst>(&instruction))
      if (auto *there = dyn_cast<AddrSpaceCastInst>(back->getPointerOperand());
          there && there->getSrcTy() == back->getDestTy()) {
        back->replaceAllUsesWith(there->getPointerOperand());
        back->eraseFromParent();
      }
}

/// The functions of a cycle that can have second versions.
SmallVector<Function *> resumable_members(const CallCycle &cycle) {
  SmallVector<Function *> members(cycle.members.begin(), cycle.members.end());
  const auto is_impossible = [&](Function *function) {
    return !Resumable::is_possible(*function, members);
  };
  for (Function *member : members)
    remove_double_casts(*member);
  // Whether one is possible depends on the others: repeat until none drops out.
  for (size_t before = 0; before != members.size();) {
    before = members.size();
    const SmallVector<Function *> impossible(
        make_filter_range(members, is_impossible));
    erase_if(members, [&](Function *function) {
      return is_contained(impossible, function);
    });
  }
  return members;
}

/// Adds the tests and the second versions to a module.
class Extension {
public:
  Extension(Module &module, const Library &library)
      : all(module, CallTargets::Calls::all),
        direct(module, CallTargets::Calls::direct), library(library) {}

  void run(Module &module) {
    const std::vector<CallCycle> cycles =
        gpuexec::find_call_cycles(candidates(module), all);
    if (!cycles.empty())
      gpuexec::add_stack_limits(module);
    found = !cycles.empty();
    for (const CallCycle &cycle : cycles) {
      extend_parts(cycle, resumable_members(cycle), all);
      for (Function *head : cycle.heads)
        if (!extended.contains(head) && !gpuexec::is_kernel(*head))
          end_when_full(*head, library);
    }
  }

  /// Were there any cycles?
  bool has_run() const { return found; }

private:
  /// The functions that may recurse; first those that may be called from
  /// outside the module or by pointers.
  SmallVector<Function *> candidates(Module &module) const {
    const SetVector<Function *> needed = library.functions();
    SmallVector<Function *> called, others;
    for (Function &function : module)
      if (!function.isDeclaration() && !needed.contains(&function))
        (!function.hasLocalLinkage() || function.hasAddressTaken() ? called
                                                                   : others)
            .push_back(&function);
    append_range(called, others);
    return called;
  }

  /// Extends the cycles among `members`, which are of the cycle `whole`. Looks
  /// in a cycle that is too large for smaller ones of direct calls.
  void extend_parts(const CallCycle &whole, ArrayRef<Function *> members,
                    const CallTargets &targets) {
    for (CallCycle &cycle : gpuexec::find_call_cycles(members, targets)) {
      if (is_large(cycle)) {
        if (&targets == &all)
          extend_parts(whole, cycle.members.getArrayRef(), direct);
        continue;
      }
      // Heads of the whole cycle are heads here, too.
      for (Function *head : whole.heads)
        if (cycle.members.contains(head))
          cycle.heads.insert(head);
      extend(cycle, targets, library);
      extended.insert_range(cycle.heads);
    }
  }

  const CallTargets all, direct;
  const Library &library;
  DenseSet<Function *> extended;
  bool found = false;
};

//===-- Inputs of AMD's kernels -------------------------------------------===//

/// `functions`, and the functions of the module that may call one of them,
/// directly or through others.
SetVector<Function *> find_callers(Module &module,
                                   ArrayRef<Function *> functions) {
  SetVector<Function *> callers(functions.begin(), functions.end());
  for (size_t i = 0; i < callers.size(); ++i)
    for (User *user : callers[i]->users()) {
      auto *call = dyn_cast<CallBase>(user);
      if (call && call->getCalledOperand() == callers[i])
        callers.insert(call->getFunction());
      else // its address is taken
        for (Function &function : module)
          if (!function.isDeclaration())
            callers.insert(&function);
    }
  return callers;
}

/// LLVM marks functions with attributes (amdgpu-no-...) for the inputs of a
/// kernel that neither they nor their callees need. This pass has added calls
/// of the library's functions, which may need more: removes the attributes that
/// are no longer true from the callers.
void pass_on_inputs(Module &module) {
  constexpr StringRef PREFIX = "amdgpu-no-";
  SmallVector<Function *> called;
  for (Runtime which : gpuexec::HEAP_STACK_FUNCTIONS)
    if (Function *function = find_runtime(module, which))
      called.push_back(function);
  const SetVector<Function *> callers = find_callers(module, called);
  SetVector<StringRef> needed;
  for (const Function *caller : callers)
    for (Attribute attribute : caller->getAttributes().getFnAttrs())
      if (attribute.isStringAttribute() &&
          attribute.getKindAsString().starts_with(PREFIX) &&
          any_of(called, [&](const Function *function) {
            return !function->hasFnAttribute(attribute.getKindAsString());
          }))
        needed.insert(attribute.getKindAsString());
  for (Function *caller : callers)
    for (StringRef name : needed)
      caller->removeFnAttr(name);
}

} // namespace

PreservedAnalyses gpuexec::extend_stack(Module &module,
                                        ModuleAnalysisManager &) {
  const Library library(module);
  if (!library.is_linked())
    return PreservedAnalyses::all();
  Extension extension(module, library);
  extension.run(module);
  release_heap_stack(module);
  if (extension.has_run() && module.getTargetTriple().isAMDGPU()) {
    keep_kernel_inputs(module);
    pass_on_inputs(module);
  }
  return PreservedAnalyses::none();
}
