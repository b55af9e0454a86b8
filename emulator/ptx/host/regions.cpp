//===-- emulator/ptx/host/regions.cpp - See regions.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value that lives across a meeting first becomes a variable on the stack;
// each region gets a copy of its blocks in a function of its own, the body of
// one lane, whose own variables are loaded where it begins and stored where it
// ends. The region is a loop over lanes around the body.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/host/regions.h"
#include "emulator/ptx/host/lane_loop.h"
#include "emulator/ptx/host/liveness.h"
#include "emulator/ptx/lower/names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuexec::ptx::host {

StringRef number_called(const Value *value) {
  const auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !call->arg_empty() || !callee->getName().starts_with(PREFIX) ||
      callee->getName().starts_with(MEETING) ||
      callee->getName().starts_with(UNFIT))
    return "";
  return callee->getName();
}

namespace {

/// A value that lives across a meeting.
struct Slot {
  AllocaInst *variable = nullptr; ///< of the kernel
  uint32_t offset = 0;
  bool is_uniform = false;
};

struct Gathering {
  CallInst *call = nullptr;
  MeetingKind kind{};
  BasicBlock *behind = nullptr;
  Instruction *result = nullptr; ///< stands for it, first in `behind`
  Meeting meeting{};
  SmallVector<Slot *, 8> live;
  SmallVector<uint32_t, 3> arguments; ///< offsets of slots
};

MeetingKind kind_of(StringRef name) {
  name.consume_front(MEETING);
  for (auto [at, known] : enumerate(MEETING_NAMES))
    if (name == known)
      return MeetingKind(at);
  llvm_unreachable("a meeting of no kind");
}

/// Places in memory of a lane; the largest come first.
class Layout {
public:
  explicit Layout(const DataLayout &layout) : layout(layout) {}
  uint32_t add(llvm::Type *type) {
    const uint32_t size = bytes(type);
    // Offsets are multiples of 16: no slot is aligned better than that.
    const uint32_t offset = alignTo(end, std::min<uint32_t>(size, 16));
    end = offset + size;
    return offset;
  }
  uint32_t bytes(llvm::Type *type) const {
    return PowerOf2Ceil(layout.getTypeStoreSize(type));
  }
  uint32_t end = 0;

private:
  const DataLayout &layout;
};

class Cutter {
public:
  Cutter(Function &kernel, uint32_t most_threads)
      : kernel(kernel), context(kernel.getContext()),
        lane_layout(kernel.getDataLayout()),
        uniform_layout(kernel.getDataLayout()) {
    most = alignTo(most_threads, WARP_LANES);
  }

  Cut run() {
    find_meetings();
    make_slots();
    lay_out_frames();
    for (uint32_t number = 0; number <= gatherings.size(); ++number)
      cut.regions.push_back(make_region(number));
    for (Gathering &each : gatherings)
      cut.meetings.push_back(each.meeting);
    cut.slot_bytes = alignTo(lane_layout.end, 16);
    cut.uniform_bytes = alignTo(uniform_layout.end, 16);
    return std::move(cut);
  }

private:
  void find_meetings() {
    bool needs_warps = false;
    for (Instruction &each : instructions(kernel)) {
      auto *call = dyn_cast<CallInst>(&each);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !callee->getName().starts_with(MEETING))
        continue;
      Gathering gathering;
      gathering.call = call;
      gathering.kind = kind_of(callee->getName());
      needs_warps |= !is_of_block(gathering.kind);
      gatherings.push_back(gathering);
    }
    cut.capacity = needs_warps ? WARP_LANES : most;
    for (Gathering &each : gatherings) {
      each.behind = SplitBlock(each.call->getParent(),
                               each.call->getNextNode()->getIterator());
      each.meeting.kind = each.kind;
      if (each.call->getType()->isVoidTy())
        continue;
      IRBuilder<> ir(each.behind, each.behind->begin());
      FunctionCallee stand_in = kernel.getParent()->getOrInsertFunction(
          "result." +
              std::to_string(each.call->getType()->getPrimitiveSizeInBits()),
          FunctionType::get(each.call->getType(), false));
      each.result = ir.CreateCall(stand_in);
      each.call->replaceAllUsesWith(each.result);
    }
  }

  /// Where lanes go on behind a meeting.
  SmallVector<BasicBlock *, 8> beginnings() const {
    SmallVector<BasicBlock *, 8> blocks;
    for (const Gathering &each : gatherings)
      blocks.push_back(each.behind);
    return blocks;
  }

