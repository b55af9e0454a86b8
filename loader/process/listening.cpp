//===-- loader/process/listening.cpp - Work that can be ended -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/listening.h"
#include "loader/command_line/messages.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuexec {

TimeLimit::TimeLimit(std::optional<std::chrono::duration<double>> limit) {
  using Clock = Supervisor::Clock;
  if (!limit)
    return;
  seconds = limit->count();
  deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(*limit);
}

std::optional<ExitResult> listen_during(std::function<llvm::Error()> work,
                                        llvm::StringRef command,
                                        llvm::StringRef what, int signal_fd,
                                        const TimeLimit &limit) {
  llvm::Expected<Supervisor> waiting = Supervisor::create(signal_fd);
  if (!waiting)
    return own_failure(command, waiting.takeError());
  auto failed = std::make_shared<std::optional<Result>>();
  if (llvm::Error error = waiting->start([work = std::move(work), failed] {
        if (llvm::Error error = work())
          *failed = failure_of(std::move(error));
      }))
    return own_failure(command, std::move(error));
  for (;;)
    switch (waiting->wait(limit.deadline)) {
    case Event::signal:
      return stopped_by(waiting->signal());
    case Event::timed_out:
      return report(command,
                    time_is_over(what, limit.seconds, "  it was being read\n"));
    case Event::asked:
      say_error(
          llvm::formatv("{0}: {1}: it is being read\n", command, what).str());
      break;
    default:
      waiting->join();
      return *failed ? std::optional(report(command, **failed)) : std::nullopt;
    }
}

} // namespace gpuexec
