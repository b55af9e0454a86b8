//===-- toolchain/passes/language/lower_thread_locals.cpp - _Thread_local -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's backends for GPUs lack thread-local storage. At the link all variables
// are known: this pass lays them out in one block, and replaces each variable
// by an offset into the calling thread's block, whose address is in the
// thread's record. Kernels allocate and free the blocks of their threads
// (libc-shim/abi/thread_locals.c).
//
// In a block the variables with initial values come first, then those that are
// zero. The program's image has a copy of the first part, for new threads, and
// one whole block, for the first thread.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include "toolchain/passes/shared/thread_record.h"
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;
using gpuexec::Runtime;

namespace {

/// The layout of a block. Sizes and offsets are in bytes.
struct Layout {
  std::vector<std::pair<GlobalVariable *, uint64_t>> offsets;
  uint64_t size = 0;
  uint64_t image_size = 0; ///< of the part with initial values
  Align alignment = Align(16);
};

bool is_zero(const GlobalVariable &variable) {
  return variable.getInitializer()->isNullValue() ||
         isa<UndefValue>(variable.getInitializer());
}

Align alignment_of(const GlobalVariable &variable) {
  return variable.getParent()->getDataLayout().getPreferredAlign(&variable);
}

std::vector<GlobalVariable *> find_variables(Module &module) {
  std::vector<GlobalVariable *> found;
  for (GlobalVariable &variable : module.globals()) {
    if (!variable.isThreadLocal())
      continue;
    if (variable.isDeclaration()) {
      if (!variable.use_empty())
        module.getContext().emitError("undefined thread-local variable: " +
                                      variable.getName());
      // Defined, so that the link can go on and find more errors.
      variable.setInitializer(Constant::getNullValue(variable.getValueType()));
      variable.setLinkage(GlobalValue::InternalLinkage);
    }
    found.push_back(&variable);
  }
  return found;
}

Layout lay_out(const std::vector<GlobalVariable *> &variables) {
  // Large alignments first, which leaves the fewest gaps.
  std::vector<std::tuple<bool, uint64_t, size_t>> order;
  for (size_t i = 0; i < variables.size(); ++i)
    order.push_back(
        {is_zero(*variables[i]), -alignment_of(*variables[i]).value(), i});
  llvm::sort(order);
  Layout layout;
  for (auto [zero, negative_alignment, i] : order) {
    GlobalVariable *variable = variables[i];
    const Align alignment = alignment_of(*variable);
    const DataLayout &data = variable->getParent()->getDataLayout();
    const uint64_t offset = alignTo(layout.size, alignment);
    layout.offsets.push_back({variable, offset});
    layout.size = offset + data.getTypeAllocSize(variable->getValueType());
    if (!zero)
      layout.image_size = layout.size;
    layout.alignment = std::max(layout.alignment, alignment);
  }
  layout.size = alignTo(layout.size, layout.alignment);
  return layout;
}

/// The first `size` bytes of a block as a constant.
Constant *initial_block(Module &module, const Layout &layout, uint64_t size) {
  LLVMContext &context = module.getContext();
  const auto zeros = [&](uint64_t count) {
    return ConstantAggregateZero::get(
        ArrayType::get(Type::getInt8Ty(context), count));
  };
  std::vector<Constant *> members;
  uint64_t at = 0;
  for (auto [variable, offset] : layout.offsets) {
    if (is_zero(*variable))
      break;
    members.push_back(zeros(offset - at));
    members.push_back(variable->getInitializer());
    at = offset +
         module.getDataLayout().getTypeAllocSize(variable->getValueType());
  }
  members.push_back(zeros(size - at));
  return ConstantStruct::getAnon(context, members, /*Packed=*/true);
}

GlobalVariable *add_block(Module &module, const Layout &layout, uint64_t size,
                          bool constant, gpuexec::RuntimeName name) {
  Constant *initial = initial_block(module, layout, size);
  auto *block = new GlobalVariable(
      module, initial->getType(), constant, GlobalValue::InternalLinkage,
      initial, name_of(name), nullptr, GlobalValue::NotThreadLocal,
      layout.offsets.front().first->getAddressSpace());
  block->setAlignment(layout.alignment);
  return block;
}

/// Makes a kernel allocate the block of each thread, store its address in the
/// thread's record, and free it at the end.
void use_in_kernel(Function &kernel, const Layout &layout,
                   GlobalVariable *first, GlobalVariable *image) {
  Module &module = *kernel.getParent();
  IRBuilder<> builder(module.getContext());
  Value *record = gpuexec::make_record(kernel, builder);
  Type *pointer = builder.getPtrTy();
  Value *of_first = builder.CreateAddrSpaceCast(first, pointer);
  Value *block = gpuexec::call_runtime(
      builder, Runtime::begin_thread_locals,
      {of_first, builder.CreateAddrSpaceCast(image, pointer),
       builder.getInt64(layout.image_size), builder.getInt64(layout.size),
       builder.getInt64(layout.alignment.value())});
  builder.CreateStore(
      builder.CreateAddrSpaceCast(block, builder.getPtrTy(1)),
      gpuexec::member(builder, record, gpuexec::RecordMember::locals));
  const FunctionCallee end =
      gpuexec::runtime_function(module, Runtime::end_thread_locals);
  for (BasicBlock &last : kernel)
    if (isa<ReturnInst>(last.getTerminator())) {
      builder.SetInsertPoint(last.getTerminator());
      builder.CreateCall(end, {of_first, block});
    }
}

/// Tells the loader of an ensemble (separate_instances) what each instance
/// needs.
void describe_layout(Module &module, const Layout &layout) {
  GlobalVariable *description =
      gpuexec::find_variable(module, gpuexec::RuntimeName::instance_layout);
  if (!description || description->isDeclaration())
    return;
  const auto offset_of = [&](gpuexec::RuntimeName name) {
    const std::string own = (gpuexec::name_of(name) + ".instance").str();
    for (auto [variable, offset] : layout.offsets)
      if (variable->getName() == own)
        return offset;
    return uint64_t(0);
  };
  Type *number = Type::getInt64Ty(module.getContext());
  std::vector<Constant *> members = {ConstantInt::get(number, layout.size)};
  constexpr gpuexec::RuntimeName OBJECTS[] = {
      gpuexec::RuntimeName::rpc_client, gpuexec::RuntimeName::rpc_extensions};
  for (gpuexec::RuntimeName name : OBJECTS)
    members.push_back(ConstantInt::get(number, offset_of(name)));
  for (gpuexec::RuntimeName name : OBJECTS)
    members.push_back(ConstantExpr::getPtrToInt(
        gpuexec::find_variable(module, name), number));
  description->setInitializer(ConstantStruct::get(
      cast<StructType>(description->getValueType()), members));
}

/// The variable's address in the calling thread.
Value *address(IRBuilder<> &builder, const GlobalVariable &variable,
               uint64_t offset) {
  return builder.CreateAddrSpaceCast(
      builder.CreateInBoundsGEP(builder.getInt8Ty(),
                                gpuexec::thread_locals(builder),
                                builder.getInt64(offset)),
      variable.getType());
}

void replace(GlobalVariable &variable, uint64_t offset) {
  Module &module = *variable.getParent();
  removeFromUsedLists(module, [&](Constant *used) {
    return used->stripPointerCasts() == &variable;
  });
  convertUsersOfConstantsToInstructions(&variable);
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue;
    auto *phi = dyn_cast<PHINode>(user);
    IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator()
                            : user);
    use.set(address(builder, variable, offset));
  }
  if (!variable.use_empty())
    module.getContext().emitError("address of thread-local variable '" +
                                  variable.getName() + "' in a constant");
}

