//===-- replay/recorder/matcher.cpp - Calls beside a recording ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/matcher.h"
#include "replay/recorder/callers.h"
#include "rpc/protocol/protocol.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

namespace gpuexec::record {

// Of the calls that a wave is still to make.
static constexpr size_t MOST_LOOKED_AT = 256;

static bool ends_program(uint32_t opcode) {
  return opcode == RPC_EXIT || opcode == RPC_ABORT;
}

/// Is the call served whenever it comes, as if nothing were recorded? Which
/// wave asks for memory depends on who needs it first. And nobody waits for
/// what FREE does: it may overtake the next call.
static bool is_unordered(uint32_t opcode, bool in_order) {
  return opcode == RPC_FREE || opcode == RPC_NOOP ||
         (!in_order && (opcode == RPC_MALLOC || opcode == RPC_ALLOCATE));
}

static uint64_t hash_of(uint32_t opcode, llvm::StringRef request) {
  return llvm::xxh3_64bits(request) ^ opcode;
}

/// Lanes of a wave make calls together on an AMD GPU. On others they come apart
/// in another way each time, and are like waves.
static bool has_lockstep(const Recording &recording) {
  const llvm::StringRef format = recording.fact("image format");
  return format.empty() || format == "amdgpu" ||
         WaveLayout::of(recording).threads == 1;
}

bool has_one_caller(const Recording &recording) {
  llvm::ArrayRef<RecordedCall> calls = recording.calls();
  return WaveLayout::of(recording).is_one_wave() && has_lockstep(recording) &&
         llvm::all_of(calls, [&](const RecordedCall &call) {
           return call.caller == calls[0].caller && call.caller;
         });
}

bool ended_by_alarm(const Recording &recording) {
  return recording.end() && recording.end()->kind == "exited" &&
         recording.end()->value == ALARM_STATUS;
}

bool ended_by_pipe(const Recording &recording) {
  return recording.end() && recording.end()->kind == "signalled" &&
         recording.end()->value == SIGPIPE;
}

CallMatcher::CallMatcher(const Recording &recording, bool in_order,
                         bool scheduled)
    : recorded(recording), in_order(in_order || scheduled),
      scheduled(scheduled) {
  llvm::ArrayRef<RecordedCall> calls = recorded.calls();
  for (size_t i = 0; i < calls.size(); ++i) {
    ends_by_call |= ends_program(calls[i].opcode);
    if (scheduled || !is_unordered(calls[i].opcode, in_order))
      add_units(i);
  }
}

void CallMatcher::add_units(size_t index) {
  const RecordedCall &call = recorded.calls()[index];
  if (scheduled) {
    by_number[call.number] = units.size();
    last_number = std::max(last_number, call.number);
  }
  if (in_order) {
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
bool CallMatcher::is_same(const RecordedCall &then,
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

bool CallMatcher::is_same(const Unit &unit, const RecordedCall &now,
                          const LaneCall &lane) const {
  return !unit.taken && recorded.calls()[unit.call].opcode == now.opcode &&
         unit.lane.request == lane.request;
}

CallMatcher::Caller CallMatcher::recorded_caller(const Unit &unit) const {
  return {recorded.calls()[unit.call].caller, unit.lane.lane};
}

/// Of a lane that has made another's call: the one behind that.
std::optional<size_t> CallMatcher::find_following(const RecordedCall &call,
                                                  const LaneCall &lane) const {
  auto last = following.find({call.caller, lane.lane});
  if (last == following.end())
    return std::nullopt;
  const std::deque<size_t> &queue =
      by_caller.at(recorded_caller(units[last->second]));
  auto next = std::upper_bound(queue.begin(), queue.end(), last->second);
  while (next != queue.end() && units[*next].taken)
    ++next;
  return next != queue.end() && is_same(units[*next], call, lane)
             ? std::optional(*next)
             : std::nullopt;
}

void CallMatcher::note_caller(const RecordedCall &call, const LaneCall &lane,
                              size_t index) {
  const Caller caller = {call.caller, lane.lane};
  if (recorded_caller(units[index]) == caller)
    following.erase(caller);
  else if (call.caller && recorded.calls()[units[index].call].caller)
    following[caller] = index;
}

/// With several waves: the unit that this is. `expected`: the one that its
/// caller was to make; the number of units when that is not known.
std::optional<size_t> CallMatcher::find(const RecordedCall &call,
                                        const LaneCall &lane,
                                        size_t &expected) {
  expected = units.size();
  if (std::optional<size_t> next = find_following(call, lane))
    return next;
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
bool CallMatcher::is_later(const RecordedCall &call, bool found,
                           size_t first) const {
  if (found)
    return ends_program(call.opcode) &&
           (next < first || now_printed.size() < then_printed.size());
  return ends_by_call || !recorded.end() || recorded.end()->kind != "exited" ||
         ended_by_alarm(recorded);
}

/// What of a recorded call the unit is.
RecordedCall CallMatcher::call_of(const Unit &unit) const {
  const RecordedCall &call = recorded.calls()[unit.call];
  if (in_order)
    return call;
  return {call.opcode, call.caller,       uint64_t(1) << unit.lane.lane,
          {},          unit.lane.request, {}};
}

Match CallMatcher::mismatch(size_t expected, const RecordedCall &call) const {
  if (expected == units.size())
    return {Match::Kind::beyond, {}, SIZE_MAX, {}};
  const Unit &unit = units[expected];
  std::string what = record::difference(call_of(unit), call);
  if (what.empty())
    what = describe(call) + ": another address of the device";
  return {Match::Kind::differs, {}, unit.call, std::move(what)};
}

Match CallMatcher::match_in_order(const RecordedCall &call) {
  if (next == units.size() ||
      !is_same(recorded.calls()[units[next].call], call))
    return mismatch(next, call);
  const size_t index = units[next].call;
  take(next);
  return {Match::Kind::found, recorded.calls()[index].answer, index, {}};
}

Match CallMatcher::match_lanes(const RecordedCall &call, bool is_last) {
  std::vector<size_t> found;
  const std::vector<LaneCall> callers = split(call);
  for (const LaneCall &lane : callers) {
    size_t expected;
    std::optional<size_t> index = find(call, lane, expected);
    if (index) { // the next lane finds another one
      units[*index].taken = true;
      found.push_back(*index);
      continue;
    }
    for (size_t earlier : found)
      units[earlier].taken = false;
    if (may_wait && is_later(call, false, 0))
      return {Match::Kind::later, {}, SIZE_MAX, {}};
    RecordedCall alone = call;
    alone.mask = uint64_t(1) << lane.lane;
    alone.request = lane.request;
    return mismatch(expected, alone);
  }
  for (size_t index : found)
    units[index].taken = false;
  if (may_wait && !is_last && !found.empty() &&
      is_later(call, true, found.front()))
    return {Match::Kind::later, {}, SIZE_MAX, {}};
  std::vector<const LaneCall *> lanes;
  for (size_t i = 0; i < found.size(); ++i) {
    take(found[i]);
    note_caller(call, callers[i], found[i]);
    lanes.push_back(&units[found[i]].lane);
  }
  return {Match::Kind::found,
          answers.emplace_back(join_answers(lanes)),
          found.empty() ? SIZE_MAX : units[found.front()].call,
          {}};
}

Match CallMatcher::match_scheduled(const RecordedCall &call) {
  auto known = by_number.find(call.number);
  // One without an answer: it waited for it when the device was halted, or when
  // the program ended.
  if (known == by_number.end())
    return {recorded.halted_step() || call.number < last_number
                ? Match::Kind::later
                : Match::Kind::beyond,
            {},
            SIZE_MAX,
            {}};
  const size_t unit = known->second, index = units[unit].call;
  const RecordedCall &then = recorded.calls()[index];
  std::string what;
  if (then.caller != call.caller)
    what =
        "expected from " + describe_caller(then) + ", found " + describe(call);
  else if (!is_same(then, call) || then.addresses != call.addresses)
    return mismatch(unit, call);
  else if (call.step > then.step)
    what = llvm::formatv("{0} was answered at step {1} of the schedule, and "
                         "comes at step {2}",
                         describe(call), then.step, call.step)
               .str();
  if (!what.empty())
    return {Match::Kind::differs, {}, index, std::move(what)};
  if (call.step < then.step)
    return {Match::Kind::later, {}, SIZE_MAX, {}};
  take(unit);
  return {Match::Kind::found, then.answer, index, {}};
}

Match CallMatcher::match(const RecordedCall &call, bool is_last) {
  if (scheduled)
    return match_scheduled(call);
  if (is_unordered(call.opcode, in_order))
    return {Match::Kind::any_time, {}, SIZE_MAX, {}};
  std::optional<OutputCall> output;
  if (!in_order && (then_printed.size() || call.opcode == RPC_FFLUSH))
    output = output_call(call);
  if (output) {
    now_printed.add(*output);
    return {Match::Kind::printed,
            answers.emplace_back(answer_of(*output)),
            SIZE_MAX,
            {}};
  }
  return in_order ? match_in_order(call) : match_lanes(call, is_last);
}

void CallMatcher::take(size_t index) {
  units[index].taken = true;
  while (next < units.size() && units[next].taken)
    ++next;
}

//===-- Memory and the end ------------------------------------------------===//

void CallMatcher::allocated(uint64_t then, DeviceAddress now, uint64_t size) {
  memory[now] = {then, size};
  recorded_memory[then] = size;
}

void CallMatcher::freed(DeviceAddress now) {
  auto found = memory.find(now);
  if (found == memory.end())
    return;
  recorded_memory.erase(found->second.recorded);
  memory.erase(found);
}

size_t CallMatcher::first_left() const {
  return next == units.size() ? recorded.calls().size() : units[next].call;
}

bool CallMatcher::is_complete() const {
  return next == units.size() && now_printed.size() >= then_printed.size();
}

std::string CallMatcher::describe_first_left() const {
  return next == units.size() ? std::string() : describe(call_of(units[next]));
}

std::optional<PrintedText::Difference> CallMatcher::output_difference() const {
  return now_printed.difference(then_printed, ends_by_call);
}

} // namespace gpuexec::record
