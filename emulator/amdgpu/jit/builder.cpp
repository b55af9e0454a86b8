//===-- emulator/amdgpu/jit/builder.cpp - LLVM IR of one region -----------===//
#include "emulator/amdgpu/jit/builder.h"

#include "llvm/IR/MDBuilder.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

Builder::Builder(Compiler &compiler, const Request &request)
    : compiler(compiler), request(request), work(compiler.begin("region")),
      context(*work.context), ir(context), i1(ir.getInt1Ty()),
      i8(ir.getInt8Ty()), i32(ir.getInt32Ty()), i64(ir.getInt64Ty()),
      ptr(ir.getPtrTy()), first(context) {
  auto *type = FunctionType::get(ir.getVoidTy(), {ptr, ptr}, false);
  function = Function::Create(type, GlobalValue::ExternalLinkage, "region",
                              *work.module);
  function->addFnAttr(Attribute::NoUnwind);
  function->addParamAttr(0, Attribute::NoAlias);
  state = function->getArg(0);
  inst = function->getArg(1);
  first.SetInsertPoint(block("entry"));
}

Block *Builder::block(const char *name) {
  return Block::Create(context, name, function);
}
Value *Builder::host_pointer(const void *pointer) {
  return ConstantExpr::getIntToPtr(ir.getInt64(reinterpret_cast<u64>(pointer)),
                                   ptr);
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
  LoadInst *now =
      ir.CreateAlignedLoad(i64, host_pointer(request.epoch), Align(8), "epoch");
  now->setAtomic(AtomicOrdering::Acquire);
  Value *same = ir.CreateICmpEQ(
      now, state_field(offsetof(State, inline_caches_epoch), i64, "filled"));
  ir.CreateCondBr(same, then, stale, likely());
  ir.SetInsertPoint(stale);
  FunctionType *forget = FunctionType::get(ir.getVoidTy(), {ptr}, false);
  CallInst *call = ir.CreateCall(forget,
                                 host_pointer(reinterpret_cast<const void *>(
                                     request.forget_inline_caches)),
                                 {state});
  call->addParamAttr(
      0, Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
  ir.CreateBr(then);
}

} // namespace gpuexec::emulator::amdgpu::jit
