//===-- emulator/ptx/host/lane_loop.cpp - See lane_loop.h -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group is a sequence of rows: lanes that differ in x alone. The inner loop
// runs along a row, so that addresses that depend on x are those of vectors.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/host/lane_loop.h"
#include "emulator/ptx/host/regions.h"
#include "emulator/ptx/lower/names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuexec::ptx::host {

namespace {

enum Argument { CONTEXT, LANE_NUMBER, X, Y, Z, UNIFORM_IN, UNIFORM_OUT };

/// A member of the context: none of them changes while a region runs.
Value *member(IRBuilder<> &ir, Value *context, size_t offset,
              llvm::Type *type) {
  LoadInst *load = ir.CreateLoad(
      type, ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), context, offset));
  load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(ir.getContext(), {}));
  return load;
}

void mark_context(Function &function, unsigned argument) {
  function.addParamAttr(argument, Attribute::NonNull);
  function.addDereferenceableParamAttr(argument, sizeof(Context));
  function.addParamAttr(
      argument, Attribute::getWithAlignment(function.getContext(), Align(8)));
}

Align alignment_of(const DataLayout &layout, llvm::Type *type) {
  return Align(
      std::min<uint64_t>(PowerOf2Ceil(layout.getTypeStoreSize(type)), 16));
}

} // namespace

LaneBody::LaneBody(llvm::Module &module, const Twine &name) : module(module) {
  LLVMContext &context = module.getContext();
  llvm::Type *word = llvm::Type::getInt32Ty(context);
  llvm::Type *pointer = PointerType::get(context, 0);
  function = Function::Create(
      FunctionType::get(
          word, {pointer, word, word, word, word, pointer, pointer}, false),
      GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(Attribute::AlwaysInline);
  function->setDoesNotThrow();
  mark_context(*function, CONTEXT);
  entry = BasicBlock::Create(context, "entry", function);
}

Value *LaneBody::slot(IRBuilder<> &ir, llvm::Type *type, uint32_t offset,
                      uint32_t capacity) {
  const DataLayout &layout = module.getDataLayout();
  const uint64_t bytes = PowerOf2Ceil(layout.getTypeStoreSize(type));
  Value *slots = member(ir, function->getArg(CONTEXT), offsetof(Context, slots),
                        ir.getPtrTy());
  Value *array = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), slots,
                                               uint64_t(offset) * capacity);
  Value *lane = ir.CreateZExt(function->getArg(LANE_NUMBER), ir.getInt64Ty());
  return ir.CreateInBoundsGEP(ArrayType::get(ir.getInt8Ty(), bytes), array,
                              lane);
}

Value *LaneBody::load(IRBuilder<> &ir, llvm::Type *type, bool is_uniform,
                      uint32_t offset, uint32_t capacity) {
  llvm::Type *kept = type->isIntegerTy(1) ? ir.getInt8Ty() : type;
  Value *pointer;
  if (is_uniform) {
    loaded[offset] = kept;
    pointer = ir.CreateConstInBoundsGEP1_64(
        ir.getInt8Ty(), function->getArg(UNIFORM_IN), offset);
  } else {
    pointer = slot(ir, kept, offset, capacity);
  }
  Value *value = ir.CreateAlignedLoad(
      kept, pointer, alignment_of(module.getDataLayout(), kept));
  return kept == type ? value : ir.CreateTrunc(value, type);
}

void LaneBody::store(IRBuilder<> &ir, Value *value, bool is_uniform,
                     uint32_t offset, uint32_t capacity) {
  if (value->getType()->isIntegerTy(1))
    value = ir.CreateZExt(value, ir.getInt8Ty());
  llvm::Type *type = value->getType();
  Value *pointer;
  if (is_uniform) {
    stored[offset] = type;
    pointer = ir.CreateConstInBoundsGEP1_64(
        ir.getInt8Ty(), function->getArg(UNIFORM_OUT), offset);
  } else {
    pointer = slot(ir, type, offset, capacity);
  }
  ir.CreateAlignedStore(value, pointer,
                        alignment_of(module.getDataLayout(), type));
}

Value *LaneBody::frame(IRBuilder<> &ir, uint32_t offset, uint32_t frame_bytes) {
  Value *frames = member(ir, function->getArg(CONTEXT),
                         offsetof(Context, frames), ir.getPtrTy());
  Value *lane = ir.CreateZExt(function->getArg(LANE_NUMBER), ir.getInt64Ty());
  Value *own = ir.CreateInBoundsGEP(ArrayType::get(ir.getInt8Ty(), frame_bytes),
                                    frames, lane);
  return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), own, offset);
}

