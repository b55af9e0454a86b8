//===-- toolchain/passes/openmp/lower_openmp.cpp - Over a whole grid ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang compiles OpenMP for GPUs as a region of a host program that one block
// executes. gpuexec's runtime (libc-shim/openmp) makes teams of all blocks. So
// this pass changes code that clang has made:
//   - Reductions: clang combines values by shuffles in a wave and by memory of
//     the block. The pass copies each thread's variables to memory that all
//     threads see, and the runtime combines the copies by a function that clang
//     has made. If the variables are small, they stay in registers: a function
//     of the runtime is inlined, which uses clang's shuffles.
//   - copyprivate: the list and the variables of the thread that has executed
//     the single region are in its private memory. The pass gives the other
//     threads copies in memory that they see.
//   - Calls of the runtime at which the lanes of a wave meet are marked as
//     convergent.
//   - Reductions with the scan directive call the intrinsic log2, which GPUs
//     lack. They call the C library's function instead.
//   - A thread's loop over chunks of one iteration is two nested loops. LLVM is
//     told that the inner one has one iteration (chunks.h).
//   - Requests to vectorise the loops of the simd construct are removed: LLVM
//     would warn about each.
//   - In a reduction of an array section clang 22 uses the section's length in
//     a function that does not have it. The length is added to the list.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/chunks.h"
#include "toolchain/passes/shared/reduction_call.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using gpuexec::find_combiner;
using gpuexec::List;
using gpuexec::read_list;
using gpuexec::Runtime;
using gpuexec::RuntimeName;

namespace {

constexpr uint64_t ALIGNMENT = 16;

/// i64: the size in bytes of the variable at that address; null if it is not a
/// variable of the calling thread alone.
Value *size_of(Value *pointer, IRBuilder<> &builder) {
  Value *object = pointer->stripPointerCasts();
  if (auto *call = dyn_cast<CallInst>(object))
    return call->getCalledFunction() &&
                   call->getCalledFunction()->getName() ==
                       gpuexec::name_of(Runtime::alloc_shared)
               ? call->getArgOperand(0)
               : nullptr;
  auto *variable = dyn_cast<AllocaInst>(object);
  if (!variable)
    return nullptr;
  const uint64_t one =
      variable->getDataLayout().getTypeAllocSize(variable->getAllocatedType());
  return builder.CreateMul(
      builder.CreateZExtOrTrunc(variable->getArraySize(), builder.getInt64Ty()),
      builder.getInt64(one));
}

/// Copies of a list's variables in memory that all threads see.
class Copies {
public:
  /// Makes the copies before `call`. `more`: words to append to the list.
  /// `elsewhere`: the C library may choose other memory for list and copies.
  Copies(CallInst &call, const List &list, ArrayRef<Value *> more,
         bool elsewhere)
      : builder(&call) {
    Type *pointer = builder.getPtrTy(), *word = builder.getInt64Ty();
    Value *total = builder.getInt64(
        alignTo(8 * (list.pointers.size() + more.size()), ALIGNMENT));
    for (Value *from : list.pointers) {
      Value *size = from ? size_of(from, builder) : nullptr;
      items.push_back({from, size, total});
      if (size)
        total = builder.CreateAdd(
            total, builder.CreateAnd(
                       builder.CreateAdd(size, builder.getInt64(ALIGNMENT - 1)),
                       builder.getInt64(-ALIGNMENT)));
    }
    block = own = gpuexec::call_runtime(builder, Runtime::alloc_shared, total);
    if (elsewhere)
      block = gpuexec::call_runtime(builder, Runtime::omp_reduction_memory,
                                    {own, total});
    uint64_t slot = 0;
    for (Item &item : items) {
      Value *address =
          item.from ? item.from
                    : ConstantPointerNull::get(cast<PointerType>(pointer));
      if (item.size) {
        item.to = address =
            builder.CreateGEP(builder.getInt8Ty(), block, item.offset);
        copy(address, item.from, item.size);
      }
      store(builder.CreatePointerBitCastOrAddrSpaceCast(address, pointer),
            slot++);
    }
    for (Value *value : more)
      store(builder.CreateZExtOrTrunc(value, word), slot++);
  }

