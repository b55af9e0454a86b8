//===-- toolchain/passes/shared/thread_record.cpp - See thread_record.h ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/thread_record.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace gpuexec {

namespace {

constexpr unsigned GLOBAL = 1, PRIVATE = 5; // address spaces of both targets

constexpr unsigned CACHE_LINE = 128; // bytes, the most of all GPUs

PointerType *private_pointer(LLVMContext &context) {
  return PointerType::get(context, PRIVATE);
}

IntegerType *address_type(Module &module) {
  return module.getDataLayout().getIntPtrType(module.getContext(), PRIVATE);
}

GlobalVariable *address_variable(Module &module) {
  if (GlobalVariable *there = find_variable(module, RuntimeName::thread_record))
    return there;
  // The variable has a cache line of its own: AMD's scalar cache does not see
  // stores, so no load of other data may bring the line into the cache before
  // the wave's kernel has written the address.
  Type *type = ArrayType::get(Type::getInt8Ty(module.getContext()), CACHE_LINE);
  auto *variable = new GlobalVariable(
      module, type, false, GlobalValue::InternalLinkage,
      Constant::getNullValue(type), name_of(RuntimeName::thread_record),
      nullptr, GlobalValue::NotThreadLocal, GLOBAL);
  variable->setAlignment(Align(CACHE_LINE));
  // No function reads it before expand_thread_record().
  appendToCompilerUsed(module, {variable});
  return variable;
}

/// Attributes for the inputs of AMD's kernels that a placeholder does not need.
/// Without them LLVM would pass all inputs through all functions that call one.
constexpr const char *NOT_NEEDED[] = {
    "amdgpu-no-cluster-id-x",       "amdgpu-no-cluster-id-y",
    "amdgpu-no-cluster-id-z",       "amdgpu-no-completion-action",
    "amdgpu-no-default-queue",      "amdgpu-no-dispatch-id",
    "amdgpu-no-dispatch-ptr",       "amdgpu-no-flat-scratch-init",
    "amdgpu-no-heap-ptr",           "amdgpu-no-hostcall-ptr",
    "amdgpu-no-implicitarg-ptr",    "amdgpu-no-lds-kernel-id",
    "amdgpu-no-multigrid-sync-arg", "amdgpu-no-queue-ptr",
    "amdgpu-no-workgroup-id-x",     "amdgpu-no-workgroup-id-y",
    "amdgpu-no-workgroup-id-z",     "amdgpu-no-workitem-id-x",
    "amdgpu-no-workitem-id-y",      "amdgpu-no-workitem-id-z"};

/// Adds a call of a placeholder function, which any pass may move, merge and
/// remove.
CallInst *call_placeholder(IRBuilder<> &builder, RuntimeName name,
                           Type *result) {
  Module &module = *builder.GetInsertBlock()->getModule();
  Function *function = cast<Function>(
      module
          .getOrInsertFunction(name_of(name), FunctionType::get(result, false))
          .getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(Attribute::NoCallback);
  if (module.getTargetTriple().isAMDGPU()) {
    for (const char *attribute : NOT_NEEDED)
      function->addFnAttr(attribute);
    function->addFnAttr("amdgpu-agpr-alloc", "0");
  }
  return builder.CreateCall(function);
}

/// Adds a load of the record's address from the variable.
Value *load_record(IRBuilder<> &builder) {
  Module &module = *builder.GetInsertBlock()->getModule();
  LoadInst *address =
      builder.CreateLoad(address_type(module), address_variable(module));
  // In a function the store of the kernel is done, so the load may be a scalar
  // one on AMD, which the metadata allows. NVIDIA's counterpart (ld.global.nc)
  // does not see stores of the same kernel.
  if (module.getTargetTriple().isAMDGPU() &&
      !is_kernel(*address->getFunction()))
    address->setMetadata(LLVMContext::MD_invariant_load,
                         MDNode::get(module.getContext(), {}));
  return builder.CreateIntToPtr(address, private_pointer(module.getContext()));
}

/// The type of a record without its last member.
StructType *short_record_type(LLVMContext &context) {
  return StructType::get(context, record_type(context)->elements().drop_back());
}

/// The store of the record's address at the beginning of a kernel.
StoreInst *store_of_address(Function &function) {
  GlobalVariable *variable =
      find_variable(*function.getParent(), RuntimeName::thread_record);
  if (variable && is_kernel(function))
    for (Instruction &instruction : function.getEntryBlock())
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        if (store->getPointerOperand() == variable)
          return store;
  return nullptr;
}

/// The instruction before which a placeholder's loads go: in a kernel not
/// before the store of the record's address.
Instruction *place_of(CallInst &placeholder) {
  StoreInst *store = store_of_address(*placeholder.getFunction());
  return store && store->getParent() == placeholder.getParent() &&
                 placeholder.comesBefore(store)
             ? store->getNextNode()
             : &placeholder;
}

/// Replaces all calls of a placeholder by the result of `expansion`.
template <typename Expand>
bool expand(Module &module, RuntimeName name, Expand expansion) {
  Function *function = find_runtime(module, name);
  if (!function)
    return false;
  while (!function->use_empty()) {
    auto *call = cast<CallInst>(function->user_back());
    Instruction *place = place_of(*call);
    if (place != call)
      call->moveBefore(place->getIterator());
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(expansion(builder));
    call->eraseFromParent();
  }
  function->eraseFromParent();
  return true;
}

} // namespace

StructType *record_type(LLVMContext &context) {
  Type *word = Type::getInt32Ty(context), *two = Type::getInt64Ty(context);
  return StructType::get(
      context, {PointerType::get(context, GLOBAL), word, word, two, two, two,
                ArrayType::get(two, INPUTS), two, two, two, two});
}

bool is_record(const AllocaInst &variable) {
  LLVMContext &context = variable.getContext();
  return variable.getAllocatedType() == record_type(context) ||
         variable.getAllocatedType() == short_record_type(context);
}

bool is_kernel(const Function &function) {
  return function.getCallingConv() == CallingConv::AMDGPU_KERNEL ||
         function.getCallingConv() == CallingConv::PTX_Kernel;
}

Value *make_record(Function &kernel, IRBuilder<> &builder) {
  Module &module = *kernel.getParent();
  LLVMContext &context = module.getContext();
  if (StoreInst *store = store_of_address(kernel)) {
    builder.SetInsertPoint(store->getNextNode());
    return cast<PtrToIntInst>(store->getValueOperand())->getPointerOperand();
  }
  BasicBlock &entry = kernel.getEntryBlock();
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  Value *record = builder.CreateAlloca(
      short_record_type(context), module.getDataLayout().getAllocaAddrSpace());
  record = builder.CreateAddrSpaceCast(record, private_pointer(context));
  builder.CreateStore(builder.CreatePtrToInt(record, address_type(module)),
                      address_variable(module));
  return record;
}

Value *make_long_record(Function &kernel, IRBuilder<> &builder) {
  Value *record = make_record(kernel, builder);
  cast<AllocaInst>(record->stripPointerCasts())
      ->setAllocatedType(record_type(kernel.getContext()));
  return record;
}

Value *record(IRBuilder<> &builder) {
  return call_placeholder(builder, RuntimeName::get_thread_record,
                          private_pointer(builder.getContext()));
}

Value *member(IRBuilder<> &builder, Value *record, RecordMember which) {
  return builder.CreateStructGEP(record_type(builder.getContext()), record,
                                 unsigned(which));
}

Value *thread_locals(IRBuilder<> &builder) {
  return call_placeholder(builder, RuntimeName::get_thread_locals,
                          PointerType::get(builder.getContext(), GLOBAL));
}

bool expand_thread_record(Module &module) {
  bool changed =
      expand(module, RuntimeName::get_thread_locals, [](IRBuilder<> &builder) {
        return builder.CreateLoad(
            PointerType::get(builder.getContext(), GLOBAL),
            member(builder, load_record(builder), RecordMember::locals));
      });
  changed |= expand(module, RuntimeName::get_thread_record, load_record);
  return changed;
}

} // namespace gpuexec
