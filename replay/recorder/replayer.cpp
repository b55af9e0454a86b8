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

static Matcher make(const Recording &recording, bool one_caller,
                    bool scheduled) {
  const ::recording *core = &recording.of_core();
  return Matcher(scheduled ? make_schedule_matcher(core, one_caller)
                           : make_matcher(core, one_caller));
}

Replayer::Replayer(Recording recording, std::string name, int output, int error,
                   bool scheduled)
    : recorded(std::move(recording)),
      name(std::move(name)), descriptors{output, error},
      one_caller(has_one_caller(recorded)), scheduled(scheduled),
      matcher(make(recorded, one_caller, scheduled)) {}

std::optional<rpc::Outcome> Replayer::end_by_host(uint32_t opcode) const {
  using Kind = rpc::Outcome::Kind;
  if (!is_ended_by_host(matcher.get(), opcode))
    return std::nullopt;
  if (ended_by_alarm(&recorded.of_core()))
    return {{Kind::exit, 128 + SIGALRM}};
  return {{Kind::closed_pipe}};
}

void Replayer::write_output() {
  while (const recorded_output *output =
             next_output(matcher.get(), at_end_of_run)) {
    const int error =
        write_all(descriptors[output->stream - 1], to_ref(output->bytes));
    if (error && error != EPIPE && output->stream == 1) // nobody may be reading
      lost_output = error;
  }
}

/// The lines of a report on all waves that are about the calling wave; the
/// whole report if the caller is not known.
std::string Replayer::place_of(llvm::StringRef report, uint32_t caller) const {
  if (!caller)
    return report.str();
  const std::string wanted = place_in_grid(caller, WaveLayout::of(recorded));
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

bool Replayer::is_last(const ::match &match, const recorded_call &call) const {
  if (!last_call || *last_call >= recorded.calls().size())
    return false;
  if (match.kind == MATCH_FOUND)
    return match.call == *last_call;
  const recorded_call &last = recorded.of_core().calls[*last_call];
  return match.kind == MATCH_PRINTED && call.opcode == last.opcode &&
         call.caller == last.caller && same_bytes(call.request, last.request);
}

rpc::Journal::Found Replayer::match(const rpc::CallNotes &notes,
                                    llvm::StringRef &answer,
                                    rpc::Outcome &outcome) {
  const RecordedCall made = {notes.opcode,    notes.caller,  notes.mask,
                             notes.addresses, notes.request, {},
                             notes.number,    notes.step};
  const recorded_call call = made.to_core();
  {
    std::lock_guard lock(mutex);
    if (auto end = end_by_host(call.opcode)) { // perhaps before any call
      outcome = std::move(*end);
      return Found::none;
    }
    const ::match match = scheduled
                              ? match_scheduled(matcher.get(), &call)
                              : match_call(matcher.get(), &call, notes.is_last);
    switch (match.kind) {
    case MATCH_FOUND:
    case MATCH_PRINTED:
    case MATCH_ANY_TIME:
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
      answer = to_ref(match.answer);
      if (!one_caller && !scheduled &&
          !answer.empty()) // the matcher's buffer, which the next call reuses
        answer = answers.emplace_back(answer);
      return Found::answer;
    case MATCH_LATER:
      return Found::later;
    case MATCH_BEYOND:
      if (const auto &end = recorded.end();
          end && end->kind == "timed out" && timed_out) {
        is_at_time_out = true; // this run is faster than the recorded one
        timed_out();
        return Found::later;
      }
      [[fallthrough]];
    case MATCH_DIFFERS:
      Text why;
      describe_mismatch(why, matcher.get(), &match, &call);
      outcome = {rpc::Outcome::Kind::error, 0, name + ": " + why.printable()};
      break;
    }
    if (!reached_last) {
      difference = outcome.message;
      stop_waiting(matcher.get());
    }
  }
  if (where) {
    std::string lines = place_of(where(), call.caller);
    std::lock_guard lock(mutex);
    place = std::move(lines);
  }
  return Found::none;
}

void Replayer::allocated(DeviceAddress then, DeviceAddress now, uint64_t size) {
  std::lock_guard lock(mutex);
  note_allocated(matcher.get(), then.value, now.value, size);
}

void Replayer::freed(DeviceAddress now) {
  std::lock_guard lock(mutex);
  note_freed(matcher.get(), now.value);
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
  if (first_left(matcher.get()) < recorded.calls().size()) {
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

llvm::Error Replayer::fails(const Text &why) const {
  return failure(Reason::failed, "{0}: {1}", name, why.printable());
}

llvm::Error Replayer::finish(const Result &result) {
  std::lock_guard lock(mutex);
  if (!difference.empty() || result.kind == Result::Kind::not_found ||
      result.kind == Result::Kind::refused)
    return llvm::Error::success(); // a message has been printed
  if (reached_last)
    return llvm::Error::success();
  // A failure of gpuexec itself has been reported, too.
  if (result.kind == Result::Kind::failed && !result.value &&
      !(recorded.end() && recorded.end()->kind == "failed"))
    return llvm::Error::success();
  if (last_call)
    return failure(Reason::failed, "{0}: the program ended without call {1}",
                   name, *last_call + 1);
  Text why;
  if (describe_missing(why, matcher.get()))
    return fails(why);
  at_end_of_run = true;
  write_output();
  if (lost_output && recorded.end())
    return failure(Reason::failed, "{0}: cannot write standard output: {1}",
                   name, strerror(lost_output));
  if (describe_other_end(why, matcher.get(), kind_name(result.kind).c_str(),
                         result.value))
    return fails(why);
  return llvm::Error::success();
}

} // namespace gpuexec::record