  Value *list() const { return block; }

  /// Copies the values, which the call has changed, back to the variables.
  void copy_back() {
    for (const Item &item : items)
      if (item.size)
        copy(item.from, item.to, item.size);
  }

  void free() {
    gpuexec::call_runtime(builder, Runtime::free_shared,
                          {own, builder.getInt64(0)});
  }

private:
  struct Item {
    Value *from, *size, *offset, *to = nullptr;
  };

  void copy(Value *to, Value *from, Value *size) {
    builder.CreateMemCpy(to, MaybeAlign(), from, MaybeAlign(), size);
  }
  void store(Value *value, uint64_t slot) {
    builder.CreateStore(
        value, builder.CreateConstGEP1_64(builder.getInt64Ty(), block, slot));
  }

  IRBuilder<> builder;
  /// The memory that this thread has allocated; the memory with the list and
  /// the copies, the same or other memory.
  Value *own, *block;
  SmallVector<Item> items;
};

/// Makes the combiner load values of its caller, to which it refers, from words
/// after the first list's `count` pointers. Returns these values.
SmallVector<Value *> pass_values(Function &combiner, uint64_t count) {
  MapVector<Value *, SmallVector<Use *>> uses;
  for (Instruction &instruction : instructions(combiner))
    for (Use &use : instruction.operands())
      if (auto *value = dyn_cast<Instruction>(use.get());
          value && value->getFunction() != &combiner)
        uses[value].push_back(&use);
  SmallVector<Value *> values;
  IRBuilder<> builder(&*combiner.getEntryBlock().getFirstInsertionPt());
  for (auto &[value, places] : uses) {
    Value *word = builder.CreateLoad(
        builder.getInt64Ty(),
        builder.CreateConstGEP1_64(builder.getInt64Ty(), combiner.getArg(0),
                                   count + values.size()));
    word = builder.CreateZExtOrTrunc(word, value->getType());
    for (Use *place : places)
      place->set(word);
    values.push_back(value);
  }
  return values;
}

/// Erases a function that nothing uses any more.
void remove(Function *function) {
  if (function && function->hasLocalLinkage() && function->use_empty())
    function->eraseFromParent();
}

/// The size in bytes of a list's variables, each rounded up to OMP_SLOT; 0 when
/// it is not known or larger than OMP_ARRAYS.
uint64_t small_size(const List &list, IRBuilder<> &builder) {
  uint64_t total = 0;
  for (Value *pointer : list.pointers) {
    auto *size = pointer
                     ? dyn_cast_or_null<ConstantInt>(size_of(pointer, builder))
                     : nullptr;
    if (!size)
      return 0;
    total += alignTo(size->getZExtValue(), gpuexec::OMP_SLOT);
  }
  return total <= gpuexec::OMP_ARRAYS ? total : 0;
}

/// Copies a variable of `size` bytes. For a large one calls the C library,
/// which copies words: on NVIDIA LLVM would copy bytes.
void copy(IRBuilder<> &builder, Value *to, Value *from, uint64_t size) {
  if (size <= gpuexec::OMP_PART) {
    builder.CreateMemCpy(to, MaybeAlign(), from, MaybeAlign(), size);
    return;
  }
  CallInst *call = gpuexec::call_runtime(builder, Runtime::memcpy,
                                         {to, from, builder.getInt64(size)});
  call->addFnAttr(Attribute::NoBuiltin);
  // memcpy() does not pass the addresses on, so that the thread's variables can
  // stay in private memory.
  for (unsigned argument : {0u, 1u})
    call->addParamAttr(argument, Attribute::getWithCaptureInfo(
                                     call->getContext(), CaptureInfo::none()));
}

/// What a function does with the variables of a list and a part, a buffer for
/// them: copies them to the part, copies them back, or adds the part to them.
enum class Transfer { pack, unpack, add };

/// Makes the function for the list of a reduction.
Function *make_transfer(CallInst &call, const List &list, Transfer what,
                        Function &combiner) {
  Module &module = *call.getModule();
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0);
  const auto type = what == Transfer::pack
                        ? gpuexec::RuntimeCallback::omp_pack
                        : gpuexec::RuntimeCallback::omp_unpack;
  auto *function = Function::Create(
      gpuexec::type_of(module, type), GlobalValue::InternalLinkage,
      gpuexec::name_of(RuntimeName::omp_transfer), module);
  function->setAttributes(
      combiner.getAttributes().getFnAttrs().hasAttributes()
          ? AttributeList::get(
                context, AttributeList::FunctionIndex,
                AttrBuilder(context, combiner.getAttributes().getFnAttrs()))
          : AttributeList());
  function->removeFnAttr(Attribute::OptimizeNone);
  function->removeFnAttr(Attribute::NoInline);
  function->removeFnAttr(Attribute::Memory);
  function->addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  IRBuilder<> outside(&call);
  const uint64_t count = list.pointers.size();
  Value *own = function->getArg(what == Transfer::pack),
        *part = function->getArg(what != Transfer::pack);
  Value *pointers =
      what == Transfer::add
          ? builder.CreatePointerBitCastOrAddrSpaceCast(
                builder.CreateAlloca(ArrayType::get(pointer, count)), pointer)
          : nullptr;
  uint64_t offset = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t size =
        cast<ConstantInt>(size_of(list.pointers[i], outside))->getZExtValue();
    Value *there =
        builder.CreateConstGEP1_64(builder.getInt8Ty(), part, offset);
    offset += alignTo(size, gpuexec::OMP_SLOT);
    if (pointers) {
      builder.CreateStore(there,
                          builder.CreateConstGEP1_64(pointer, pointers, i));
      continue;
    }
    Value *here = builder.CreateLoad(
        pointer, builder.CreateConstGEP1_64(pointer, own, i));
    if (what == Transfer::pack)
      copy(builder, there, here, size);
    else
      copy(builder, here, there, size);
  }
  if (pointers)
    builder.CreateCall(&combiner, {own, pointers});
  builder.CreateRetVoid();
  return function;
}