void LaneBody::replace_numbers(uint32_t capacity) {
  IRBuilder<> ir(&*entry->getFirstInsertionPt());
  Value *context = function->getArg(CONTEXT);
  Value *lane = function->getArg(LANE_NUMBER);
  llvm::Type *word = ir.getInt32Ty();
  const auto value_of = [&](StringRef name) -> Value * {
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (name == TID[axis])
        return function->getArg(X + axis);
      if (name == NTID[axis])
        return member(ir, context, offsetof(Context, threads) + 4 * axis, word);
      if (name == CTAID[axis])
        return member(ir, context, offsetof(Context, block) + 4 * axis, word);
      if (name == NCTAID[axis])
        return member(ir, context, offsetof(Context, blocks) + 4 * axis, word);
    }
    if (name == LANE)
      return capacity == WARP_LANES ? lane : ir.CreateAnd(lane, WARP_LANES - 1);
    if (name == THREAD)
      return ir.CreateAdd(lane,
                          member(ir, context, offsetof(Context, first), word),
                          "", true, true);
    if (name == DYNAMIC_SHARED)
      return member(ir, context, offsetof(Context, dynamic_shared), word);
    if (name == SHARED_BYTES)
      return member(ir, context, offsetof(Context, shared_bytes),
                    ir.getInt64Ty());
    if (name == SHARED_BEGIN)
      return ir.CreatePtrToInt(
          member(ir, context, offsetof(Context, shared), ir.getPtrTy()),
          ir.getInt64Ty());
    if (name == SHARED_BASE)
      return member(ir, context, offsetof(Context, shared), ir.getPtrTy());
    if (name == ARGUMENTS)
      return member(ir, context, offsetof(Context, arguments), ir.getPtrTy());
    if (name == VARIABLES)
      return member(ir, context, offsetof(Context, variables), ir.getPtrTy());
    llvm_unreachable("a number that nobody knows");
  };
  for (Instruction &each : make_early_inc_range(instructions(function)))
    if (StringRef name = number_called(&each); !name.empty()) {
      each.replaceAllUsesWith(value_of(name));
      each.eraseFromParent();
    }
}

MDNode *LaneBody::mark_accesses() {
  SmallVector<Instruction *, 32> accesses;
  for (Instruction &each : instructions(function)) {
    if (!each.mayReadOrWriteMemory())
      continue;
    if (each.isVolatile() || each.isAtomic())
      return nullptr;
    accesses.push_back(&each);
  }
  MDNode *group = MDNode::getDistinct(module.getContext(), {});
  for (Instruction *each : accesses)
    each->setMetadata(LLVMContext::MD_access_group, group);
  return group;
}

