//===-- replay/recorder/compare.cpp - Two recordings side by side ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/compare.h"
#include "replay/recorder/callers.h"
#include "replay/recorder/describe.h"
#include "replay/recorder/handles.h"
#include "rpc/protocol/protocol.h"
#include "support/packed.h"
#include "support/printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuexec::record {

static std::string expected_and_found(llvm::StringRef a, llvm::StringRef b) {
  return "expected " + quoted(a) + ", found " + quoted(b);
}

//===-- What is known before any call -------------------------------------===//

namespace {

enum class Meaning {
  given, ///< an input of the program: a difference
  list,  ///< the same; its strings are compared one by one
  note,  ///< varies from device to device, or machine to machine: a note
  set,   ///< NAME=VALUE in any order: a note
};
struct FactRow {
  const char *name;
  Meaning meaning;
};
// Other facts follow from these, or only gpu-replay needs them.
constexpr FactRow FACTS[] = {
    {"gpuexec", Meaning::note},         {"device", Meaning::note},
    {"device name", Meaning::note},     {"device target", Meaning::note},
    {"image target", Meaning::note},    {"image format", Meaning::note},
    {"program", Meaning::note},         {"launched threads", Meaning::note},
    {"launched blocks", Meaning::note}, {"arguments", Meaning::list},
    {"environment", Meaning::set},      {"threads", Meaning::given},
    {"blocks", Meaning::given},         {"kernels", Meaning::given},
    {"stack size", Meaning::given},     {"heap size", Meaning::given},
    {"constructors", Meaning::given},
};

using Strings = std::vector<std::string>;

Strings strings_of(const Recording &recording, const char *name) {
  auto found = recording.facts().find(name);
  return found == recording.facts().end() ? Strings() : found->second;
}

class Comparer {
public:
  Comparer(const Recording &a, const Recording &b) : a(a), b(b) {}
  Comparison compare();

private:
  void compare_facts();
  void compare_lists(const char *name, const Strings &a, const Strings &b);
  void compare_environment(const Strings &a, const Strings &b);
  bool compare_calls(bool in_order);
  bool follow(matcher *matcher, size_t index, const recorded_call &call);
  bool follow_lanes(matcher *matcher, size_t index);
  void note_answer(const match &match, size_t index, const recorded_call &call);
  void compare_rest(const matcher *matcher, bool in_order);
  void compare_output(const matcher *matcher);
  void compare_ends(bool in_order);
  void differs(std::string what, std::optional<size_t> first = {},
               std::optional<size_t> second = {}) {
    result.differences.push_back({std::move(what), first, second});
  }
  void note(std::string text) { result.notes.push_back(std::move(text)); }
  bool ends_by_call() const;

  const Recording &a, &b;
  bool in_order = false;
  const WaveLayout layouts[2] = {WaveLayout::of(a), WaveLayout::of(b)};
  Comparison result;
  std::optional<Difference> answer; // the first that differs
  HandleMap handles;
};

} // namespace

void Comparer::compare_lists(const char *name, const Strings &a,
                             const Strings &b) {
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (i >= a.size() || i >= b.size())
      return differs(llvm::formatv("{0}: expected {1}, found {2}", name,
                                   a.size(), b.size()));
    else if (a[i] != b[i])
      return differs(llvm::formatv("{0}: number {1}: {2}", name, i + 1,
                                   expected_and_found(a[i], b[i])));
}

/// Notes the first variable that differs, and the number of others.
void Comparer::compare_environment(const Strings &a, const Strings &b) {
  std::map<llvm::StringRef, std::pair<llvm::StringRef, llvm::StringRef>> all;
  for (llvm::StringRef entry : a)
    all[entry.split('=').first].first = entry;
  for (llvm::StringRef entry : b)
    all[entry.split('=').first].second = entry;
  std::string first;
  size_t more = 0;
  auto text = [](llvm::StringRef entry) {
    return entry.empty() ? "no such variable" : quoted(entry);
  };
  for (const auto &[name, values] : all) {
    if (values.first == values.second)
      continue;
    if (first.empty())
      first =
          "expected " + text(values.first) + ", found " + text(values.second);
    else
      ++more;
  }
  if (!first.empty())
    note("environment: " + first +
         (more ? llvm::formatv(", and {0} more variables", more).str() : ""));
}

