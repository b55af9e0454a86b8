//===-- replay/recorder/describe.cpp - Recorded calls, for people ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/describe.h"
#include "replay/recorder/handles.h"
#include "replay/recorder/items.h"
#include "support/printable.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuexec::record {

// What a message shows of a string.
static constexpr size_t SHOWN_BYTES = 48;

std::string quoted(llvm::StringRef bytes) {
  std::string text = "\"" + printable(bytes.take_front(SHOWN_BYTES)) + "\"";
  if (bytes.size() > SHOWN_BYTES)
    text += llvm::formatv("... ({0} bytes)", bytes.size()).str();
  return text;
}

namespace {

std::string name_of(uint32_t opcode) {
  const std::string_view name = name_of_opcode(opcode);
  return name.empty() ? llvm::formatv("opcode {0:x}", opcode).str()
                      : std::string(name);
}

std::string to_text(const Item &item) {
  if (!item.is_number)
    return quoted(item.bytes);
  const int64_t number = int64_t(item.number);
  return number > -4096 && number < (int64_t(1) << 40)
             ? std::to_string(number)
             : llvm::formatv("{0:x}", item.number).str();
}

/// The two values, from shortly before the first byte that differs.
std::string values(const Item &expected, const Item &found) {
  if (expected.is_number || found.is_number)
    return "expected " + to_text(expected) + ", found " + to_text(found);
  constexpr size_t BEFORE = 16;
  llvm::StringRef a = expected.bytes, b = found.bytes;
  size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at])
    ++at;
  const size_t from = at > SHOWN_BYTES / 2 ? at - BEFORE : 0;
  std::string text = "expected " + quoted(a.drop_front(from)) + ", found " +
                     quoted(b.drop_front(from));
  if (from)
    text += llvm::formatv(" from byte {0} on", from).str();
  return text +
         llvm::formatv(" (byte {0} is the first that differs)", at).str();
}

std::string first_difference(const Items &expected, const Items &found) {
  for (size_t i = 0; i < std::max(expected.size(), found.size()); ++i) {
    if (i >= expected.size() || i >= found.size())
      return "not as many values";
    if (expected[i] != found[i])
      return llvm::formatv("lane {0}: {1}: {2}", expected[i].lane,
                           expected[i].name, values(expected[i], found[i]))
          .str();
  }
  return {};
}

} // namespace

std::vector<LaneCall> split(const RecordedCall &call) {
  std::vector<LaneCall> lanes;
  unsigned place[64] = {};
  for_each_lane(call.mask, [&](unsigned lane) {
    place[lane] = unsigned(lanes.size());
    lanes.push_back({lane, {}, {}});
  });
  if (lanes.empty())
    return lanes;
  if (name_of_opcode(call.opcode).empty()) { // nobody knows what is in it
    lanes[0].request = call.request;
    lanes[0].answer = {call.answer.str()};
    return lanes;
  }
  for (const Item &item : request_items(call))
    if (item.name != DAMAGED)
      pack(lanes[place[item.lane]].request, item);
  for (const Item &item : answer_items(call)) {
    if (item.name == DAMAGED)
      continue;
    std::vector<std::string> &steps = lanes[place[item.lane]].answer;
    if (steps.size() <= item.step)
      steps.resize(item.step + 1);
    pack(steps[item.step], item);
  }
  return lanes;
}

std::string join_answers(llvm::ArrayRef<const LaneCall *> lanes) {
  std::string all;
  for (size_t step = 0; !lanes.empty() && step < lanes[0]->answer.size();
       ++step)
    for (const LaneCall *lane : lanes)
      if (step < lane->answer.size())
        all += lane->answer[step];
  return all;
}

std::string describe(const RecordedCall &call) {
  std::string text = name_of(call.opcode) + "(";
  const unsigned lane = unsigned(llvm::countr_zero(call.mask));
  bool first = true;
  for (const Item &item : request_items(call)) {
    if (item.lane != lane)
      continue;
    text += (first ? "" : ", ") + item.name + " " + to_text(item);
    first = false;
  }
  return text + ")";
}

std::string describe_caller(const RecordedCall &call) {
  if (!call.caller)
    return {};
  return llvm::formatv("wave {0}, lanes {1:x}", call.caller - 1, call.mask)
      .str();
}

std::string difference(const RecordedCall &expected,
                       const RecordedCall &found) {
  if (expected.opcode != found.opcode)
    return "expected " + describe(expected) + ", found " + describe(found);
  if (expected.mask != found.mask)
    return llvm::formatv("{0}: expected lanes {1:x}, found {2:x}",
                         name_of(found.opcode), expected.mask, found.mask)
        .str();
  std::string text =
      first_difference(request_items(expected), request_items(found));
  return text.empty() ? text : name_of(found.opcode) + ": " + text;
}

std::string answer_difference(const RecordedCall &expected,
                              const RecordedCall &found) {
  const Items then = answer_items(expected);
  Items now = answer_items(found);
  // The host gives names and addresses as they come.
  for (size_t i = 0; i < std::min(then.size(), now.size()); ++i)
    if (is_name(found, now[i]) && name_alike(then[i], now[i]))
      now[i].number = then[i].number;
  std::string text = first_difference(then, now);
  return text.empty() ? text : name_of(found.opcode) + ": answer: " + text;
}

} // namespace gpuexec::record
