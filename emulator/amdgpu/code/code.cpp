//===-- emulator/amdgpu/code/code.cpp - Decoded code, cached --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/code/code.h"
#include "emulator/amdgpu/decode/translate.h"
#include "emulator/amdgpu/decode/unseen_accesses.h"
#include "emulator/amdgpu/definedness/instrument.h"
#include "emulator/amdgpu/interpret/cold_paths.h"
#include "emulator/amdgpu/interpret/level.h"

#include <cstdlib>

namespace gpuexec::emulator::amdgpu {

/// Copies a block's micro-ops and gives them their handlers.
static std::unique_ptr<Inst[]> copy_block(const std::vector<MicroOp> &ops) {
  const Level &level = best_level();
  auto block = std::make_unique<Inst[]>(ops.size());
  for (size_t k = 0; k < ops.size(); ++k) {
    block[k] = ops[k];
    assign_handlers(block[k], level);
  }
  return block;
}

/// A block ends here at the latest, so that decoding stays lazy.
static constexpr unsigned MAX_BLOCK = 512;

// Code that is entered at every instruction would be decoded from each of them
// on, up to MAX_BLOCK instructions each time. Blocks are therefore short
// (SHORT_BLOCK) once OFTEN times as many instructions have been decoded as fit
// into the code, and SMALL_CODE more.
static constexpr unsigned OFTEN = 4, SHORT_BLOCK = 8;
static constexpr u64 SMALL_CODE = 1 << 16;

llvm::Expected<std::shared_ptr<Code>> Code::create(llvm::StringRef cpu,
                                                   u64 begin, u64 end,
                                                   Watch watch, bool wave32,
                                                   Coverage *coverage) {
  auto disassembler = take_disassembler(cpu, wave32);
  if (!disassembler)
    return disassembler.takeError();
  std::shared_ptr<Code> code(new Code(begin, end, watch));
  code->disassembler = std::move(*disassembler);
  code->coverage = coverage;
  if (watch.counts)
    code->counted = std::make_unique<BasicBlocks>(end - begin);
  // calloc: pages of code that never runs cost nothing.
  using Slot = std::atomic<const Inst *>;
  code->slots.reset(
      static_cast<Slot *>(std::calloc((end - begin + 3) / 4, sizeof(Slot))));
  if (!code->slots)
    return llvm::createStringError(
        "no memory to decode 0x%llx bytes of code",
        static_cast<unsigned long long>(end - begin));
  return code;
}

bool Code::wave32() const { return disassembler->target().wave32; }

void note_executed(const Inst *i) {
  static_cast<Coverage *>(const_cast<void *>(i->data))
      ->executed(i->mods, reinterpret_cast<const char *>(i->imm));
}

const Inst *find_code(State &s, const Inst *i, u64 pc) {
  const Inst *to = s.code->find(pc);
  if (!to) {
    raise(s, i, Fault::Kind::bad_pc);
    s.fault->address = pc;
  }
  return to;
}

std::string Code::print(u64 pc) {
  if (pc - first >= last - first)
    return "";
  std::lock_guard lock(mutex);
  llvm::MCInst inst;
  llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(pc),
                                last - pc);
  if (!disassembler->decode(bytes, pc, inst))
    return "(not an instruction)";
  return disassembler->print(inst, pc);
}

BasicBlock Code::rest_of_basic_block(const Inst *at) {
  BasicBlock rest;
  if (at->kind == MicroOpKind::illegal ||
      at->kind == MicroOpKind::unsupported ||
      at->kind == MicroOpKind::leave_code)
    return rest;
  const Inst *count = at;
  while (count->kind != MicroOpKind::count)
    --count;
  const u64 end = static_cast<const BasicBlock *>(count->data)->end;
  std::lock_guard lock(mutex);
  for (u64 offset = at->pc; offset < end;) {
    llvm::MCInst inst;
    llvm::ArrayRef<uint8_t> bytes(
        reinterpret_cast<const uint8_t *>(first + offset),
        last - first - offset);
    const unsigned size = disassembler->decode(bytes, first + offset, inst);
    const Operation *operation = disassembler->info(inst.getOpcode()).operation;
    if (!size || !operation)
      break;
    if (offset != at->pc) {
      rest.add(*operation);
      if (operation->memory.space == Space::global)
        rest.add_access(operation->memory);
    }
    offset += size;
  }
  return rest;
}

const Inst *Code::decode(u64 offset, bool only_look) {
  std::lock_guard lock(mutex);
  if (const Inst *block = slots[offset / 4].load(std::memory_order_relaxed))
    return block;
  if (auto it = looked_at.find(offset); it != looked_at.end()) {
    if (!only_look)
      slots[offset / 4].store(it->second, std::memory_order_release);
    return it->second;
  }
  const UnseenAccesses unseen;
  Translator translator(*disassembler, counted.get(), watch.preempts);
  definedness::Instrumentation check(plans);
  std::vector<MicroOp> ops;
  u64 at = offset;
  unsigned count = 0,
           longest = decoded < SMALL_CODE + (last - first) / 4 * OFTEN
                         ? MAX_BLOCK
                         : SHORT_BLOCK;
  auto add = [&](MicroOpKind kind) -> Inst & {
    Inst &inst = ops.emplace_back();
    inst.kind = kind;
    inst.pc = u32(at);
    inst.length = count;
    return inst;
  };
  for (bool ends = false; !ends;) {
    bool begun =
        at < last - first && (slots[at / 4].load(std::memory_order_relaxed) ||
                              (only_look && looked_at.count(at)));
    if (at != offset && (count >= longest || begun)) {
      add(MicroOpKind::link).imm = at;
      break;
    }
    if (at >= last - first) {
      add(MicroOpKind::leave_code);
      break;
    }
    llvm::MCInst inst;
    llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(first + at),
                                  last - first - at);
    unsigned size = disassembler->decode(bytes, first + at, inst);
    if (size == 0) {
      add(MicroOpKind::illegal);
      break;
    }
    ++count;
    size_t begin = ops.size();
    if (coverage) {
      const OpcodeInfo &info = disassembler->info(inst.getOpcode());
      Inst &note = add(MicroOpKind::note);
      note.mods = inst.getOpcode();
      note.data = coverage;
      texts.push_back(info.mnemonic + (info.encoding == Encoding::sdwa ? " SDWA"
                                       : info.encoding == Encoding::dpp ? " DPP"
                                                                        : ""));
      note.imm = u64(texts.back().c_str());
    }
    translator.translate(inst, u32(at), size, texts, ops, ends);
    if (watch.checks)
      check.add(ops, begin);
    for (size_t k = begin; k < ops.size(); ++k)
      ops[k].length = count;
    at += size;
  }
  decoded += count;
  if (counted)
    counted->publish();
  auto block = copy_block(ops);
  const Inst *result = block.get();
  blocks.push_back(std::move(block));
  starts.emplace(result, offset);
  if (only_look)
    looked_at[offset] = result;
  else
    slots[offset / 4].store(result, std::memory_order_release);
  return result;
}

} // namespace gpuexec::emulator::amdgpu
