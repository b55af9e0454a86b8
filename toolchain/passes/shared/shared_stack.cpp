//===-- toolchain/passes/shared/shared_stack.cpp - For variables ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See shared_stack.h.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/shared/shared_stack.h"
#include "toolchain/passes/shared/runtime.h"
#include "toolchain/passes/shared/thread_record.h"
#include "toolchain/passes/shared/threads.h"
#include <llvm/IR/CFG.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace gpuexec {

namespace {

/// Is it a file compiled with -fopenmp -fno-lto? (At the link more_frames()
/// tells whether a program has threads.)
bool is_of_openmp(const Module &module) {
  return module.getModuleFlag(OPENMP_WITHOUT_LINK);
}

/// Allocates memory; free_shared() frees it and all memory allocated later.
Value *allocate_shared(IRBuilder<> &builder, Value *size) {
  return call_runtime(builder, Runtime::alloc_shared, size);
}
void free_shared(IRBuilder<> &builder, Value *block) {
  call_runtime(builder, Runtime::free_shared, {block, builder.getInt64(0)});
}

} // namespace

std::optional<SharedStack> SharedStack::of(Module &module) {
  if (Function *more = more_frames(module))
    return SharedStack(module, more);
  if (is_of_openmp(module))
    return SharedStack(module, nullptr);
  return std::nullopt;
}

SharedStack::Mark SharedStack::mark(IRBuilder<> &builder) const {
  if (!more)
    return {
        allocate_shared(builder, builder.getInt64(SHARED_ALIGNMENT.value()))};
  Value *record = gpuexec::record(builder);
  const auto load = [&](RecordMember which) {
    return builder.CreateLoad(builder.getInt64Ty(),
                              member(builder, record, which));
  };
  return {load(RecordMember::frames), load(RecordMember::frames_end)};
}

void SharedStack::store(IRBuilder<> &builder, const Mark &mark) const {
  Value *record = gpuexec::record(builder);
  builder.CreateStore(mark.at, member(builder, record, RecordMember::frames));
  builder.CreateStore(mark.end,
                      member(builder, record, RecordMember::frames_end));
}

void SharedStack::go_back(IRBuilder<> &builder, const Mark &mark) const {
  if (more)
    store(builder, mark);
  else
    free_shared(builder, mark.at);
}

Value *SharedStack::push(Instruction &before, Value *size) const {
  IRBuilder<> builder(&before);
  if (!more)
    return builder.CreatePtrToInt(allocate_shared(builder, size),
                                  builder.getInt64Ty());
  const Mark now = mark(builder);
  Value *behind = builder.CreateAdd(now.at, size);
  Value *full = builder.CreateICmpUGT(behind, now.end);
  Instruction *slow = SplitBlockAndInsertIfThen(
      full, &before, /*Unreachable=*/false,
      MDBuilder(module->getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(slow);
  Value *chunk = builder.CreateCall(more, {now.end, size});
  Value *end = builder.CreateLoad(
      builder.getInt64Ty(),
      member(builder, chunk, RuntimeMember::shared_chunk_end));
  Value *first =
      builder.CreateAdd(builder.CreatePtrToInt(chunk, builder.getInt64Ty()),
                        builder.getInt64(SHARED_CHUNK_HEAD));
  builder.SetInsertPoint(&before);
  const auto choose = [&](Value *fast, Value *other) {
    PHINode *phi = PHINode::Create(builder.getInt64Ty(), 2, "",
                                   before.getParent()->begin());
    for (BasicBlock *from : predecessors(before.getParent()))
      phi->addIncoming(from == slow->getParent() ? other : fast, from);
    return phi;
  };
  Value *address = choose(now.at, first);
  Value *last = choose(now.end, end);
  store(builder, {builder.CreateAdd(address, size), last});
  return address;
}

SharedStack::Mark SharedStack::keep_first_chunk(IRBuilder<> &builder,
                                                const Mark &before,
                                                Value *address) const {
  if (!more)
    return before;
  const Mark now = mark(builder);
  Value *none = builder.CreateICmpEQ(before.end, builder.getInt64(0));
  return {builder.CreateSelect(none, address, before.at),
          builder.CreateSelect(none, now.end, before.end)};
}

bool SharedStack::is_asked_for() const {
  const Function *top = find_runtime(*module, Runtime::shared_top);
  return top && !top->use_empty();
}

DenseMap<Function *, Instruction *> SharedStack::begin_kernels() const {
  DenseMap<Function *, Instruction *> begins;
  if (!more)
    return begins;
  for (Function &kernel : *module) {
    if (kernel.isDeclaration() || !is_kernel(kernel))
      continue;
    IRBuilder<> builder(module->getContext());
    Value *record = make_record(kernel, builder);
    for (RecordMember which : {RecordMember::frames, RecordMember::frames_end})
      begins[&kernel] = builder.CreateStore(builder.getInt64(0),
                                            member(builder, record, which));
  }
  if (Function *top = find_runtime(*module, Runtime::shared_top))
    for (User *user : make_early_inc_range(top->users())) {
      auto *placeholder = cast<CallInst>(user);
      IRBuilder<> builder(placeholder);
      placeholder->replaceAllUsesWith(builder.CreateAddrSpaceCast(
          member(builder, record(builder), RecordMember::frames),
          placeholder->getType()));
      placeholder->eraseFromParent();
    }
  return begins;
}

} // namespace gpuexec
