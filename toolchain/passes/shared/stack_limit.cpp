//===-- toolchain/passes/shared/stack_limit.cpp - See stack_limit.h -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/stack_limit.h"
#include "gpu/start_up.h"
#include "toolchain/passes/shared/runtime.h"
#include "toolchain/passes/shared/thread_record.h"
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace gpuexec {

namespace {

constexpr unsigned GLOBAL = 1, LOCAL = 5; // address spaces of both targets

/// The words of the variable that the loader writes: two depths, then the size
/// of the stack.
constexpr unsigned SIZE = 2, WORDS = 3;

GlobalVariable *add_words(Module &module, StringRef name, unsigned count,
                          uint32_t depth, GlobalValue::LinkageTypes linkage) {
  SmallVector<uint32_t> words(count, 0);
  words[unsigned(StackLimit::soft)] = words[unsigned(StackLimit::hard)] = depth;
  Constant *initial = ConstantDataArray::get(module.getContext(), words);
  auto *variable =
      new GlobalVariable(module, initial->getType(), false, linkage, initial,
                         name, nullptr, GlobalValue::NotThreadLocal, GLOBAL);
  if (linkage == GlobalValue::ExternalLinkage)
    variable->setVisibility(GlobalValue::ProtectedVisibility);
  variable->setAlignment(Align(4));
  return variable;
}

Value *word_of(IRBuilder<> &builder, StringRef name, unsigned index) {
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateConstInBoundsGEP1_64(builder.getInt32Ty(),
                                            module.getNamedGlobal(name), index);
}

/// Loads a word of the loader's variable, which no kernel writes.
Value *load_constant(IRBuilder<> &builder, unsigned index) {
  LoadInst *word = builder.CreateLoad(
      builder.getInt32Ty(), word_of(builder, GPUEXEC_STACK_LIMITS, index));
  word->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(builder.getContext(), {}));
  return word;
}

/// AMD: i32, the current depth in bytes of a lane, with the function's own
/// frame.
Value *depth_by_register(IRBuilder<> &builder) {
  const Function &function = *builder.GetInsertBlock()->getParent();
  InlineAsm *move =
      InlineAsm::get(FunctionType::get(builder.getInt32Ty(), false),
                     "s_mov_b32 $0, s32", "=s", true);
  Value *depth = builder.CreateCall(move);
  return stack_counts_by_lane(function)
             ? depth
             : builder.CreateLShr(depth, wave_shift(function));
}

/// NVIDIA: i32, the address of a local variable in the thread's local memory.
Value *local_address(IRBuilder<> &builder) {
  BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  const unsigned space =
      entry.getModule()->getDataLayout().getAllocaAddrSpace();
  IRBuilder<> beginning(&entry, entry.begin());
  Value *place = beginning.CreateAlloca(builder.getInt32Ty(), space);
  if (space != LOCAL)
    place = builder.CreateAddrSpaceCast(
        place, PointerType::get(builder.getContext(), LOCAL));
  return builder.CreateTrunc(
      builder.CreatePtrToInt(place, builder.getInt64Ty()),
      builder.getInt32Ty());
}

/// NVIDIA: the bytes of all local variables of the function. The stack of a
/// kernel begins at most this many bytes above any of them.
uint64_t local_bytes(const Function &function) {
  uint64_t bytes = 0;
  const DataLayout &layout = function.getDataLayout();
  for (const Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      if (auto size = variable->getAllocationSize(layout))
        bytes = alignTo(bytes + size->getKnownMinValue(), 16);
  return bytes;
}

/// NVIDIA: makes a kernel compute and store the addresses at the two depths.
void compute_addresses(Function &kernel) {
  const uint64_t bytes = local_bytes(kernel);
  BasicBlock &entry = kernel.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  Value *begin = builder.CreateAdd(local_address(builder),
                                   builder.getInt32(uint32_t(bytes)));
  for (StackLimit limit : {StackLimit::soft, StackLimit::hard}) {
    Value *depth = load_constant(builder, unsigned(limit));
    Value *address = builder.CreateSelect(builder.CreateIsNull(depth), depth,
                                          builder.CreateSub(begin, depth));
    builder.CreateStore(address,
                        word_of(builder, name_of(RuntimeName::stack_addresses),
                                unsigned(limit)));
  }
}

} // namespace

void add_stack_limits(Module &module) {
  const bool amd = module.getTargetTriple().isAMDGPU();
  add_words(module, GPUEXEC_STACK_LIMITS, WORDS, amd ? UINT32_MAX : 0,
            GlobalValue::ExternalLinkage);
  if (amd)
    return;
  add_words(module, name_of(RuntimeName::stack_addresses), WORDS - 1, 0,
            GlobalValue::InternalLinkage);
  for (Function &function : module)
    if (is_kernel(function) && !function.isDeclaration())
      compute_addresses(function);
}

Value *is_beyond(IRBuilder<> &builder, StackLimit limit) {
  if (builder.GetInsertBlock()->getModule()->getTargetTriple().isAMDGPU())
    return builder.CreateICmpUGT(depth_by_register(builder),
                                 load_constant(builder, unsigned(limit)));
  return builder.CreateICmpULT(
      local_address(builder),
      builder.CreateLoad(builder.getInt32Ty(),
                         word_of(builder, name_of(RuntimeName::stack_addresses),
                                 unsigned(limit))));
}

Value *stack_size(IRBuilder<> &builder) { return load_constant(builder, SIZE); }

/// The value of an attribute that describes the GPU for which the function is
/// compiled. Start-up code and the C library do not have it: for them it is
/// that of one of the program's own functions.
static StringRef target_attribute(const Function &function, StringRef name) {
  constexpr const char CPU[] = "target-cpu";
  if (function.hasFnAttribute(CPU))
    return function.getFnAttribute(name).getValueAsString();
  for (const Function &other : *function.getParent())
    if (!other.isDeclaration() && other.hasFnAttribute(CPU))
      return other.getFnAttribute(name).getValueAsString();
  return "";
}

bool stack_counts_by_lane(const Function &function) {
  StringRef name = target_attribute(function, "target-cpu");
  if (!name.consume_front("gfx"))
    return false;
  return name.starts_with("94") || name.starts_with("95") ||
         name.starts_with("9-4") || name.starts_with("11") ||
         name.starts_with("12");
}

unsigned wave_shift(const Function &function) {
  StringRef name = target_attribute(function, "target-cpu");
  StringRef features = target_attribute(function, "target-features");
  return name.starts_with("gfx9") || features.contains("+wavefrontsize64") ? 6
                                                                           : 5;
}

} // namespace gpuexec
