//===-- loader/ensemble/scheduler.cpp - See scheduler.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/scheduler.h"
#include "loader/command_line/messages.h"
#include "loader/ensemble/words.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace gpuexec::ensemble {
namespace {

/// How long an instance may take to end after it was asked to.
constexpr std::chrono::seconds LATE_AFTER_STOP(2);
/// Longest time between two looks at the progress.
constexpr int TICK_MS = 250;
/// No instance is started while more files wait for their turn (--keep-order).
constexpr size_t MOST_HELD_FILES = 200;
/// The status of an ensemble of which more than this many have failed is one
/// more, as GNU parallel has it.
constexpr size_t MOST_COUNTED = 100;

/// As many as there may be open files for: at least three of each instance.
size_t most_in_a_launch() {
  constexpr rlim_t MOST = 1024, FILES = 4, OTHERS = 64;
  rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return 0;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_max > OTHERS
             ? size_t(std::min(MOST, (limit.rlim_max - OTHERS) / FILES))
             : 0;
}

End end_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? End{0, WTERMSIG(wait_status)}
                                  : End{WEXITSTATUS(wait_status), 0};
}

} // namespace

Scheduler::Scheduler(const RunOptions &options, const Plan &plan, JobLog *log,
                     unsigned jobs, bool launches, const Host &host)
    : options(options), ensemble(options.ensemble), plan(plan), log(log),
      results(ensemble.results), host(host),
      progress(plan.instances().size(), !options.quiet) {
  for (const Instance &instance : plan.instances()) {
    const auto *earlier = log ? &log->earlier() : nullptr;
    const bool is_known = earlier && earlier->count(instance.number);
    const bool again = is_known && ensemble.resume_failed &&
                       !earlier->at(instance.number).end.is_success();
    if (!is_known || again)
      to_start.push_back(&instance);
    else
      ++progress.done;
  }
  for (unsigned slot = jobs; slot > 0; --slot)
    free_slots.push_back(slot);
  if (launches)
    launch_size = most_in_a_launch();
}

bool Scheduler::may_start() const {
  return !is_stopping && !launch && !to_start.empty() && !free_slots.empty() &&
         held_files < MOST_HELD_FILES;
}

llvm::Error Scheduler::take_ends_of_launch() {
  const std::optional<std::vector<Batch::Ended>> ended = launch->batch.read();
  if (!ended) {
    end_launch();
    return pass_on_ended();
  }
  for (const Batch::Ended &one : *ended) {
    std::optional<Record> record =
        std::exchange(launch->records[one.place], std::nullopt);
    if (!record)
      continue; // it was told of before
    record->end = one.end;
    record->seconds = one.seconds;
    launch->last_end = Clock::now();
    if (llvm::Error error = take_record(*record))
      return error;
  }
  return llvm::Error::success();
}

/// The process of the launch has ended. What it has not brought to its end runs
/// in processes of its own, unless the ensemble stops.
void Scheduler::end_launch() {
  size_t left = 0;
  for (std::optional<Record> &record : launch->records) {
    if (!record)
      continue;
    ++left;
    if (is_stopping)
      llvm::erase(order, record->instance->number);
    else
      left_by_launches.push_back(record->instance);
  }
  if (left == launch->records.size())
    launch_size = 0; // launches do not work here
  launch.reset();
  if (to_start.empty() || launch_size == 0) {
    launch_size = 0;
    llvm::append_range(left_by_launches, to_start);
    to_start = std::exchange(left_by_launches, {});
  }
}

void Scheduler::stop(bool now) {
  is_stopping = true;
  if (!now)
    return;
  if (launch)
    launch->batch.signal(SIGKILL);
  for (Running &one : running) {
    one.process.signal(SIGTERM);
    one.was_stopped = true;
    one.deadline = Clock::now() + LATE_AFTER_STOP;
  }
}

void Scheduler::take_signal(int signal_fd) {
  int number;
  if (::read(signal_fd, &number, sizeof(number)) != sizeof(number))
    return;
  if (number == SIGQUIT) { // somebody asks what goes on
    progress.hide();
    say_error(host.command + ": " + progress.text(running_count()) + "\n");
    return;
  }
  has_failed_itself |= number == own_failure_number;
  signal = number;
  stop(/*now=*/true);
}

int Scheduler::milliseconds_to_wait() const {
  int64_t wait = TICK_MS;
  for (const Running &one : running)
    if (one.deadline)
      wait =
          std::min(wait, int64_t(std::chrono::ceil<std::chrono::milliseconds>(
                                     *one.deadline - Clock::now())
                                     .count()));
  return int(std::max<int64_t>(wait, 0));
}

void Scheduler::kill_late() {
  // What is left of a launch does not end by itself.
  if (launch && options.job.time_limit &&
      Clock::now() - launch->last_end > *options.job.time_limit)
    launch->batch.signal(SIGKILL);
  for (Running &one : running)
    if (one.deadline && Clock::now() >= *one.deadline) {
      one.process.signal(SIGKILL);
      one.was_late = !one.was_stopped;
      one.deadline.reset();
    }
}

size_t Scheduler::running_count() const {
  return running.size() +
         (launch ? size_t(llvm::count_if(
                       launch->records,
                       [](const auto &record) { return record.has_value(); }))
                 : 0);
}

