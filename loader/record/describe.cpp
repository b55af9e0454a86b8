//===-- loader/record/describe.cpp - Recorded calls, for people -----------===//
// What the bytes of a request mean is read from the opcode's sequence, as the
// host notes them (rpc/server/journal.h).
//===----------------------------------------------------------------------===//
#include "loader/record/describe.h"
#include "rpc/server/sequence.h"
#include "support/packed.h"
#include "support/printable.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuexec::record {

using rpc::Field;
using rpc::OpcodeInfo;
using rpc::Step;

namespace {

/// A value of a request or an answer.
struct Item {
  std::string name;
  unsigned lane;
  bool is_number;
  uint64_t number;
  llvm::StringRef bytes;
  unsigned step = 0; ///< in the order of the notes
  bool operator==(const Item &) const = default;
};
using Items = std::vector<Item>;

const OpcodeInfo *info_of(uint32_t opcode) {
  for (const OpcodeInfo &info : rpc::OPCODES)
    if (info.opcode == opcode)
      return &info;
  return nullptr;
}

std::string name_of(uint32_t opcode) {
  const OpcodeInfo *info = info_of(opcode);
  return info ? std::string(std::string_view(info->name))
              : llvm::formatv("opcode {0:x}", opcode).str();
}

bool prints(const OpcodeInfo &info) {
  return std::string_view(info.name).starts_with("PRINTF_");
}

/// Calls f(lane) for the lanes of a mask.
template <typename F> void for_each_lane(uint64_t mask, F f) {
  for (; mask; mask &= mask - 1)
    f(unsigned(llvm::countr_zero(mask)));
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
      items.push_back({"damaged", 0, true, 1, {}, 0});
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

// What a message shows of a string.
constexpr size_t SHOWN_BYTES = 48;

std::string quoted(llvm::StringRef bytes) {
  std::string text = "\"" + printable(bytes.take_front(SHOWN_BYTES)) + "\"";
  if (bytes.size() > SHOWN_BYTES)
    text += llvm::formatv("... ({0} bytes)", bytes.size()).str();
  return text;
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

static void pack(std::string &to, const Item &item) {
  item.is_number ? pack_number(to, item.number) : pack_bytes(to, item.bytes);
}

std::vector<LaneCall> split(const RecordedCall &call) {
  std::vector<LaneCall> lanes;
  unsigned place[64] = {};
  for_each_lane(call.mask, [&](unsigned lane) {
    place[lane] = unsigned(lanes.size());
    lanes.push_back({lane, {}, {}});
  });
  if (lanes.empty())
    return lanes;
  for (const Item &item : request_items(call))
    pack(lanes[place[item.lane]].request, item);
  for (const Item &item : answer_items(call)) {
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
  // Addresses of memory may differ.
  if (found.opcode == RPC_MALLOC || found.opcode == RPC_ALLOCATE)
    return {};
  std::string text =
      first_difference(answer_items(expected), answer_items(found));
  return text.empty() ? text : name_of(found.opcode) + ": answer: " + text;
}

} // namespace gpuexec::record
