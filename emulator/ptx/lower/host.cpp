//===-- emulator/ptx/lower/host.cpp - See host.h --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/host.h"
#include "emulator/ptx/lower/forms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuexec::ptx {

Value *host_number(Emitter &e, StringRef name, llvm::Type *type) {
  auto *call = cast<CallInst>(e.call(name, type, {}));
  llvm::Function *function = call->getCalledFunction();
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setSpeculatable();
  return call;
}

Value *host_meeting(Emitter &e, StringRef name, llvm::Type *result,
                    ArrayRef<Value *> arguments) {
  Value *call = e.call((host::MEETING + name).str(), result, arguments,
                       /*convergent=*/true);
  llvm::Function *function = cast<CallInst>(call)->getCalledFunction();
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::NoDuplicate);
  return call;
}

bool is_unfit(StringRef opcode) {
  static constexpr StringLiteral OPCODES[] = {
      "mma",      "wmma",       "ldmatrix", "stmatrix", "movmatrix",
      "mbarrier", "cp",         "tex",      "tld4",     "txq",
      "suq",      "suld",       "sust",     "sured",    "alloca",
      "wgmma",    "activemask", "tcgen05",  "multimem", "stacksave"};
  return is_contained(OPCODES, opcode);
}

void unfit(Emitter &e, StringRef what) {
  e.call((host::UNFIT + what).str(), e.ir.getVoidTy(), {});
}

namespace {

const Operand &destination(const Instruction &i) {
  const Operand &d = i.operands[0];
  return d.kind == Operand::Kind::pair ? d.parts[0] : d;
}

void write_predicate(Emitter &e, const Instruction &i, Value *value) {
  const Operand &d = i.operands[0];
  if (d.kind == Operand::Kind::pair)
    e.write(d.parts[1], value, Type::pred);
}

/// The mask of a form with .sync; all lanes without it.
Value *mask(Emitter &e, const Instruction &i, unsigned operand) {
  return i.has("sync") ? e.read(i.operands[operand], Type::b32)
                       : e.ir.getInt32(~0u);
}

/// The lanes of `members` that have come, and those in which `condition` (i1)
/// holds.
struct Ballot {
  Value *yes, *lanes;
};

Ballot ballot_of(Emitter &e, Value *condition, Value *members) {
  Value *both =
      host_meeting(e, "ballot", e.ir.getInt64Ty(),
                   {e.ir.CreateZExt(condition, e.ir.getInt32Ty()), members});
  return {e.ir.CreateTrunc(both, e.ir.getInt32Ty()),
          e.ir.CreateTrunc(e.ir.CreateLShr(both, 32), e.ir.getInt32Ty())};
}

void vote(Emitter &e, const Instruction &i) {
  if (!i.has("sync"))
    unfit(e, "vote without .sync");
  const Ballot found =
      ballot_of(e, e.read(i.operands[1], Type::pred), mask(e, i, 2));
  if (i.has("ballot"))
    return e.write(i.operands[0], found.yes, Type::b32);
  Value *none = e.ir.CreateICmpEQ(found.yes, e.ir.getInt32(0));
  Value *all = e.ir.CreateICmpEQ(found.yes, found.lanes);
  Value *result = i.has("all")   ? all
                  : i.has("any") ? e.ir.CreateNot(none)
                                 : e.ir.CreateOr(all, none);
  e.write(i.operands[0], result, Type::pred);
}

void match(Emitter &e, const Instruction &i) {
  Type bits = bits_of(i.type()) == 64 ? Type::b64 : Type::b32;
  Value *a = e.ir.CreateZExt(e.read(i.operands[1], bits), e.ir.getInt64Ty());
  Value *result = host_meeting(e, i.has("any") ? "match_any" : "match_all",
                               e.ir.getInt32Ty(), {a, mask(e, i, 2)});
  e.write(destination(i), result, Type::b32);
  write_predicate(e, i, e.ir.CreateICmpNE(result, e.ir.getInt32(0)));
}

void reduce(Emitter &e, const Instruction &i) {
  Type type = i.type();
  for (StringRef name : {"add", "and", "or", "xor", "min", "max"}) {
    if (!i.has(name))
      continue;
    if (is_floating(type) || bits_of(type) != 32)
      return e.fail(i, "only integers of 32 bits are there");
    const bool plain = is_signed(type) || (name != "min" && name != "max");
    Value *result = host_meeting(
        e, ("redux_" + Twine(plain ? "" : "u") + name).str(), e.ir.getInt32Ty(),
        {e.read(i.operands[1], type), mask(e, i, 2)});
    return e.write(i.operands[0], result, type);
  }
  e.fail(i, "an unknown operation");
}

void elect(Emitter &e, const Instruction &i) {
  Value *lanes = ballot_of(e, e.ir.getTrue(), mask(e, i, 1)).lanes;
  Value *leader = e.intrinsic(Intrinsic::cttz, {lanes->getType()},
                              {lanes, e.ir.getFalse()});
  e.write(destination(i), leader, Type::b32);
  write_predicate(e, i, e.ir.CreateICmpEQ(leader, lane_id(e)));
}

void barrier(Emitter &e, const Instruction &i) {
  if (i.has("warp")) {
    Value *members = i.operands.empty() ? e.ir.getInt32(~0u)
                                        : e.read(i.operands[0], Type::b32);
    host_meeting(e, "warp_sync", e.ir.getVoidTy(), {members});
    return;
  }
  if (i.has("cluster")) {
    if (!i.has("arrive"))
      host_meeting(e, "block", e.ir.getVoidTy(), {});
    return;
  }
  const bool reduces = i.has("red");
  if (i.operands.size() < (reduces ? 3u : 1u))
    return e.fail(i, "too few operands");
  if (i.has("arrive") || i.operands.size() > (reduces ? 3u : 1u))
    return unfit(e, "a barrier of some threads");
  if (!reduces) {
    host_meeting(e, "block", e.ir.getVoidTy(), {});
    return;
  }
  Value *p = e.read(i.operands[2], Type::pred);
  const bool all = i.has("and");
  Value *counted = host_meeting(
      e, "count", e.ir.getInt32Ty(),
      {e.ir.CreateZExt(all ? e.ir.CreateNot(p) : p, e.ir.getInt32Ty())});
  if (i.has("popc"))
    return e.write(i.operands[0], counted, Type::u32);
  Value *none = e.ir.CreateICmpEQ(counted, e.ir.getInt32(0));
  e.write(i.operands[0], all ? none : e.ir.CreateNot(none), Type::pred);
}

/// The threads of a block run in one thread of the host: only other blocks need
/// to be told.
void fence(Emitter &e, const Instruction &i) {
  if (!i.has("cta"))
    e.ir.CreateFence(AtomicOrdering::SequentiallyConsistent);
}

const struct {
  const char *opcode;
  size_t operands; ///< the fewest
  void (*emit)(Emitter &, const Instruction &);
} FAMILY[] = {{"vote", 2, vote},    {"match", 3, match},
              {"redux", 3, reduce}, {"elect", 2, elect},
              {"bar", 0, barrier},  {"barrier", 0, barrier},
              {"membar", 0, fence}, {"fence", 0, fence}};

} // namespace

bool lower_host_warp(Emitter &e, const Instruction &i) {
  for (const auto &row : FAMILY) {
    if (i.opcode != row.opcode)
      continue;
    if (i.operands.size() < row.operands)
      e.fail(i, "too few operands");
    else
      row.emit(e, i);
    return true;
  }
  return false;
}

} // namespace gpuexec::ptx
