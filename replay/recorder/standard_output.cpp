//===-- replay/recorder/standard_output.cpp - What waves print ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/standard_output.h"
#include "rpc/protocol/protocol.h"
#include "support/packed.h"
#include "support/printable.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <array>

namespace gpuexec::record {

namespace {

/// What comes before a lane's text.
enum class Head { none, tagged, raw, descriptor, flush };

struct Form {
  uint32_t opcode;
  int stream; ///< 0: the head says which
  Head head;
  bool prints; ///< stream, errno, text for each lane
  bool bulk;   ///< words of all lanes, then their bytes
  unsigned words;
};
constexpr Form FORMS[] = {
    {RPC_WRITE_TO_STDOUT, 1, Head::none, false, false, 1},
    {RPC_WRITE_TO_STDOUT_NEWLINE, 1, Head::none, false, false, 1},
    {RPC_WRITE_TO_STDERR, 2, Head::none, false, false, 1},
    {RPC_WRITE_TO_STREAM, 0, Head::raw, false, false, 1},
    {RPC_PRINTF_TO_STDOUT, 1, Head::none, true, false, 1},
    {RPC_PRINTF_TO_STDERR, 2, Head::none, true, false, 1},
    {RPC_PRINTF_TO_STREAM, 0, Head::raw, true, false, 1},
    {RPC_PRINTF_TO_STDOUT_PACKED, 1, Head::none, true, false, 1},
    {RPC_PRINTF_TO_STDERR_PACKED, 2, Head::none, true, false, 1},
    {RPC_PRINTF_TO_STREAM_PACKED, 0, Head::raw, true, false, 1},
    {RPC_PRINTF_SLOTS, 0, Head::tagged, true, false, 1},
    {RPC_PRINTF_LONG_SLOTS, 0, Head::tagged, true, false, 1},
    {RPC_BULK_WRITE_STREAM, 0, Head::tagged, false, true, 2},
    {RPC_BULK_WRITE, 0, Head::descriptor, false, true, 2},
    {RPC_WRITE, 0, Head::descriptor, false, false, 1},
    {RPC_FFLUSH, 0, Head::flush, false, false, 1}, // prints nothing by itself
};

/// The standard stream that a lane's word means, or 0.
int stream_of(Head head, uint64_t word) {
  switch (head) {
  case Head::tagged:
  case Head::flush:
    word &= RPC_STREAM_TAG_MASK;
    [[fallthrough]];
  case Head::raw:
    return word == RPC_STREAM_STDOUT ? 1 : word == RPC_STREAM_STDERR ? 2 : 0;
  case Head::descriptor:
    return word == 1 || word == 2 ? int(word) : 0;
  case Head::none:
    return 0;
  }
  return 0;
}

std::vector<llvm::StringRef> sorted_lines(llvm::StringRef text) {
  std::vector<llvm::StringRef> lines;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    lines.push_back(line);
    text = rest;
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// The first line of a sorted list that another one lacks.
std::optional<llvm::StringRef>
first_lacking(llvm::ArrayRef<llvm::StringRef> lines,
              llvm::ArrayRef<llvm::StringRef> in) {
  for (llvm::StringRef line : lines) {
    while (!in.empty() && in.front() < line)
      in = in.drop_front();
    if (in.empty() || in.front() != line)
      return line;
    in = in.drop_front();
  }
  return std::nullopt;
}

std::array<int64_t, 256> bytes_of(llvm::StringRef text) {
  std::array<int64_t, 256> counts = {};
  for (char byte : text)
    ++counts[uint8_t(byte)];
  return counts;
}

} // namespace

std::optional<OutputCall> output_call(const RecordedCall &call) {
  const Form *form =
      std::find_if(std::begin(FORMS), std::end(FORMS),
                   [&](const Form &f) { return f.opcode == call.opcode; });
  if (form == std::end(FORMS) || !call.mask)
    return std::nullopt;
  const unsigned lanes = unsigned(llvm::popcount(call.mask));
  OutputCall found = {form->stream, {}, false, form->words};
  found.newline = call.opcode == RPC_WRITE_TO_STDOUT_NEWLINE;
  PackedReader reader(call.request);
  auto head = [&] {
    const int stream = stream_of(form->head, reader.number());
    if (form->head == Head::none)
      return true; // a printf's, which means nothing
    if (found.stream && found.stream != stream)
      return false; // lanes of several streams
    return (found.stream = stream) != 0;
  };
  if (form->prints) {
    for (unsigned i = 0; i < lanes; ++i) {
      if (!head() || reader.number()) // with an error
        return std::nullopt;
      found.texts.push_back(reader.bytes());
    }
  } else {
    for (unsigned i = 0; i < lanes && form->head != Head::none; ++i) {
      if (!head())
        return std::nullopt;
      if (form->bulk)
        reader.number(); // the length
      if (form->head == Head::descriptor && int64_t(reader.number()) >= 0)
        return std::nullopt; // at an offset
    }
    for (unsigned i = 0; i < lanes; ++i)
      found.texts.push_back(form->head == Head::flush
                                ? llvm::StringRef()
                                : llvm::StringRef(reader.bytes()));
  }
  return reader.failed() ? std::nullopt : std::optional(std::move(found));
}

std::string answer_of(const OutputCall &call) {
  std::string answer;
  for (llvm::StringRef text : call.texts) {
    pack_number(answer, text.size() + call.newline);
    for (unsigned word = 1; word < call.words; ++word)
      pack_number(answer, 0);
    pack_number(answer, 0); // errno
  }
  return answer;
}

void PrintedText::add(const OutputCall &call) {
  std::string &to = text[call.stream - 1];
  for (llvm::StringRef each : call.texts) {
    to += each;
    if (call.newline)
      to += '\n';
  }
}

std::optional<PrintedText::Difference>
PrintedText::difference(const PrintedText &recorded, bool more) const {
  for (int i = 0; i < 2; ++i) {
    const auto then = sorted_lines(recorded.text[i]),
               now = sorted_lines(text[i]);
    std::optional<llvm::StringRef> missing = first_lacking(then, now),
                                   added = first_lacking(now, then);
    if (!missing && (!added || more))
      continue;
    auto counts = bytes_of(text[i]), wanted = bytes_of(recorded.text[i]);
    if (text[i].size() == recorded.text[i].size() ? counts == wanted
                                                  : more && !missing)
      continue;
    return {{i + 1, bool(missing), (missing ? *missing : *added).str()}};
  }
  return std::nullopt;
}

std::string to_text(const PrintedText::Difference &difference) {
  constexpr size_t SHOWN = 80;
  return llvm::formatv(
             "{0}: {1} line '{2}'",
             difference.stream == 2 ? "standard error" : "standard output",
             difference.missing ? "without the recorded" : "with another",
             printable(llvm::StringRef(difference.line).take_front(SHOWN)))
      .str();
}

} // namespace gpuexec::record