/// Replaces calls of llvm.threadlocal.address by their operand, which is now
/// the variable's address in the calling thread.
void remove_intrinsics(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (function.getIntrinsicID() != Intrinsic::threadlocal_address)
      continue;
    while (!function.use_empty()) {
      auto *call = cast<CallInst>(function.user_back());
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

} // namespace

PreservedAnalyses gpuexec::lower_thread_locals(Module &module,
                                               ModuleAnalysisManager &) {
  const std::vector<GlobalVariable *> variables = find_variables(module);
  if (variables.empty())
    return PreservedAnalyses::all();
  const Layout layout = lay_out(variables);
  describe_layout(module, layout);
  GlobalVariable *first = add_block(module, layout, layout.size, false,
                                    RuntimeName::first_thread_locals);
  GlobalVariable *image = add_block(module, layout, layout.image_size, true,
                                    RuntimeName::thread_locals_image);
  // Releases what the linker has kept for this pass: the functions to allocate
  // and free, and in programs with threads the variable
  // __gpuexec_renew_thread_locals.
  removeFromUsedLists(module, [](Constant *used) {
    return used->getName().ends_with("_thread_locals");
  });
  for (Function &function : module)
    if (is_kernel(function) && !function.isDeclaration())
      use_in_kernel(function, layout, first, image);
  for (auto [variable, offset] : layout.offsets)
    replace(*variable, offset);
  remove_intrinsics(module);
  for (auto [variable, offset] : layout.offsets)
    if (variable->use_empty())
      variable->eraseFromParent();
  return PreservedAnalyses::none();
}