llvm::Function *LaneBody::make_loop(const Twine &name, uint32_t capacity) {
  replace_numbers(capacity);
  LLVMContext &context = module.getContext();
  IRBuilder<> ir(context);
  llvm::Type *word = ir.getInt32Ty();
  Function *region = Function::Create(
      FunctionType::get(word, {ir.getPtrTy(), word, word, ir.getPtrTy()},
                        false),
      GlobalValue::InternalLinkage, name, module);
  region->setDoesNotThrow();
  // Not of the body: where it is inlined, calls would mark the scope and stand
  // in the way of vectors.
  region->addParamAttr(0, Attribute::NoAlias);
  mark_context(*region, 0);
  region->addParamAttr(3, Attribute::NoAlias);
  Value *block = region->getArg(0), *from = region->getArg(1),
        *to = region->getArg(2), *uniform = region->getArg(3);

  SmallVector<uint32_t, 4> exits;
  for (BasicBlock &each : *function)
    if (auto *ret = dyn_cast<ReturnInst>(each.getTerminator())) {
      const auto exit =
          uint32_t(cast<ConstantInt>(ret->getReturnValue())->getZExtValue());
      if (!is_contained(exits, exit))
        exits.push_back(exit);
    }
  MDNode *group = mark_accesses();

  auto *begin = BasicBlock::Create(context, "entry", region);
  auto *rows = BasicBlock::Create(context, "rows", region);
  auto *lanes = BasicBlock::Create(context, "lanes", region);
  auto *row_end = BasicBlock::Create(context, "row_end", region);
  auto *end = BasicBlock::Create(context, "end", region);

  ir.SetInsertPoint(begin);
  uint32_t bytes = 16;
  for (const auto *uses : {&loaded, &stored})
    for (const auto &[offset, type] : *uses)
      bytes = std::max<uint32_t>(
          bytes,
          offset + PowerOf2Ceil(module.getDataLayout().getTypeStoreSize(type)));
  llvm::Type *area = ArrayType::get(ir.getInt8Ty(), bytes);
  AllocaInst *in = ir.CreateAlloca(area), *out = ir.CreateAlloca(area);
  in->setAlignment(Align(16));
  out->setAlignment(Align(16));
  const auto copy = [&](Value *to, Value *from, uint32_t offset,
                        llvm::Type *type) {
    const Align alignment = alignment_of(module.getDataLayout(), type);
    Value *value = ir.CreateAlignedLoad(
        type, ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), from, offset),
        alignment);
    ir.CreateAlignedStore(
        value, ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), to, offset),
        alignment);
  };
  for (auto [offset, type] : loaded)
    copy(in, uniform, offset, type);
  for (auto [offset, type] : stored)
    copy(out, uniform, offset, type);
  Value *width = member(ir, block, offsetof(Context, threads), word);
  Value *height = member(ir, block, offsetof(Context, threads) + 4, word);
  Value *thread =
      ir.CreateAdd(member(ir, block, offsetof(Context, first), word), from);
  Value *row = ir.CreateUDiv(thread, width);
  Value *x_begin = ir.CreateURem(thread, width);
  Value *y_begin = ir.CreateURem(row, height);
  Value *z_begin = ir.CreateUDiv(row, height);
  Value *next = member(ir, block, offsetof(Context, next), ir.getPtrTy());
  ir.CreateBr(rows);

  ir.SetInsertPoint(rows);
  PHINode *lane = ir.CreatePHI(word, 2), *x = ir.CreatePHI(word, 2),
          *y = ir.CreatePHI(word, 2), *z = ir.CreatePHI(word, 2),
          *least = ir.CreatePHI(word, 2), *most = ir.CreatePHI(word, 2);
  lane->addIncoming(from, begin);
  x->addIncoming(x_begin, begin);
  y->addIncoming(y_begin, begin);
  z->addIncoming(z_begin, begin);
  least->addIncoming(ir.getInt32(SCATTERED), begin);
  most->addIncoming(ir.getInt32(0), begin);
  Value *count = ir.CreateBinaryIntrinsic(
      Intrinsic::umin, ir.CreateSub(width, x), ir.CreateSub(to, lane));
  ir.CreateBr(lanes);

  ir.SetInsertPoint(lanes);
  PHINode *at = ir.CreatePHI(word, 2), *low = ir.CreatePHI(word, 2),
          *high = ir.CreatePHI(word, 2);
  at->addIncoming(ir.getInt32(0), rows);
  low->addIncoming(least, rows);
  high->addIncoming(most, rows);
  Value *number = ir.CreateAdd(lane, at, "", true, true);
  Value *went = ir.CreateCall(
      function,
      {block, number, ir.CreateAdd(x, at, "", true, true), y, z, in, out});
  Value *new_low = low, *new_high = high;
  if (exits.size() > 1) {
    StoreInst *store =
        ir.CreateStore(went, ir.CreateInBoundsGEP(word, next, number));
    if (group)
      store->setMetadata(LLVMContext::MD_access_group, group);
    new_low = ir.CreateBinaryIntrinsic(Intrinsic::umin, low, went);
    new_high = ir.CreateBinaryIntrinsic(Intrinsic::umax, high, went);
  }
  Value *following = ir.CreateAdd(at, ir.getInt32(1), "", true, true);
  BranchInst *again =
      ir.CreateCondBr(ir.CreateICmpULT(following, count), lanes, row_end);
  at->addIncoming(following, lanes);
  low->addIncoming(new_low, lanes);
  high->addIncoming(new_high, lanes);
  if (group) {
    MDNode *parallel = MDNode::get(
        context,
        {MDString::get(context, "llvm.loop.parallel_accesses"), group});
    MDNode *loop = MDNode::getDistinct(context, {nullptr, parallel});
    loop->replaceOperandWith(0, loop);
    again->setMetadata(LLVMContext::MD_loop, loop);
  }

  ir.SetInsertPoint(row_end);
  Value *done = ir.CreateAdd(lane, count, "", true, true);
  Value *below = ir.CreateAdd(y, ir.getInt32(1), "", true, true);
  Value *wraps = ir.CreateICmpEQ(below, height);
  ir.CreateCondBr(ir.CreateICmpULT(done, to), rows, end);
  lane->addIncoming(done, row_end);
  x->addIncoming(ir.getInt32(0), row_end);
  y->addIncoming(ir.getInt32(0), row_end);
  z->addIncoming(z, row_end);
  y->setIncomingValueForBlock(
      row_end, SelectInst::Create(wraps, ir.getInt32(0), below, "",
                                  row_end->getTerminator()->getIterator()));
  {
    IRBuilder<> before(row_end->getTerminator());
    z->setIncomingValueForBlock(
        row_end, before.CreateAdd(z, before.CreateZExt(wraps, word)));
  }
  least->addIncoming(new_low, row_end);
  most->addIncoming(new_high, row_end);

  ir.SetInsertPoint(end);
  for (auto [offset, type] : stored)
    copy(uniform, out, offset, type);
  if (exits.size() == 1)
    ir.CreateRet(ir.getInt32(exits[0]));
  else
    ir.CreateRet(ir.CreateSelect(ir.CreateICmpEQ(new_low, new_high), new_low,
                                 ir.getInt32(SCATTERED)));
  return region;
}

} // namespace gpuexec::ptx::host