  void make_slots() {
    rematerialise(kernel, beginnings());
    auto live = live_in(kernel);
    Values kept;
    for (Gathering &each : gatherings)
      for (Instruction *value : live[each.behind])
        kept.insert(value);
    const auto uniform = uniform_values(kernel, kept.getArrayRef());
    // Large ones first, which need no gaps.
    SmallVector<Instruction *, 16> sorted;
    for (uint32_t bytes = 1u << 16; bytes; bytes /= 2)
      for (Instruction *value : kept)
        if (lane_layout.bytes(value->getType()) == bytes)
          sorted.push_back(value);
    DenseMap<Instruction *, Slot *> slot_of;
    for (Instruction *value : sorted) {
      Slot &slot = *slots.emplace_back(std::make_unique<Slot>());
      slot.is_uniform = uniform.contains(value);
      slot.offset = (slot.is_uniform ? uniform_layout : lane_layout)
                        .add(value->getType());
      slot_of[value] = &slot;
    }
    for (Gathering &each : gatherings) {
      for (Instruction *value : live[each.behind])
        each.live.push_back(slot_of[value]);
      add_argument_slots(each);
    }
    for (Instruction *value : sorted)
      slot_of[value]->variable = DemoteRegToStack(*value);
  }

  void add_argument_slots(Gathering &gathering) {
    for (Value *argument : gathering.call->args())
      gathering.arguments.push_back(lane_layout.add(argument->getType()));
    Meeting &meeting = gathering.meeting;
    for (unsigned at = 0; at < gathering.arguments.size(); ++at)
      if (at + 1 == gathering.arguments.size() &&
          gathering.kind != MeetingKind::count)
        meeting.mask = gathering.arguments[at]; // the last one
      else
        meeting.arguments[at] = gathering.arguments[at];
    if (gathering.result)
      meeting.result = lane_layout.add(gathering.call->getType());
  }

  /// Variables in .local that optimisation has left.
  void lay_out_frames() {
    DenseSet<const AllocaInst *> demoted;
    for (auto &slot : slots)
      demoted.insert(slot->variable);
    for (Instruction &each : instructions(kernel))
      if (auto *variable = dyn_cast<AllocaInst>(&each);
          variable && !demoted.contains(variable)) {
        const uint64_t offset = alignTo(cut.frame_bytes, variable->getAlign());
        frames[variable] = offset;
        cut.frame_bytes =
            offset + *variable->getAllocationSize(kernel.getDataLayout());
      }
    cut.frame_bytes = alignTo(cut.frame_bytes, 16);
  }

  Function *make_region(uint32_t number);
  void end_at(const Gathering &gathering, uint32_t number, Instruction *copy,
              LaneBody &body, const DenseMap<Slot *, AllocaInst *> &defined);

  Function &kernel;
  LLVMContext &context;
  uint32_t most = 0;
  Cut cut;
  Layout lane_layout, uniform_layout;
  std::vector<Gathering> gatherings;
  std::vector<std::unique_ptr<Slot>> slots;
  DenseMap<AllocaInst *, uint64_t> frames;
};

/// Stores the values that are live behind the meeting, and its arguments.
void Cutter::end_at(const Gathering &gathering, uint32_t number,
                    Instruction *copy, LaneBody &body,
                    const DenseMap<Slot *, AllocaInst *> &defined) {
  IRBuilder<> ir(copy);
  for (Slot *slot : gathering.live) {
    AllocaInst *variable = defined.lookup(slot);
    if (!variable) // the slot has the value already
      continue;
    Value *value = ir.CreateLoad(variable->getAllocatedType(), variable);
    body.store(ir, value, slot->is_uniform, slot->offset, cut.capacity);
  }
  auto *call = cast<CallInst>(copy);
  for (auto [offset, argument] : zip(gathering.arguments, call->args()))
    body.store(ir, argument, false, offset, cut.capacity);
  ir.CreateRet(ir.getInt32(number));
}