/// Waits for what comes first, and deals with all that has come.
llvm::Error Scheduler::wait(int signal_fd) {
  std::vector<pollfd> watched = {
      {signal_fd, POLLIN, 0},
      {launch ? launch->batch.descriptor() : -1, POLLIN, 0}};
  for (const Running &one : running)
    watched.push_back({one.process.descriptor(), POLLIN, 0});
  if (::poll(watched.data(), watched.size(), milliseconds_to_wait()) < 0)
    return llvm::Error::success(); // EINTR
  if (watched[0].revents)
    take_signal(signal_fd);
  if (watched[1].revents)
    if (llvm::Error error = take_ends_of_launch())
      return error;
  kill_late();
  auto next = running.begin();
  for (const pollfd &ended : llvm::drop_begin(watched, 2)) {
    const auto one = next++;
    if (!ended.revents)
      continue;
    Running over = std::move(*one);
    running.erase(one);
    if (llvm::Error error = take_end(over))
      return error;
  }
  return llvm::Error::success();
}

void Scheduler::count(End end) {
  ++progress.done;
  ++(end.is_success() ? progress.succeeded : progress.failed);
}

void Scheduler::halt_if_asked(const Instance &instance, unsigned slot,
                              End end) {
  const Halt &halt = ensemble.halt;
  if (halt.when == Halt::When::never || is_stopping)
    return;
  const size_t count = halt.counts == Halt::Counts::failed ? progress.failed
                       : halt.counts == Halt::Counts::succeeded
                           ? progress.succeeded
                           : progress.done;
  const double reached = halt.is_percent
                             ? double(count) * 100 / double(progress.total)
                             : double(count);
  if (reached < halt.limit)
    return;
  halt_status = end.shell_status();
  progress.hide();
  if (!options.quiet)
    say_error(llvm::formatv("{0}: --halt: instance {1} ({2}) has ended with {3}"
                            "; {4} of {5} have ended\n",
                            host.command, instance.number,
                            plan.command(instance, slot), *halt_status,
                            progress.done, progress.total)
                  .str());
  stop(halt.when == Halt::When::now);
}

llvm::Error Scheduler::take_end(Running &over) {
  Record &record = over.record;
  record.end = end_of(over.process.wait());
  if (over.was_late)
    record.end = {status::TimedOut, 0};
  free_slots.push_back(record.slot);
  llvm::sort(free_slots, std::greater<unsigned>());
  if (over.was_stopped && record.end.signal) { // it has no result
    llvm::erase(order, record.instance->number);
    return pass_on_ended();
  }
  record.seconds =
      std::chrono::duration<double>(Clock::now() - record.begin).count();
  return take_record(record);
}

llvm::Error Scheduler::take_record(Record &record) {
  const Instance &instance = *record.instance;
  const unsigned slot = record.slot;
  const End end = record.end;
  if (results)
    if (llvm::Error error = results.end(instance.number, end.shell_status()))
      return error;
  count(end);
  if (llvm::Error error = pass_on_or_keep(record))
    return error;
  halt_if_asked(instance, slot, end);
  return llvm::Error::success();
}

llvm::Error Scheduler::pass_on_or_keep(Record &record) {
  if (!ensemble.keep_order) {
    llvm::erase(order, record.instance->number);
    return pass_on(record);
  }
  for (Output *output : {&record.out, &record.errors}) {
    output->settle();
    held_files += output->holds_file();
  }
  ended.emplace(record.instance->number, std::move(record));
  return pass_on_ended();
}

/// Passes on what is not behind an instance that still runs.
llvm::Error Scheduler::pass_on_ended() {
  while (!order.empty()) {
    auto next = ended.find(order.front());
    if (next == ended.end())
      return llvm::Error::success();
    order.pop_front();
    Record record = std::move(next->second);
    ended.erase(next);
    held_files -= record.out.holds_file() + record.errors.holds_file();
    if (llvm::Error error = pass_on(record))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Scheduler::pass_on(Record &record) {
  progress.hide();
  const std::string tag =
      ensemble.tag ? quote_words(record.instance->words) + "\t" : std::string();
  const uint64_t size = record.out.size();
  if (int error = record.out.pass_on(STDOUT_FILENO, tag))
    return failure(Reason::failed, "standard output: {0}",
                   std::strerror(error));
  record.errors.pass_on(STDERR_FILENO, tag); // nobody else can be told
  if (!log)
    return llvm::Error::success();
  return log->write({record.instance->number, record.start, record.seconds,
                     size, record.end,
                     plan.command(*record.instance, record.slot)});
}

ExitResult Scheduler::result(llvm::Error error) const {
  if (error)
    return own_failure(host.command, std::move(error));
  if (has_failed_itself)
    return stopped_by(own_failure_number);
  if (signal) {
    if (!options.quiet)
      say_error(llvm::formatv("{0}: ended by a signal: {1} of {2} instances "
                              "have ended{3}\n",
                              host.command, progress.done, progress.total,
                              log ? "; --resume goes on with the others" : "")
                    .str());
    return {status::signalled(signal), signal, /*clean=*/true};
  }
  if (halt_status && !ensemble.halt.is_percent)
    return {*halt_status, 0, /*clean=*/true};
  return {int(std::min(progress.failed, MOST_COUNTED + 1)), 0, /*clean=*/true};
}

ExitResult Scheduler::run(int signal_fd) {
  llvm::Error error = llvm::Error::success();
  while (!error && (!running.empty() || launch || may_start())) {
    const bool launches = launch_size && !launch && may_start();
    error = launches ? start_launch() : start_some();
    if (error)
      break;
    progress.show(running_count());
    error = wait(signal_fd);
  }
  if (error) { // this ends those that run
    running.clear();
    launch.reset();
  }
  progress.hide();
  return result(std::move(error));
}

} // namespace gpuexec::ensemble
