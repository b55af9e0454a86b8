//===-- replay/recorder/replayer.cpp - Answers from a recording -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/replayer.h"
#include "replay/recorder/callers.h"
#include "replay/recorder/recorder.h"
#include "support/descriptor.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>
#include <cstring>

namespace gpuexec::record {

Replayer::Replayer(Recording recording, std::string name, int output, int error,
                   bool scheduled)
    : recorded(std::move(recording)),
      name(std::move(name)), descriptors{output, error},
      one_caller(has_one_caller(recorded)), scheduled(scheduled),
      matcher(recorded, one_caller, scheduled) {}

/// The program makes another call than it was to make.
std::string Replayer::difference_at(const Match &match,
                                    const RecordedCall &call) const {
  std::string text = llvm::formatv("{0}: call {1}", name, match.call + 1).str();
  if (std::string who = describe_caller(call); !who.empty() && !one_caller)
    text += " (" + who + ")";
  return text + " differs: " + match.difference;
}

std::optional<rpc::Outcome> Replayer::end_by_host(uint32_t opcode) const {
  using Kind = rpc::Outcome::Kind;
  if (scheduled || opcode == RPC_EXIT || !matcher.is_complete())
    return std::nullopt;
  if (ended_by_alarm(recorded))
    return {{Kind::exit, ALARM_STATUS}};
  if (ended_by_pipe(recorded))
    return {{Kind::closed_pipe}};
  return std::nullopt;
}

rpc::Outcome Replayer::at_end(const RecordedCall &call) const {
  using Kind = rpc::Outcome::Kind;
  const std::optional<RecordedEnd> &end = recorded.end();
  std::string text = llvm::formatv("{0}: after {1} calls the recording ", name,
                                   recorded.calls().size())
                         .str();
  text += !end                    ? "was cut off"
          : end->kind == "exited" ? "ends"
                                  : "ends: the program " + end->kind;
  return {Kind::error, 0,
          text + "; the program goes on with " + describe(call)};
}

/// What was written before or during the calls that have been made. With
/// several waves it is known only at the end whether they have printed the
/// same.
void Replayer::write_output() {
  if (!matcher.is_in_order() && !at_end_of_run)
    return;
  llvm::ArrayRef<RecordedOutput> all = recorded.outputs();
  size_t made = matcher.first_left();
  if (made == recorded.calls().size())
    made = SIZE_MAX;
  for (; next_output < all.size() && all[next_output].calls_before < made;
       ++next_output) {
    const RecordedOutput &output = all[next_output];
    const int error = write_all(descriptors[output.stream - 1], output.bytes);
    if (error && error != EPIPE && output.stream == 1) // nobody may be reading
      lost_output = error;
  }
}

/// Of a report on all waves what it says about the one that calls; all of it
/// when that cannot be told.
std::string Replayer::place_of(llvm::StringRef report,
                               const RecordedCall &call) const {
  if (!call.caller)
    return report.str();
  const std::string wanted =
      place_in_grid(call.caller, WaveLayout::of(recorded));
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
  if (!text.empty())
    return text;
  // A report on very many waves does not name all of them.
  return report.contains(", block (")
             ? wanted + "is not among the waves that the device shows\n"
             : report.str();
}

bool Replayer::is_last(const Match &match, const RecordedCall &call) const {
  if (!last_call || *last_call >= recorded.calls().size())
    return false;
  if (match.kind == Match::Kind::found)
    return match.call == *last_call;
  const RecordedCall &last = recorded.calls()[*last_call];
  return match.kind == Match::Kind::printed && call.opcode == last.opcode &&
         call.caller == last.caller && call.request == last.request;
}

rpc::Journal::Found Replayer::match(const rpc::CallNotes &notes,
                                    llvm::StringRef &answer,
                                    rpc::Outcome &outcome) {
  const RecordedCall call = {notes.opcode,    notes.caller,  notes.mask,
                             notes.addresses, notes.request, {},
                             notes.number,    notes.step};
  {
    std::lock_guard lock(mutex);
    if (auto end = end_by_host(call.opcode)) { // before its first call, even
      outcome = std::move(*end);
      return Found::none;
    }
    Match match = matcher.match(call, notes.is_last);
    switch (match.kind) {
    case Match::Kind::found:
    case Match::Kind::printed:
    case Match::Kind::any_time:
      if (is_last(match, call)) {
        reached_last = true;
        outcome = {rpc::Outcome::Kind::exit, 0};
        break;
      }
      if (auto end = end_by_host(call.opcode)) {
        outcome = std::move(*end);
        return Found::none;
      }
      write_output();
      answer = match.answer;
      return Found::answer;
    case Match::Kind::later:
      return Found::later;
    case Match::Kind::differs:
      outcome = {rpc::Outcome::Kind::error, 0, difference_at(match, call)};
      break;
    case Match::Kind::beyond:
      if (const auto &end = recorded.end();
          end && end->kind == "timed out" && timed_out) {
        is_at_time_out = true; // it is faster than it was then
        timed_out();
        return Found::later;
      }
      outcome = at_end(call);
      break;
    }
    if (!reached_last) {
      difference = outcome.message;
      matcher.stop_waiting();
    }
  }
  if (where) {
    std::string lines = place_of(where(), call);
    std::lock_guard lock(mutex);
    place = std::move(lines);
  }
  return Found::none;
}

void Replayer::allocated(DeviceAddress then, DeviceAddress now, uint64_t size) {
  std::lock_guard lock(mutex);
  matcher.allocated(then.value, now, size);
}

void Replayer::freed(DeviceAddress now) {
  std::lock_guard lock(mutex);
  matcher.freed(now);
}

//===-- The schedule ------------------------------------------------------===//

uint64_t Replayer::waited(uint64_t step, uint64_t) {
  std::lock_guard lock(mutex);
  llvm::ArrayRef<RecordedWait> waits = recorded.waits();
  if (!scheduled || next_wait == waits.size() || waits[next_wait].step != step)
    return 0;
  return waits[next_wait++].ticks;
}

bool Replayer::halts(uint64_t step, std::optional<rpc::Outcome> &outcome) {
  using Kind = rpc::Outcome::Kind;
  const std::optional<RecordedEnd> &end = recorded.end();
  if (!scheduled || !recorded.halted_step() || step < *recorded.halted_step())
    return false;
  std::lock_guard lock(mutex);
  if (matcher.first_left() < recorded.calls().size()) {
    outcome = {Kind::exit}; // finish() says what is missing
  } else if (end && end->kind == "timed out" && timed_out) {
    is_at_time_out = true;
    timed_out();
  } else if (end && end->kind == "exited") { // by an alarm
    outcome = {Kind::exit, int(end->value)};
  } else if (end && end->kind == "signalled" && end->value == SIGPIPE) {
    outcome = {Kind::closed_pipe};
  } else {
    difference = name + ": here ";
    difference += !end ? "the recording was cut off"
                  : end->kind == "stopped"
                      ? "the program was ended by signal " +
                            std::to_string(end->value) + " when it was recorded"
                      : "the program " + end->kind +
                            " when it was recorded: " + end->message;
    outcome = {Kind::error, 0, difference};
  }
  return true;
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
  if (reached_last)
    return llvm::Error::success();
  // So has what gpuexec itself could not do.
  if (result.kind == Result::Kind::failed && !result.value &&
      !(recorded.end() && recorded.end()->kind == "failed"))
    return llvm::Error::success();
  const size_t calls = recorded.calls().size();
  if (last_call)
    return failure(Reason::failed, "{0}: the program ended without call {1}",
                   name, *last_call + 1);
  if (const size_t left = matcher.first_left(); left < calls)
    return failure(Reason::failed,
                   "{0}: the program ended without call {1}: {2}", name,
                   left + 1, matcher.describe_first_left());
  if (auto difference = matcher.output_difference())
    return failure(Reason::failed, "{0}: {1}", name, to_text(*difference));
  at_end_of_run = true;
  write_output();
  const std::optional<RecordedEnd> &end = recorded.end();
  if (!end)
    return failure(Reason::failed,
                   "{0}: the recording was cut off after {1} calls, which the "
                   "program has made",
                   name, calls);
  if (lost_output)
    return failure(Reason::failed, "{0}: cannot write standard output: {1}",
                   name, strerror(lost_output));
  if (kind_name(result.kind) == end->kind && result.value == end->value)
    return llvm::Error::success();
  return failure(Reason::failed,
                 "{0}: the program {1} with {2}; when it was recorded it {3} "
                 "with {4}",
                 name, kind_name(result.kind), result.value, end->kind,
                 end->value);
}

} // namespace gpuexec::record