/// Replaces a reduction of small variables by a call of a function of the
/// runtime that is inlined and combines them by shuffles, mostly in registers.
void lower_small_reduction(CallInst &call, const List &list, uint64_t size,
                           Function &shuffles, Function &combiner) {
  IRBuilder<> builder(&call);
  const FunctionCallee reduce = gpuexec::runtime_function(
      *call.getModule(), size > gpuexec::OMP_PART ? Runtime::omp_reduce_arrays
                                                  : Runtime::omp_reduce_small);
  Value *is_first = builder.CreateCall(
      reduce, {call.getArgOperand(2), &shuffles,
               make_transfer(call, list, Transfer::pack, combiner),
               make_transfer(call, list, Transfer::unpack, combiner),
               make_transfer(call, list, Transfer::add, combiner)});
  call.replaceAllUsesWith(is_first);
  call.eraseFromParent();
}

/// Replaces clang's call at the end of a reduction.
void lower_reduction(CallInst &call) {
  auto *shuffles =
      dyn_cast<Function>(call.getArgOperand(3)->stripPointerCasts());
  auto *copies = dyn_cast<Function>(call.getArgOperand(4)->stripPointerCasts());
  Function *combiner = shuffles ? find_combiner(*shuffles) : nullptr;
  const List list = read_list(call.getArgOperand(2));
  if (!combiner || list.pointers.empty())
    report_fatal_error("a reduction that gpucc does not know");
  IRBuilder<> before(&call);
  if (const uint64_t size = small_size(list, before)) {
    lower_small_reduction(call, list, size, *shuffles, *combiner);
    remove(copies);
    return;
  }
  Copies made(call, list, pass_values(*combiner, list.pointers.size()),
              /*elsewhere=*/true);
  IRBuilder<> builder(&call);
  Value *is_first = gpuexec::call_runtime(builder, Runtime::omp_reduce,
                                          {made.list(), combiner});
  made.copy_back();
  made.free();
  call.replaceAllUsesWith(is_first);
  call.eraseFromParent();
  remove(shuffles);
  remove(copies);
}