Function *Cutter::make_region(uint32_t number) {
  BasicBlock *first =
      number ? gatherings[number - 1].behind : &kernel.getEntryBlock();
  DenseMap<const CallInst *, uint32_t> meeting_of;
  for (auto [at, each] : enumerate(gatherings))
    meeting_of[each.call] = at;
  const auto meeting_in = [&](BasicBlock *block) -> Gathering * {
    // Each is the last but the branch behind it.
    auto *call =
        dyn_cast_or_null<CallInst>(block->getTerminator()->getPrevNode());
    auto found = call ? meeting_of.find(call) : meeting_of.end();
    return found == meeting_of.end() ? nullptr : &gatherings[found->second];
  };
  SetVector<BasicBlock *> blocks;
  blocks.insert(first);
  for (size_t at = 0; at < blocks.size(); ++at)
    if (!meeting_in(blocks[at]))
      for (BasicBlock *next : successors(blocks[at]))
        blocks.insert(next);

  LaneBody body(*kernel.getParent(),
                kernel.getName() + ".body." + Twine(number));
  // Variables: of what is live here, and of what is defined here.
  DenseMap<Slot *, AllocaInst *> variables, defined;
  DenseMap<AllocaInst *, Value *> places;
  IRBuilder<> entry(body.entry);
  const auto is_live = [&](Slot *slot) {
    return number && is_contained(gatherings[number - 1].live, slot);
  };
  for (auto &slot : slots) {
    const bool is_used = any_of(slot->variable->users(), [&](User *user) {
      return blocks.contains(cast<Instruction>(user)->getParent());
    });
    if (!is_used && !is_live(slot.get()))
      continue;
    llvm::Type *type = slot->variable->getAllocatedType();
    AllocaInst *variable = entry.CreateAlloca(type);
    variables[slot.get()] = variable;
    places[slot->variable] = variable;
    if (any_of(slot->variable->users(), [&](User *user) {
          return isa<StoreInst>(user) &&
                 blocks.contains(cast<Instruction>(user)->getParent());
        }))
      defined[slot.get()] = variable;
  }
  for (auto &slot : slots)
    if (is_live(slot.get())) {
      AllocaInst *variable = variables[slot.get()];
      entry.CreateStore(body.load(entry, variable->getAllocatedType(),
                                  slot->is_uniform, slot->offset, cut.capacity),
                        variable);
    }
  for (auto [variable, offset] : frames)
    places[variable] = body.frame(entry, offset, cut.frame_bytes);

  ValueToValueMapTy map;
  DenseMap<BasicBlock *, BasicBlock *> copies;
  for (BasicBlock *block : blocks) {
    BasicBlock *copy = CloneBasicBlock(block, map, "", body.function);
    map[block] = copies[block] = copy;
  }
  // The kernel's first block has the variables themselves.
  for (auto [variable, place] : places) {
    if (auto copy = map.find(variable); copy != map.end())
      cast<Instruction>(copy->second)->eraseFromParent();
    map[variable] = place;
  }
  entry.CreateBr(copies[first]);
  for (BasicBlock *block : blocks) {
    BasicBlock *copy = copies[block];
    for (PHINode &phi : make_early_inc_range(copy->phis()))
      for (BasicBlock *before : to_vector(predecessors(block)))
        if (before->getParent() == &kernel && // no copy that still names it
            (!blocks.contains(before) || meeting_in(before)))
          phi.removeIncomingValue(before, /*DeletePHIIfEmpty=*/false);
    for (Instruction &each : make_early_inc_range(*copy)) {
      RemapInstruction(&each, map,
                       RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    }
    if (Gathering *gathering = meeting_in(block)) {
      auto *call = copy->getTerminator()->getPrevNode();
      copy->getTerminator()->eraseFromParent();
      end_at(*gathering, 1 + uint32_t(gathering - gatherings.data()), call,
             body, defined);
      call->eraseFromParent();
    } else if (isa<ReturnInst>(copy->getTerminator())) {
      copy->getTerminator()->eraseFromParent();
      IRBuilder<>(copy).CreateRet(entry.getInt32(ENDED));
    }
  }
  if (number && gatherings[number - 1].result) {
    auto *result = cast<Instruction>(map[gatherings[number - 1].result]);
    IRBuilder<> ir(result);
    result->replaceAllUsesWith(body.load(ir, result->getType(), false,
                                         gatherings[number - 1].meeting.result,
                                         cut.capacity));
    result->eraseFromParent();
  }
  return body.make_loop(kernel.getName() + ".region." + Twine(number),
                        cut.capacity);
}

} // namespace

Cut cut_kernel(Function &kernel, uint32_t most_threads) {
  return Cutter(kernel, most_threads).run();
}

} // namespace gpuexec::ptx::host
