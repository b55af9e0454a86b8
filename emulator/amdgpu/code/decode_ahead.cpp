//===-- emulator/amdgpu/code/decode_ahead.cpp - See decode_ahead.h --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/code/decode_ahead.h"

#include <map>
#include <mutex>

namespace gpuexec::emulator::amdgpu {
namespace {

struct Ahead {
  std::mutex mutex; // guards what follows
  std::map<std::pair<std::string, bool>, std::unique_ptr<Disassembler>>
      disassemblers;
  size_t bytes = 0;
};

Ahead &ahead() {
  static Ahead &all = *new Ahead; // the end of a process frees it faster
  return all;
}

} // namespace

void decode_ahead(llvm::StringRef cpu, bool wave32,
                  llvm::ArrayRef<uint8_t> code) {
  Ahead &all = ahead();
  std::lock_guard lock(all.mutex);
  std::unique_ptr<Disassembler> &disassembler =
      all.disassemblers[{cpu.str(), wave32}];
  if (!disassembler) {
    auto made = Disassembler::create(cpu, wave32);
    if (!made) // whoever runs the code reports it
      return llvm::consumeError(made.takeError());
    disassembler = std::move(*made);
  }
  constexpr unsigned DWORD = 4; // data between instructions is skipped so
  while (!code.empty() && all.bytes < MOST_AHEAD) {
    const size_t size = std::max(disassembler->keep(code), DWORD);
    all.bytes += size;
    code = code.drop_front(std::min(size, code.size()));
  }
}

void GiveBack::operator()(Disassembler *disassembler) const {
  if (!place)
    return delete disassembler;
  std::lock_guard lock(ahead().mutex);
  place->reset(disassembler);
}

llvm::Expected<TakenDisassembler> take_disassembler(llvm::StringRef cpu,
                                                    bool wave32) {
  Ahead &all = ahead();
  {
    std::lock_guard lock(all.mutex);
    auto found = all.disassemblers.find({cpu.str(), wave32});
    if (found != all.disassemblers.end() && found->second)
      return TakenDisassembler(found->second.release(), {&found->second});
  }
  auto made = Disassembler::create(cpu, wave32);
  if (!made)
    return made.takeError();
  return TakenDisassembler(made->release());
}

} // namespace gpuexec::emulator::amdgpu