/// Removes a reduction over teams: gpuexec has one team, whose value is the
/// result.
void lower_team_reduction(CallInst &call) {
  SmallVector<Function *> helpers;
  for (Value *argument : call.args())
    if (auto *function = dyn_cast<Function>(argument->stripPointerCasts()))
      helpers.push_back(function);
  call.replaceAllUsesWith(ConstantInt::get(call.getType(), 1));
  call.eraseFromParent();
  for (Function *helper : helpers)
    remove(helper);
}
void drop_buffer(CallInst &call) {
  call.replaceAllUsesWith(Constant::getNullValue(call.getType()));
  call.eraseFromParent();
}

/// Makes a call of the intrinsic log2 a call of the C library's function.
void call_function(CallInst &call) {
  call.setCalledFunction(
      gpuexec::runtime_function(*call.getModule(), Runtime::log2));
}

void lower_copy_private(CallInst &call) {
  const List list = read_list(call.getArgOperand(3));
  if (list.pointers.empty())
    report_fatal_error("a copyprivate clause that gpucc does not know");
  Copies made(call, list, {}, /*elsewhere=*/false);
  IRBuilder<> builder(&call);
  gpuexec::call_runtime(builder, Runtime::omp_copy_private,
                        {made.list(), call.getArgOperand(3),
                         call.getArgOperand(4), call.getArgOperand(5)});
  made.free();
  call.eraseFromParent();
}

/// Removes the request to vectorise a loop from its branch.
void forget_vectors(Instruction &branch) {
  MDNode *loop = branch.getMetadata(LLVMContext::MD_loop);
  if (!loop)
    return;
  SmallVector<Metadata *> left = {nullptr};
  for (const MDOperand &operand : drop_begin(loop->operands())) {
    auto *node = dyn_cast<MDNode>(operand);
    auto *name = node && node->getNumOperands()
                     ? dyn_cast<MDString>(node->getOperand(0))
                     : nullptr;
    if (!name || name->getString() != "llvm.loop.vectorize.enable")
      left.push_back(operand);
  }
  if (left.size() == loop->getNumOperands())
    return;
  MDNode *fresh = MDNode::getDistinct(loop->getContext(), left);
  fresh->replaceOperandWith(0, fresh);
  branch.setMetadata(LLVMContext::MD_loop, fresh);
}

/// Calls `lower` with each call of the function of that name.
void lower_calls(Module &module, StringRef name, void (*lower)(CallInst &)) {
  if (Function *function = module.getFunction(name))
    for (User *user : make_early_inc_range(function->users()))
      lower(*cast<CallInst>(user));
}

} // namespace

PreservedAnalyses gpuexec::lower_openmp(Module &module,
                                        ModuleAnalysisManager &) {
  bool any = false;
  for (Function &function : module)
    if (function.getName().starts_with(OPENMP_PREFIX)) {
      function.setConvergent();
      any = true;
    }
  if (!any)
    return PreservedAnalyses::all();
  for (Function &function : module)
    if (!function.isDeclaration()) {
      function.setConvergent();
      for (BasicBlock &block : function)
        if (Instruction *branch = block.getTerminator())
          forget_vectors(*branch);
    }
  const auto lower_all = [&](RuntimeName name, void (*lower)(CallInst &)) {
    lower_calls(module, gpuexec::name_of(name), lower);
  };
  lower_all(RuntimeName::omp_clang_reduce, lower_reduction);
  lower_all(RuntimeName::omp_clang_reduce_teams, lower_team_reduction);
  lower_all(RuntimeName::omp_clang_buffer, drop_buffer);
  lower_calls(module, "llvm.log2.f64", call_function);
  lower_all(RuntimeName::omp_clang_copy_private, lower_copy_private);
  for (StringRef name : names_of(RuntimeGroup::static_init))
    lower_calls(module, name, gpuexec::join_chunks);
  if (GlobalVariable *memory =
          find_variable(module, RuntimeName::omp_clang_memory))
    if (memory->use_empty())
      memory->eraseFromParent();
  return PreservedAnalyses::none();
}
