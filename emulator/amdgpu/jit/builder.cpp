//===-- emulator/amdgpu/jit/builder.cpp - LLVM IR of one region -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/builder.h"

#include "llvm/IR/MDBuilder.h"

#include <algorithm>
#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

Builder::Builder(Compiler &compiler, const Request &request)
    : compiler(compiler), request(request), work(compiler.begin("region")),
      context(*work.context), ir(context), i1(ir.getInt1Ty()),
      i8(ir.getInt8Ty()), i32(ir.getInt32Ty()), i64(ir.getInt64Ty()),
      ptr(ir.getPtrTy()), first(context) {
  auto *type = FunctionType::get(ir.getVoidTy(), {ptr, ptr, i64}, false);
  function = Function::Create(type, GlobalValue::InternalLinkage, "region",
                              *work.module);
  function->addFnAttr(Attribute::NoUnwind);
  function->addParamAttr(0, Attribute::NoAlias);
  state = function->getArg(0);
  inst = function->getArg(1);
  entry = function->getArg(2);
  host_pointers = new GlobalVariable(*work.module, ArrayType::get(i64, 0),
                                     /*isConstant=*/false,
                                     GlobalValue::ExternalLinkage, nullptr);
  first.SetInsertPoint(block("entry"));
}

Block *Builder::block(const char *name) {
  return Block::Create(context, name, function);
}

u32 Builder::offset_of(const Inst *inst) {
  auto [it, is_new] = offsets.insert({inst, u32(pointers.size() * 8)});
  if (is_new)
    pointers.push_back({HostPointer::Kind::instruction, inst, {}, 0});
  return it->second;
}
Value *Builder::pointer_at(Value *offset) {
  LoadInst *load = ir.CreateLoad(ptr, ir.CreateGEP(i8, host_pointers, offset));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  return load;
}
Value *Builder::host_pointer(HostPointer::Kind kind) {
  auto known = std::find_if(
      pointers.begin(), pointers.end(),
      [&](const HostPointer &pointer) { return pointer.kind == kind; });
  const u64 offset = u64(known - pointers.begin()) * 8;
  if (known == pointers.end())
    pointers.push_back({kind, nullptr, {}, 0});
  return pointer_at(constant64(offset));
}
void Builder::finish_pointers() {
  auto *type = ArrayType::get(i64, pointers.size());
  auto *array = new GlobalVariable(
      *work.module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
      ConstantAggregateZero::get(type), Compiler::HOST_POINTERS);
  array->setExternallyInitialized(true); // when the code is placed
  array->setAlignment(Align(64));        // apart from what is executed
  host_pointers->replaceAllUsesWith(array);
  host_pointers->eraseFromParent();
  host_pointers = array;
}

Value *Builder::state_pointer(size_t offset) {
  return ir.CreateConstInBoundsGEP1_64(i8, state, offset);
}
Value *Builder::state_field(size_t offset, Type *type, const char *name) {
  return ir.CreateLoad(type, state_pointer(offset), name);
}
MDNode *Builder::likely() {
  return MDBuilder(context).createLikelyBranchWeights();
}

MDNode *Builder::unlikely() {
  return MDBuilder(context).createUnlikelyBranchWeights();
}

void Builder::check_epoch(Block *then) {
  Block *stale = block("stale");
  LoadInst *now = ir.CreateAlignedLoad(
      i64, host_pointer(HostPointer::Kind::epoch), Align(8), "epoch");
  now->setAtomic(AtomicOrdering::Acquire);
  Value *same = ir.CreateICmpEQ(
      now, state_field(offsetof(State, inline_caches_epoch), i64, "filled"));
  ir.CreateCondBr(same, then, stale, likely());
  ir.SetInsertPoint(stale);
  FunctionType *forget = FunctionType::get(ir.getVoidTy(), {ptr}, false);
  CallInst *call = ir.CreateCall(
      forget, host_pointer(HostPointer::Kind::forget_inline_caches), {state});
  call->setCallingConv(CallingConv::PreserveMost);
  call->addParamAttr(
      0, Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
  ir.CreateBr(then);
}

} // namespace gpuexec::emulator::amdgpu::jit
