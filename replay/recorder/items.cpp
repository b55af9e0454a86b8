//===-- replay/recorder/items.cpp - The values of a recorded call ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the bytes of a request mean is read from the opcode's sequence, as the
// host notes them (rpc/server/journal.h).
//===----------------------------------------------------------------------===//
#include "replay/recorder/items.h"
#include "rpc/server/sequence.h"
#include "support/packed.h"

namespace gpuexec::record {

using rpc::Field;
using rpc::OpcodeInfo;
using rpc::Step;

namespace {

const OpcodeInfo *info_of(uint32_t opcode) {
  for (const OpcodeInfo &info : rpc::OPCODES)
    if (info.opcode == opcode)
      return &info;
  return nullptr;
}

bool prints(const OpcodeInfo &info) {
  return std::string_view(info.name).starts_with("PRINTF_");
}

class ItemReader {
public:
  ItemReader(llvm::StringRef bytes, uint64_t mask)
      : reader(bytes), mask(mask) {}

  void number(std::string_view name, unsigned lane) {
    items.push_back({std::string(name), lane, true, reader.number(), {}, at});
  }
  void bytes(std::string_view name, unsigned lane) {
    items.push_back({std::string(name), lane, false, 0, reader.bytes(), at});
  }
  void words(const Step &step, bool with_errno) {
    for_each_lane(mask, [&](unsigned lane) {
      if (with_errno) { // an answer has all words
        for (unsigned word = 0; word < step.words(); ++word)
          number(name_of_word(step, word), lane);
        return number("errno", lane);
      }
      for (unsigned i = 0; i < step.field_count; ++i) {
        const Field &field = step.fields[i];
        if (field.name == "_" || field.name == "address")
          continue;
        field.is_text ? bytes(field.name, lane) : number(field.name, lane);
      }
    });
  }
  void all_bytes(std::string_view name) {
    for_each_lane(mask, [&](unsigned lane) { bytes(name, lane); });
  }
  void step(const Step &step, bool with_errno) {
    step.kind == Step::Kind::packet ? words(step, with_errno)
                                    : all_bytes(step.name);
    ++at;
  }
  void next_step() { ++at; }
  Items take() {
    if (reader.failed())
      items.push_back({std::string(DAMAGED), 0, true, 1, {}, 0});
    return std::move(items);
  }

private:
  static std::string_view name_of_word(const Step &step, unsigned word) {
    for (unsigned i = 0; i < step.field_count; ++i)
      if (step.fields[i].word == word)
        return step.fields[i].name;
    return "word";
  }
  PackedReader reader;
  const uint64_t mask;
  Items items;
  unsigned at = 0;
};

} // namespace

Items request_items(const RecordedCall &call) {
  const OpcodeInfo *info = info_of(call.opcode);
  if (!info)
    return {{"request", 0, false, 0, call.request, 0}};
  ItemReader reader(call.request, call.mask);
  if (prints(*info)) {
    for_each_lane(call.mask, [&](unsigned lane) {
      reader.number("stream", lane);
      reader.number("errno", lane);
      reader.bytes("text", lane);
    });
    return reader.take();
  }
  for (unsigned i = 0; i < info->sequence.request_steps(); ++i)
    if (info->sequence.steps[i].by_client)
      reader.step(info->sequence.steps[i], /*with_errno=*/false);
  if (call.opcode == RPC_BULK_WRITE || call.opcode == RPC_BULK_WRITE_STREAM)
    reader.all_bytes("data");
  return reader.take();
}

Items answer_items(const RecordedCall &call) {
  const OpcodeInfo *info = info_of(call.opcode);
  if (!info)
    return {{"answer", 0, false, 0, call.answer, 0}};
  ItemReader reader(call.answer, call.mask);
  if (prints(*info)) {
    for_each_lane(call.mask, [&](unsigned lane) {
      reader.number("printed", lane);
      reader.number("errno", lane);
    });
    return reader.take();
  }
  if (call.opcode == RPC_BULK_READ || call.opcode == RPC_BULK_READ_STREAM) {
    reader.all_bytes("data");
    reader.next_step();
  }
  if (info->sequence.is_plain() && !call.answer.empty())
    for (unsigned i = info->sequence.request_steps(); i < info->sequence.count;
         ++i)
      reader.step(info->sequence.steps[i], /*with_errno=*/true);
  return reader.take();
}

std::string_view name_of_opcode(uint32_t opcode) {
  const OpcodeInfo *info = info_of(opcode);
  return info ? std::string_view(info->name) : std::string_view();
}

void pack(std::string &to, const Item &item) {
  item.is_number ? pack_number(to, item.number) : pack_bytes(to, item.bytes);
}

} // namespace gpuexec::record
