//===-- loader/record/replayer.cpp - Answers from a recording -------------===//
#include "loader/record/replayer.h"
#include "loader/record/recorder.h"
#include "support/descriptor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <csignal>

namespace gpuexec::record {

// Of the calls that a wave is still to make.
static constexpr size_t MOST_LOOKED_AT = 256;

static bool ends_program(uint32_t opcode) {
  return opcode == RPC_EXIT || opcode == RPC_ABORT;
}

/// Is the call served whenever it comes, as if nothing were recorded? Which
/// wave asks for memory depends on who needs it first. And nobody waits for
/// what FREE does: it may overtake the next call.
static bool is_unordered(uint32_t opcode, bool one_caller) {
  return opcode == RPC_FREE || opcode == RPC_NOOP ||
         (!one_caller && (opcode == RPC_MALLOC || opcode == RPC_ALLOCATE));
}

static uint64_t hash_of(uint32_t opcode, llvm::StringRef request) {
  return llvm::xxh3_64bits(request) ^ opcode;
}

Replayer::Replayer(Recording recording, std::string name, int output, int error)
    : recorded(std::move(recording)),
      name(std::move(name)), descriptors{output, error} {
  llvm::ArrayRef<RecordedCall> calls = recorded.calls();
  for (const RecordedCall &call : calls) {
    one_caller &= call.caller == calls[0].caller && call.caller;
    ends_by_call |= ends_program(call.opcode);
  }
  for (size_t i = 0; i < calls.size(); ++i)
    if (!is_unordered(calls[i].opcode, one_caller))
      add_units(i);
}

void Replayer::add_units(size_t index) {
  const RecordedCall &call = recorded.calls()[index];
  if (one_caller) {
    units.push_back({index, {}});
    return;
  }
  // One that could not write all is a call like any other.
  if (std::optional<OutputCall> output = output_call(call);
      output && answer_of(*output) == call.answer)
    return then_printed.add(*output);
  for (LaneCall &lane : split(call)) {
    if (call.caller)
      by_caller[{call.caller, lane.lane}].push_back(units.size());
    by_request.emplace(hash_of(call.opcode, lane.request), units.size());
    units.push_back({index, std::move(lane)});
  }
}

//===-- Which call is it? -------------------------------------------------===//

/// Are they the same but for where the program's memory is? An address outside
/// of what it has allocated is one of its image, which may be elsewhere, too.
bool Replayer::is_same(const RecordedCall &then,
                       const RecordedCall &now) const {
  if (then.opcode != now.opcode || then.mask != now.mask ||
      then.request != now.request ||
      then.addresses.size() != now.addresses.size())
    return false;
  for (size_t i = 0; i < now.addresses.size(); ++i) {
    const uint64_t a = then.addresses[i], b = now.addresses[i];
    auto held = recorded_memory.upper_bound(a);
    const bool was_held = held != recorded_memory.begin() &&
                          a - std::prev(held)->first <= std::prev(held)->second;
    auto found = memory.upper_bound(DeviceAddress(b));
    const bool is_held =
        found != memory.begin() &&
        b - std::prev(found)->first.value <= std::prev(found)->second.size;
    if (was_held != is_held)
      return false;
    if (is_held && a - std::prev(found)->second.recorded !=
                       b - std::prev(found)->first.value)
      return false;
  }
  return true;
}

bool Replayer::is_same(const Unit &unit, const RecordedCall &now,
                       const LaneCall &lane) const {
  return !unit.taken && recorded.calls()[unit.call].opcode == now.opcode &&
         unit.lane.request == lane.request;
}

/// With several waves: the unit that this is. `expected`: the one that its
/// caller was to make; the number of units when that is not known.
std::optional<size_t> Replayer::find(const RecordedCall &call,
                                     const LaneCall &lane, size_t &expected) {
  expected = units.size();
  auto queue = by_caller.find({call.caller, lane.lane});
  if (queue != by_caller.end()) {
    while (!queue->second.empty() && units[queue->second.front()].taken)
      queue->second.pop_front();
    // Others may have made the calls before it this time: the first that was to
    // read standard input did so for all.
    size_t looked_at = 0;
    for (size_t index : queue->second) {
      if (is_same(units[index], call, lane))
        return index;
      if (!units[index].taken && expected == units.size())
        expected = index;
      if (++looked_at == MOST_LOOKED_AT)
        break;
    }
  }
  // Anybody's, the earliest.
  std::optional<size_t> best;
  auto [begin, end] =
      by_request.equal_range(hash_of(call.opcode, lane.request));
  for (auto each = begin; each != end; ++each)
    if ((!best || each->second < *best) &&
        is_same(units[each->second], call, lane))
      best = each->second;
  return best;
}

/// Not yet: the end comes after all calls that came before it then. And what a
/// wave does beyond the recording was cut off by another's end.
bool Replayer::may_wait(const RecordedCall &call, bool found,
                        size_t first) const {
  if (found)
    return ends_program(call.opcode) &&
           (first_left < first || now_printed.size() < then_printed.size());
  return ends_by_call || !recorded.end() || recorded.end()->kind != "exited";
}

/// What of a recorded call the unit is.
RecordedCall Replayer::call_of(const Unit &unit) const {
  const RecordedCall &call = recorded.calls()[unit.call];
  if (one_caller)
    return call;
  return {call.opcode, call.caller,       uint64_t(1) << unit.lane.lane,
          {},          unit.lane.request, {}};
}

std::string Replayer::difference_at(size_t expected,
                                    const RecordedCall &call) const {
  const Unit &unit = units[expected];
  std::string text = llvm::formatv("{0}: call {1}", name, unit.call + 1).str();
  if (std::string who = describe_caller(call); !who.empty() && !one_caller)
    text += " (" + who + ")";
  std::string what = record::difference(call_of(unit), call);
  if (what.empty())
    what = describe(call) + ": another address of the device";
  return text + " differs: " + what;
}

rpc::Outcome Replayer::outcome_of(size_t expected,
                                  const RecordedCall &call) const {
  if (expected == units.size())
    return at_end(call);
  return {rpc::Outcome::Kind::error, 0, difference_at(expected, call)};
}

rpc::Outcome Replayer::at_end(const RecordedCall &call) const {
  using Kind = rpc::Outcome::Kind;
  const std::optional<RecordedEnd> &end = recorded.end();
  const bool all_made = first_left == units.size();
  if (all_made && end && end->kind == "signalled" && end->value == SIGPIPE)
    return {Kind::closed_pipe};
  // An alarm ended it.
  if (all_made && end && end->kind == "exited" && end->value == 128 + SIGALRM)
    return {Kind::exit, int(end->value)};
  std::string text = llvm::formatv("{0}: after {1} calls the recording ", name,
                                   recorded.calls().size())
                         .str();
  text += !end                    ? "was cut off"
          : end->kind == "exited" ? "ends"
                                  : "ends: the program " + end->kind;
  return {Kind::error, 0,
          text + "; the program goes on with " + describe(call)};
}

void Replayer::take(size_t index) {
  units[index].taken = true;
  skip_taken();
  write_output();
}

void Replayer::skip_taken() {
  while (first_left < units.size() && units[first_left].taken)
    ++first_left;
}

/// What was written before or during the calls that have been made. With
/// several waves it is known only at the end whether they have printed the
/// same.
void Replayer::write_output() {
  if (!one_caller && !at_end_of_run)
    return;
  llvm::ArrayRef<RecordedOutput> all = recorded.outputs();
  const size_t made =
      first_left == units.size() ? SIZE_MAX : units[first_left].call;
  for (; next_output < all.size() && all[next_output].calls_before < made;
       ++next_output) // nobody may be reading it
    write_all(descriptors[all[next_output].stream - 1], all[next_output].bytes);
}

/// Of a report on all waves what it says about the one that calls; all of it
/// when that cannot be told.
std::string Replayer::place_of(llvm::StringRef report,
                               const RecordedCall &call) const {
  auto number = [&](const std::string &fact, size_t i) {
    auto found = recorded.facts().find(fact);
    uint64_t value = 1;
    if (found != recorded.facts().end() && i < found->second.size())
      llvm::to_integer(found->second[i], value, 10);
    return std::max<uint64_t>(value, 1);
  };
  const uint64_t lanes =
      recorded.fact("image target").starts_with("gfx9") ? 64 : 32;
  uint64_t threads = 1;
  for (size_t i = 0; i < 3; ++i)
    threads *= number("threads", i);
  const uint64_t in_block = (threads + lanes - 1) / lanes;
  const uint64_t wave = call.caller - uint64_t(1), block = wave / in_block,
                 x = number("blocks", 0), y = number("blocks", 1);
  const std::string wanted =
      llvm::formatv("block ({0},{1},{2}), wave {3} ", block % x, block / x % y,
                    block / x / y, wave % in_block)
          .str();
  std::string text;
  bool inside = false;
  for (llvm::StringRef left = report; !left.empty();) {
    auto [line, rest] = left.split('\n');
    left = rest;
    if (!line.starts_with(" "))
      inside = line.contains(wanted);
    if (inside)
      text += line.str() + "\n";
  }
  return text.empty() ? report.str() : text;
}

rpc::Journal::Found Replayer::match_in_order(const RecordedCall &call,
                                             llvm::StringRef &answer,
                                             rpc::Outcome &outcome) {
  const size_t next = first_left;
  if (next < units.size() &&
      is_same(recorded.calls()[units[next].call], call)) {
    answer = recorded.calls()[units[next].call].answer;
    take(next);
    return Found::answer;
  }
  outcome = outcome_of(next, call);
  return Found::none;
}

rpc::Journal::Found Replayer::match_lanes(const RecordedCall &call,
                                          llvm::StringRef &answer,
                                          rpc::Outcome &outcome) {
  std::vector<size_t> found;
  for (const LaneCall &lane : split(call)) {
    size_t expected;
    std::optional<size_t> index = find(call, lane, expected);
    if (index) { // the next lane finds another one
      units[*index].taken = true;
      found.push_back(*index);
      continue;
    }
    for (size_t earlier : found)
      units[earlier].taken = false;
    if (may_wait(call, false, 0) && difference.empty())
      return Found::later;
    RecordedCall alone = call;
    alone.mask = uint64_t(1) << lane.lane;
    alone.request = lane.request;
    outcome = outcome_of(expected, alone);
    return Found::none;
  }
  for (size_t index : found)
    units[index].taken = false;
  if (!found.empty() && may_wait(call, true, found.front()))
    return Found::later;
  std::vector<const LaneCall *> lanes;
  for (size_t index : found) {
    take(index);
    lanes.push_back(&units[index].lane);
  }
  answer = answers.emplace_back(join_answers(lanes));
  return Found::answer;
}

rpc::Journal::Found Replayer::match(const rpc::CallNotes &notes,
                                    llvm::StringRef &answer,
                                    rpc::Outcome &outcome) {
  const RecordedCall call = {notes.opcode,    notes.caller,  notes.mask,
                             notes.addresses, notes.request, {}};
  {
    std::lock_guard lock(mutex);
    if (is_unordered(call.opcode, one_caller)) {
      answer = {};
      return Found::answer;
    }
    std::optional<OutputCall> output;
    if (!one_caller && then_printed.size())
      output = output_call(call);
    if (output) {
      now_printed.add(*output);
      answer = answers.emplace_back(answer_of(*output));
      return Found::answer;
    }
    const Found found = one_caller ? match_in_order(call, answer, outcome)
                                   : match_lanes(call, answer, outcome);
    if (found != Found::none || outcome.kind != rpc::Outcome::Kind::error)
      return found;
    difference = outcome.message;
  }
  if (where) {
    std::string lines = place_of(where(), call);
    std::lock_guard lock(mutex);
    place = std::move(lines);
  }
  return Found::none;
}

//===-- Memory ------------------------------------------------------------===//

void Replayer::allocated(DeviceAddress then, DeviceAddress now, uint64_t size) {
  std::lock_guard lock(mutex);
  memory[now] = {then.value, size};
  recorded_memory[then.value] = size;
}

void Replayer::freed(DeviceAddress now) {
  std::lock_guard lock(mutex);
  auto found = memory.find(now);
  if (found == memory.end())
    return;
  recorded_memory.erase(found->second.recorded);
  memory.erase(found);
}

//===-- The end -----------------------------------------------------------===//

std::string Replayer::report() const {
  std::lock_guard lock(mutex);
  return place;
}

llvm::Error Replayer::finish(const Result &result) {
  std::lock_guard lock(mutex);
  if (!difference.empty() || result.kind == Result::Kind::not_found ||
      result.kind == Result::Kind::refused)
    return llvm::Error::success(); // it has been said
  const size_t calls = recorded.calls().size();
  if (first_left < units.size())
    return failure(
        Reason::failed, "{0}: the program ended without call {1}: {2}", name,
        units[first_left].call + 1, describe(call_of(units[first_left])));
  if (std::string text = now_printed.difference(then_printed, ends_by_call);
      !text.empty())
    return failure(Reason::failed, "{0}: {1}", name, text);
  at_end_of_run = true;
  write_output();
  const std::optional<RecordedEnd> &end = recorded.end();
  if (!end)
    return failure(Reason::failed,
                   "{0}: the recording was cut off after {1} calls, which the "
                   "program has made",
                   name, calls);
  if (kind_name(result.kind) == end->kind && result.value == end->value)
    return llvm::Error::success();
  return failure(Reason::failed,
                 "{0}: the program {1} with {2}; when it was recorded it {3} "
                 "with {4}",
                 name, kind_name(result.kind), result.value, end->kind,
                 end->value);
}

} // namespace gpuexec::record