void Comparer::compare_facts() {
  for (const FactRow &row : FACTS) {
    const Strings then = strings_of(a, row.name), now = strings_of(b, row.name);
    if (then == now)
      continue;
    switch (row.meaning) {
    case Meaning::list:
      compare_lists(row.name, then, now);
      break;
    case Meaning::set:
      compare_environment(then, now);
      break;
    case Meaning::given:
    case Meaning::note: {
      std::string text =
          row.name + (": " + expected_and_found(llvm::join(then, " "),
                                                llvm::join(now, " ")));
      row.meaning == Meaning::note ? note(text) : differs(text);
    }
    }
  }
  if (a.image() != b.image())
    note(llvm::formatv("image: another one, of {0} and of {1} bytes",
                       a.image().size(), b.image().size()));
}

//===-- Calls -------------------------------------------------------------===//

bool Comparer::ends_by_call() const {
  auto ends = [](const Recording &recording) {
    return llvm::any_of(recording.calls(), [](const RecordedCall &call) {
      return call.opcode == RPC_EXIT || call.opcode == RPC_ABORT;
    });
  };
  return ends(a) && ends(b);
}

void Comparer::note_answer(const match &match, size_t index,
                           const recorded_call &call) {
  recorded_call then = call;
  then.answer = match.answer;
  handles.given(then, call);
  if (answer)
    return;
  std::string text = answer_difference(then, call);
  if (!text.empty())
    answer = {std::move(text), match.call, index};
}

/// The address that a lane's MALLOC or ALLOCATE returned; 0: none.
static uint64_t address_of(const lane_call &lane) {
  packed answer = {view(&lane.answer), false};
  packed step = {read_bytes(&answer), false};
  return read_number(&step);
}

/// Notes that the blocks of two matching calls for memory correspond.
static void note_memory(matcher *matcher, const match &match,
                        const recorded_call &call) {
  if (!allocates(call.opcode))
    return;
  recorded_call then = call;
  then.answer = match.answer;
  const Lanes before(then), now(call);
  for (size_t i = 0; i < now.size(); ++i) {
    packed request = {view(&now[i].request), false};
    const uint64_t size = read_number(&request), old = address_of(before[i]),
                   fresh = address_of(now[i]);
    if (old && fresh)
      note_allocated(matcher, old, fresh, size);
  }
}

/// Matches a call of the second recording. False if it differs; the difference
/// is then noted.
bool Comparer::follow(matcher *matcher, size_t index,
                      const recorded_call &call) {
  recorded_call same_names = call;
  std::string request;
  if (!handles.empty()) {
    request = handles.renamed(call);
    same_names.request = to_bytes(request);
  }
  const ::match match = match_call(matcher, &same_names, /*is_last=*/false);
  Text who;
  if (!in_order)
    ::describe_caller(who, &call);
  const std::string before = who.ref().empty() ? "" : who.printable() + ": ";
  switch (match.kind) {
  case MATCH_FOUND:
    note_memory(matcher, match, call);
    note_answer(match, index, call);
    return true;
  case MATCH_ANY_TIME:
  case MATCH_PRINTED:
  case MATCH_LATER:
    return true;
  case MATCH_DIFFERS:
    differs(before + printable(to_ref(match.difference)), match.call, index);
    return false;
  case MATCH_BEYOND:
    break;
  }
  // An extra call is normal if another wave's end may have cut the first
  // recording's wave off.
  const bool natural = a.is_cut() || (!in_order && ends_by_call());
  if (!natural)
    differs(before + "expected no more calls, found " +
                describe(RecordedCall::of(call)),
            {}, index);
  return natural && !in_order;
}

/// Matches the lanes of a call one by one: on another device, or with another
/// compiler, other lanes call together.
bool Comparer::follow_lanes(matcher *matcher, size_t index) {
  const recorded_call &call = b.of_core().calls[index];
  for (const lane_call &lane : Lanes(call)) {
    const LaneCaller caller =
        moved({call.caller, lane.lane}, layouts[1], layouts[0]);
    const lane_call *alone = &lane;
    Text answered;
    join_answers(answered, &alone, 1);
    recorded_call made = {};
    made.opcode = call.opcode;
    made.caller = caller.wave;
    made.mask = uint64_t(1) << caller.lane;
    made.request = view(&lane.request);
    made.answer = to_bytes(answered.ref());
    if (!follow(matcher, index, made))
      return false;
  }
  return true;
}

