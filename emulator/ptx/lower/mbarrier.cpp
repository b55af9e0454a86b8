//===-- emulator/ptx/lower/mbarrier.cpp - Barriers that are objects -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier in the block's own shared memory (emulator/ptx/device/mbarrier.c).
// Bytes of asynchronous copies are not counted: cp.async copies at once.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/forms.h"
#include "emulator/ptx/lower/matrix.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// The barrier's address in shared memory.
Value *word_at(Emitter &e, const Instruction &i, const Operand &operand) {
  return e.ir.CreateIntToPtr(shared_address(e, i, operand),
                             PointerType::get(e.ir.getContext(), 3));
}

void initialize(Emitter &e, const Instruction &i) {
  if (i.operands.size() < 2)
    return e.fail(i, "too few operands");
  e.call("__gpuexec_ptx_mbarrier_init", e.ir.getVoidTy(),
         {word_at(e, i, i.operands[0]), e.read(i.operands[1], Type::u32)});
}

/// The state is the first operand, where it is there.
void arrive(Emitter &e, const Instruction &i) {
  bool has_state = i.operands[0].kind != Operand::Kind::address;
  unsigned at = has_state;
  if (i.has("expect_tx") || i.operands.size() <= at)
    return e.fail(i, "bytes of asynchronous copies are not counted");
  Value *count = i.operands.size() > at + 1
                     ? e.read(i.operands[at + 1], Type::u32)
                     : e.ir.getInt32(1);
  Value *state = e.call("__gpuexec_ptx_mbarrier_arrive", e.ir.getInt64Ty(),
                        {word_at(e, i, i.operands[at]), count,
                         e.ir.getInt32(i.has("arrive_drop"))});
  if (has_state)
    e.write(i.operands[0], state, Type::b64);
}

/// try_wait may wait, and need not.
void test(Emitter &e, const Instruction &i) {
  if (i.operands.size() < 3)
    return e.fail(i, "too few operands");
  Value *word = word_at(e, i, i.operands[1]);
  Value *over =
      i.has("parity")
          ? e.call("__gpuexec_ptx_mbarrier_test_parity", e.ir.getInt32Ty(),
                   {word, e.read(i.operands[2], Type::u32)})
          : e.call("__gpuexec_ptx_mbarrier_test", e.ir.getInt32Ty(),
                   {word, e.read(i.operands[2], Type::b64)});
  e.write(i.operands[0], e.ir.CreateICmpNE(over, e.ir.getInt32(0)), Type::pred);
}

} // namespace

void lower_mbarrier(Emitter &e, const Instruction &i) {
  if (i.operands.empty())
    return e.fail(i, "too few operands");
  if (i.has("init"))
    return initialize(e, i);
  if (i.has("inval"))
    return;
  if (i.has("arrive") || i.has("arrive_drop"))
    return arrive(e, i);
  if (i.has("test_wait") || i.has("try_wait"))
    return test(e, i);
  if (i.has("pending_count") && i.operands.size() > 1)
    return e.write(
        i.operands[0],
        e.ir.CreateTrunc(
            e.ir.CreateAnd(e.read(i.operands[1], Type::b64), 0xfffff),
            e.ir.getInt32Ty()),
        Type::u32);
  e.fail(i, "this form is not there");
}

/// cp.async.mbarrier.arrive: the copies are over. With .noinc it is an arrival,
/// and without, one that the barrier did not wait for.
void lower_copy_arrival(Emitter &e, const Instruction &i) {
  if (!i.has("noinc"))
    return;
  e.call("__gpuexec_ptx_mbarrier_arrive", e.ir.getInt64Ty(),
         {word_at(e, i, i.operands[0]), e.ir.getInt32(1), e.ir.getInt32(0)});
}

} // namespace gpuexec::ptx
