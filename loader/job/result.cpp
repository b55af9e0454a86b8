//===-- loader/job/result.cpp - How a job ends ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/job/execution.h"
#include "support/failure.h"
#include <condition_variable>
#include <csignal>

namespace gpuexec {

Result time_is_over(llvm::StringRef what, std::optional<double> limit,
                    std::string where) {
  Result result;
  result.kind = Result::Kind::timed_out;
  result.message = (what + ": timed out").str();
  if (limit)
    result.message += llvm::formatv(" after {0} s", *limit).str();
  result.report = std::move(where);
  result.settled = false;
  return result;
}

Result failure_of(llvm::Error error) {
  Result result;
  result.kind = Result::Kind::failed;
  llvm::handleAllErrors(
      std::move(error),
      [&](const DeviceFault &fault) {
        result.kind = Result::Kind::faulted;
        result.value = fault.signal();
        result.message = fault.message();
        result.report = fault.report();
        result.settled = false; // the device may still use its memory
      },
      [&](const Failure &failure) {
        if (failure.reason() == Reason::not_runnable ||
            failure.reason() == Reason::no_device)
          result.kind = Result::Kind::refused;
        if (failure.reason() == Reason::group_faulted)
          result.again = Result::Again::suspected;
        if (failure.reason() == Reason::group_ended)
          result.again = Result::Again::innocent;
        result.message = failure.message();
      },
      [&](const Aborted &aborted) {
        result.kind = Result::Kind::signalled;
        result.value = SIGABRT;
        result.message = aborted.message();
      },
      [&](const ImageError &bad) {
        result.kind = bad.reason() == ImageError::Reason::not_found
                          ? Result::Kind::not_found
                          : Result::Kind::refused;
        result.message = bad.message();
      },
      [&](const llvm::ErrorInfoBase &other) {
        result.message = other.message();
      });
  return result;
}

Result result_of(const rpc::Outcome &outcome, const std::string &image) {
  using Kind = rpc::Outcome::Kind;
  Result result;
  result.settled = false; // the kernel may go on
  switch (outcome.kind) {
  case Kind::exit:
    result.value = outcome.status & 0xff;
    break;
  case Kind::abort:
    result.kind = Result::Kind::signalled;
    result.value = SIGABRT;
    result.message = image + ": aborted" +
                     (outcome.message.empty() ? "" : ": ") + outcome.message;
    break;
  case Kind::closed_pipe:
    result.kind = Result::Kind::signalled;
    result.value = SIGPIPE;
    break;
  case Kind::error:
    result.kind = Result::Kind::failed;
    if (!llvm::StringRef(outcome.message).starts_with(image))
      result.message = image + ": ";
    result.message += outcome.message;
    break;
  }
  return result;
}

Result run(Job job) {
  struct Waiting {
    std::mutex mutex;
    std::condition_variable changed;
  };
  using Clock = std::chrono::steady_clock;
  auto waiting = std::make_shared<Waiting>();
  std::optional<Clock::time_point> deadline;
  if (job.time_limit)
    deadline = Clock::now() +
               std::chrono::duration_cast<Clock::duration>(*job.time_limit);
  llvm::Expected<std::unique_ptr<Execution>> started =
      Execution::start(std::move(job), [waiting] {
        std::lock_guard lock(waiting->mutex);
        waiting->changed.notify_all();
      });
  if (!started)
    return failure_of(started.takeError());
  Execution &execution = **started;
  auto over = [&] { return execution.is_over(); };
  bool in_time = true;
  {
    std::unique_lock lock(waiting->mutex);
    if (deadline)
      in_time = waiting->changed.wait_until(lock, *deadline, over);
    else
      waiting->changed.wait(lock, over);
  }
  Result result = in_time ? execution.finish() : execution.timed_out();
  if (!in_time)
    execution.write_buffered_output();
  if (!result.settled)
    result.settled = execution.end();
  return result;
}

} // namespace gpuexec
