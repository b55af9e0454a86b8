//===-- toolchain/passes/shared/kernel_inputs.cpp - See kernel_inputs.h ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/kernel_inputs.h"
#include "toolchain/passes/shared/thread_record.h"
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace {

struct Input {
  Intrinsic::ID intrinsic;
  const char *not_needed; ///< attribute of functions that do not need it
  bool is_uniform = true; ///< the same in all lanes of a wave
};
constexpr Input INPUTS[] = {
    {Intrinsic::amdgcn_workitem_id_x, "amdgpu-no-workitem-id-x", false},
    {Intrinsic::amdgcn_workitem_id_y, "amdgpu-no-workitem-id-y", false},
    {Intrinsic::amdgcn_workitem_id_z, "amdgpu-no-workitem-id-z", false},
    {Intrinsic::amdgcn_workgroup_id_x, "amdgpu-no-workgroup-id-x"},
    {Intrinsic::amdgcn_workgroup_id_y, "amdgpu-no-workgroup-id-y"},
    {Intrinsic::amdgcn_workgroup_id_z, "amdgpu-no-workgroup-id-z"},
    {Intrinsic::amdgcn_dispatch_ptr, "amdgpu-no-dispatch-ptr"},
    {Intrinsic::amdgcn_implicitarg_ptr, "amdgpu-no-implicitarg-ptr"},
    {Intrinsic::amdgcn_queue_ptr, "amdgpu-no-queue-ptr"},
    {Intrinsic::amdgcn_dispatch_id, "amdgpu-no-dispatch-id"},
};
static_assert(std::size(INPUTS) == gpuexec::INPUTS);

/// Inputs that are not kept in the record. Only programs with named local
/// memory or with clusters of blocks use them; in others functions get the
/// attributes, without which LLVM would pass these inputs on, too.
constexpr Input SELDOM[] = {
    {Intrinsic::amdgcn_lds_kernel_id, "amdgpu-no-lds-kernel-id"},
    {Intrinsic::amdgcn_cluster_id_x, "amdgpu-no-cluster-id-x"},
    {Intrinsic::amdgcn_cluster_id_y, "amdgpu-no-cluster-id-y"},
    {Intrinsic::amdgcn_cluster_id_z, "amdgpu-no-cluster-id-z"},
};

/// The address of an input in the record.
Value *place_of(IRBuilder<> &builder, Value *record, unsigned index) {
  return builder.CreateConstInBoundsGEP1_64(
      builder.getInt64Ty(),
      gpuexec::member(builder, record, gpuexec::RecordMember::inputs), index);
}

/// Replaces a call of an input's intrinsic by a load from the record.
void load(CallInst &call, unsigned index) {
  IRBuilder<> builder(&call);
  Type *type = call.getType();
  Type *word = type->isIntegerTy(32) ? type : builder.getInt64Ty();
  Value *value = builder.CreateLoad(
      word, place_of(builder, gpuexec::record(builder), index));
  if (INPUTS[index].is_uniform)
    value =
        builder.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, word, value);
  if (type->isPointerTy())
    value = builder.CreateIntToPtr(value, type);
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

/// Makes a kernel store an input in the record.
void store(Function &kernel, unsigned index) {
  IRBuilder<> builder(kernel.getContext());
  Value *record = gpuexec::make_record(kernel, builder);
  Value *value = builder.CreateIntrinsic(INPUTS[index].intrinsic, {});
  if (value->getType()->isPointerTy())
    value = builder.CreatePtrToInt(value, builder.getInt64Ty());
  builder.CreateStore(value, place_of(builder, record, index));
  kernel.removeFnAttr(INPUTS[index].not_needed);
}

} // namespace

void gpuexec::keep_kernel_inputs(Module &module) {
  for (unsigned i = 0; i < INPUTS; ++i) {
    SmallVector<CallInst *> calls;
    if (Function *intrinsic =
            Intrinsic::getDeclarationIfExists(&module, ::INPUTS[i].intrinsic))
      for (User *user : intrinsic->users())
        if (auto *call = cast<CallInst>(user); !is_kernel(*call->getFunction()))
          calls.push_back(call);
    for (CallInst *call : calls)
      load(*call, i);
    for (Function &function : module)
      if (function.isDeclaration())
        continue;
      else if (!is_kernel(function))
        function.addFnAttr(::INPUTS[i].not_needed);
      else if (!calls.empty())
        store(function, i);
  }
  for (const Input &input : SELDOM)
    if (Function *intrinsic =
            Intrinsic::getDeclarationIfExists(&module, input.intrinsic);
        !intrinsic || intrinsic->use_empty())
      for (Function &function : module)
        if (!function.isDeclaration() && !is_kernel(function))
          function.addFnAttr(input.not_needed);
  expand_thread_record(module);
}