/// False when a difference has been noted, or one of the two was cut off.
bool Comparer::compare_calls(bool in_order) {
  const Matcher matcher(make_matcher(&a.of_core(), in_order));
  stop_waiting(matcher.get());
  this->in_order = in_order;
  answer.reset();
  handles = {};
  bool same = true;
  const size_t before = result.differences.size();
  for (size_t i = 0; i < b.calls().size() && same; ++i)
    same = in_order ? follow(matcher.get(), i, b.of_core().calls[i])
                    : follow_lanes(matcher.get(), i);
  // If only the lanes that call together differ, compare lane by lane.
  if (in_order && result.differences.size() > before &&
      result.differences.back().first) {
    const Difference &last = result.differences.back();
    const recorded_call &then = a.of_core().calls[*last.first],
                        &now = b.of_core().calls[*last.second];
    if (then.opcode == now.opcode && then.mask != now.mask) {
      note("lanes come together otherwise: " + last.what);
      result.differences.pop_back();
      return compare_calls(/*in_order=*/false);
    }
  }
  if (same)
    compare_rest(matcher.get(), in_order);
  // The answer precedes the call that differs.
  if (answer)
    result.differences.insert(result.differences.begin() + ptrdiff_t(before),
                              *answer);
  return result.differences.size() == before;
}

/// Called when all calls of the second recording are in the first one: looks
/// for calls and output that only the first one has.
void Comparer::compare_rest(const matcher *matcher, bool in_order) {
  if (b.is_cut())
    return;
  const size_t left = first_left(matcher);
  if (left < a.calls().size() && (in_order || !ends_by_call())) {
    Text text;
    describe_first_left(text, matcher);
    return differs("expected " + text.printable() + ", found no more calls",
                   left, {});
  }
  if (!in_order)
    compare_output(matcher);
}

//===-- Output and end ----------------------------------------------------===//

/// The first call that prints the line.
static std::optional<size_t> find_line(const ::recording &in,
                                       const printed_difference &line) {
  output_call output;
  for (size_t i = 0; i < in.call_count; ++i)
    if (read_output_call(&in.calls[i], &output) &&
        output.stream == line.stream &&
        llvm::any_of(llvm::ArrayRef(output.texts, output.count),
                     [&](bytes text) {
                       return to_ref(text).contains(to_ref(line.line));
                     }))
      return i;
  return std::nullopt;
}

void Comparer::compare_output(const matcher *matcher) {
  printed_difference line;
  if (!find_printed_difference(matcher, &line) ||
      (line.missing ? b.is_cut() || ends_by_call() : a.is_cut()))
    return;
  const std::optional<size_t> call =
      find_line(line.missing ? a.of_core() : b.of_core(), line);
  Text text;
  describe_printed(text, &line);
  differs(text.printable(), line.missing ? call : std::nullopt,
          line.missing ? std::nullopt : call);
}

void Comparer::compare_ends(bool in_order) {
  if (a.is_cut() || b.is_cut()) {
    auto text = [](const Recording &recording) {
      return recording.is_cut() ? llvm::formatv("cut off after {0} calls",
                                                recording.calls().size())
                                      .str()
                                : recording.end()->kind;
    };
    return differs("end: expected " + text(a) + ", found " + text(b));
  }
  const RecordedEnd &then = *a.end(), &now = *b.end();
  if (then.kind != now.kind || then.value != now.value)
    differs(llvm::formatv("end: expected {0} with {1}, found {2} with {3}",
                          printable(then.kind), then.value, printable(now.kind),
                          now.value));
  if (then.message != now.message)
    note("message: " + expected_and_found(then.message, now.message));
  const std::pair<const char *, bool> digests[] = {
      {"standard output", then.output_digest == now.output_digest},
      {"standard error", then.error_digest == now.error_digest}};
  for (auto [name, same] : digests)
    if (!same && in_order && result.differences.empty())
      differs(std::string(name) + ": another digest");
    else if (!same && !in_order)
      note(std::string(name) + ": other bytes, or another order");
}

Comparison Comparer::compare() {
  compare_facts();
  const bool in_order = has_one_caller(a) && has_one_caller(b) &&
                        layouts[0].lanes == layouts[1].lanes;
  compare_calls(in_order);
  compare_ends(in_order);
  return std::move(result);
}

Comparison compare(const Recording &first, const Recording &second) {
  return Comparer(first, second).compare();
}

} // namespace gpuexec::record
