//===-- loader/process/process.cpp - The process around a job -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/process.h"
#include "loader/command_line/messages.h"
#include "loader/process/children.h"
#include "loader/process/exclusive.h"
#include "loader/process/listening.h"
#include "loader/process/run.h"
#include "loader/process/supervisor.h"
#include "loader/process/type_names.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstring>
#include <future>
#include <unistd.h>

namespace gpuexec {

namespace {

/// Longest time for writing buffered output after Ctrl-C or SIGTERM: the reader
/// of a full pipe may never read on.
constexpr auto FLUSH_TIMEOUT = std::chrono::milliseconds(500);

/// Runs `work` on another thread for at most `limit`.
void within(std::chrono::milliseconds limit, std::function<void()> work) {
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> finished = done->get_future();
  Thread thread;
  if (!thread.start([done, work] {
        work();
        done->set_value();
      }))
    return work(); // then without the limit
  thread.detach();
  finished.wait_for(limit);
}

/// Ends the program after Ctrl-C or SIGTERM: writes out what it has printed and
/// sends the signal to the processes that it has started.
void end_program(Run &run, int signal) {
  std::vector<pid_t> started = descendants();
  if (run.execution)
    run.execution->halt();
  within(FLUSH_TIMEOUT, [&run] {
    if (run.execution)
      run.execution->write_buffered_output();
    if (run.streams)
      run.streams->pass_on();
    run.print_reports(/*with_call_table=*/false);
    run.print_timings();
  });
  for (pid_t process : started)
    ::kill(process, signal);
}

/// A program that others have ended more often runs alone.
constexpr unsigned MOST_RUNS = 6;

/// Ends a job that is over: prints its messages and reports. Frees the program
/// and the device only after an exit, because only then no other thread can
/// still ask them.
ExitResult finish(Run &run) {
  Result result = run.execution->finish();
  if (run.wants_again(result))
    return {};
  if (run.streams)
    run.streams->pass_on();
  ExitResult end = report(run.command, result);
  run.finish_recording(result, end);
  // The counts of a job that an error has ended may still change.
  run.print_reports(result.kind == Result::Kind::exited || !result.settled);
  if (result.kind == Result::Kind::exited && result.settled)
    run.execution->release();
  run.print_timings();
  return end;
}

/// Ends the run after its time limit.
ExitResult time_out(Run &run) {
  Result result = run.execution->timed_out();
  if (run.replayer && run.replayer->is_timed_out())
    result.message = run.replayer->recording().end()->message;
  if (HeldStreams *streams = run.streams.get())
    within(FLUSH_TIMEOUT, [streams] { streams->let_go(); });
  ExitResult end = report(run.command, result);
  end_program(run, SIGTERM);
  run.finish_recording(result, end);
  return end;
}

/// Answers SIGQUIT: prints where the program is, or `otherwise` if that is not
/// empty. The program goes on.
void say_where(Run &run, llvm::StringRef otherwise) {
  const bool is_here = otherwise.empty();
  say_error(run.command + llvm::Twine(": SIGQUIT: ") +
            (is_here ? "the program is here, and goes on" : otherwise) + "\n" +
            (is_here ? run.where() : ""));
}

/// Ends the run after a signal.
ExitResult stop(Run &run, int signal) {
  const ExitResult end = stopped_by(signal);
  end_program(run, end.ours ? SIGTERM : signal);
  if (!end.ours)
    run.finish_recording_by_signal(signal);
  return end;
}

/// --no-parallelism: waits until no other gpuexec runs. Returns a result when
/// that failed or a signal came.
std::optional<ExitResult> wait_for_turn(Run &run, int signal_fd) {
  llvm::Expected<Supervisor> waiting = Supervisor::create(signal_fd);
  if (!waiting)
    return own_failure(run.command, waiting.takeError());
  auto error = std::make_shared<std::optional<std::string>>();
  if (llvm::Error failed = waiting->start([error] {
        if (llvm::Error failed = lock_exclusively())
          *error = llvm::toString(std::move(failed));
      }))
    return own_failure(run.command, std::move(failed));
  // No time limit: the time of other programs does not count.
  Event event;
  while ((event = waiting->wait(std::nullopt)) == Event::asked)
    say_where(run, "the program waits for another gpuexec to end");
  if (event == Event::signal)
    return stop(run, waiting->signal());
  waiting->join();
  if (*error)
    return own_failure(run.command, failure(Reason::failed, "{0}", **error));
  run.phases->done("lock");
  return std::nullopt;
}

/// Ends a job that is over. Its buffered output may wait for a slow reader, so
/// it is written on another thread while this one waits for signals and the
/// limit.
ExitResult
finish_listening(const std::shared_ptr<Run> &run, Supervisor &closing,
                 std::optional<Supervisor::Clock::time_point> limit) {
  if (run->execution->has_returned())
    return finish(*run); // no output is left
  auto end = std::make_shared<ExitResult>();
  if (llvm::Error error = closing.start([run, end] { *end = finish(*run); })) {
    llvm::consumeError(std::move(error)); // no thread: then on this one
    return finish(*run);
  }
  Event event;
  // Does not ask the device where the program is: it may be gone.
  while ((event = closing.wait(limit)) == Event::asked)
    say_where(*run, "the program has ended, and its output is being written");
  switch (event) {
  case Event::signal:
    return stop(*run, closing.signal());
  case Event::timed_out:
    return time_out(*run);
  default:
    closing.join();
    return *end;
  }
}

/// Runs the job and waits for whatever comes first.
ExitResult supervise(const std::shared_ptr<Run> &run, int signal_fd, Job job,
                     std::optional<Supervisor::Clock::time_point> limit) {
  // Both are created before the program runs, which may use up all descriptors.
  llvm::Expected<Supervisor> supervisor = Supervisor::create(signal_fd);
  if (!supervisor)
    return own_failure(run->command, supervisor.takeError());
  llvm::Expected<Supervisor> closing = Supervisor::create(signal_fd);
  if (!closing)
    return own_failure(run->command, closing.takeError());
  run->observer->set_notifier(supervisor->notifier(Event::confined));
  if (run->replayer)
    run->replayer->set_timed_out(supervisor->notifier(Event::timed_out));
  llvm::Expected<std::unique_ptr<Execution>> execution =
      Execution::start(std::move(job), supervisor->notifier(Event::finished));
  if (!execution)
    return own_failure(run->command, execution.takeError());
  run->execution = std::move(*execution);
  run->execution_for_others = run->execution.get();
  for (;;) {
    switch (supervisor->wait(limit)) {
    case Event::signal:
      return stop(*run, supervisor->signal());
    case Event::asked:
      say_where(*run, "");
      break;
    case Event::timed_out:
      return time_out(*run);
    case Event::confined:
      run->observer->follow_into_sandbox();
      break;
    case Event::finished:
      return finish_listening(run, *closing, limit);
    }
  }
}

/// The file of --record or --replay; null without.
const std::string *recording_of(const RunOptions &options) {
  for (const std::string *file :
       {&options.record, &options.replay, &options.replay_live})
    if (!file->empty())
      return file;
  return nullptr;
}

/// DeviceSettings::suspicion of the next run, which has this reason.
uint8_t suspicion_after(uint8_t before, Result::Again why) {
  if (why == Result::Again::innocent)
    return 0;
  return before + (why == Result::Again::doubtful ? 2 : 1);
}

/// Runs the job; and again if others that ran beside it have ended it
/// (Run::wants_again()). Each run has the whole time limit.
ExitResult run_to_end(const std::shared_ptr<Run> &run, int signal_fd, Job job,
                      std::optional<Supervisor::Clock::time_point> deadline) {
  if (run->options.rerun) {
    llvm::Expected<std::unique_ptr<HeldStreams>> streams =
        HeldStreams::create();
    if (!streams)
      return own_failure(run->command, streams.takeError());
    run->streams = std::move(*streams);
    run->observer->set_unshared([run = run.get()] {
      if (!run->is_suspect)
        run->streams->let_go();
    });
  }
  for (;;) {
    if (HeldStreams *streams = run->streams.get()) {
      job.server.stdin_fd = streams->input();
      job.server.stdout_fd = streams->output();
      job.server.stderr_fd = streams->errors();
    }
    ExitResult end = supervise(run, signal_fd, job, deadline);
    if (!run->next_run)
      return end;
    job.device_settings.alone |= run->runs > MOST_RUNS;
    job.device_settings.suspicion =
        suspicion_after(job.device_settings.suspicion, *run->next_run);
    run->is_suspect =
        job.device_settings.suspicion && !job.device_settings.alone;
    run->next_run.reset();
    run->execution_for_others = nullptr;
    run->execution.reset();
    deadline = TimeLimit(job.time_limit).deadline;
  }
}

ExitResult run_job(const std::shared_ptr<Run> &run, int signal_fd) {
  const RunOptions &options = run->options;
  if (llvm::Error error = run->reports->open(options))
    return own_failure(run->command, std::move(error));
  if (rpc::Trace *trace = run->reports->trace.get())
    run->phases->listen([trace](const Phases::Phase &phase) {
      trace->event("loader", phase.name, 0, phase.begin, phase.end);
    });
  if (options.no_parallelism)
    if (std::optional<ExitResult> end = wait_for_turn(*run, signal_fd))
      return *end;
  if (llvm::Error error = check_sandbox(options, run->command)) {
    ExitResult end = own_failure(run->command, std::move(error));
    run->print_timings();
    return end;
  }
  auto job = std::make_shared<Job>(options.job);
  job->phases = run->phases;
  job->server.trace = run->reports->trace;
  job->server.type_name = type_names(options.job.server.sandbox);
  job->server.directories = run->reports->files.directories;
  job->observer = run->observer;
  const TimeLimit limit(options.job.time_limit);
  if (const std::string *file = recording_of(options))
    if (std::optional<ExitResult> end =
            listen_during([run, job] { return set_up_recording(*run, *job); },
                          run->command, *file, signal_fd, limit))
      return *end;
  return run_to_end(run, signal_fd, std::move(*job), limit.deadline);
}

} // namespace

bool Run::wants_again(Result &result) {
  const bool is_doubtful = result.again == Result::Again::doubtful;
  if (result.again == Result::Again::no || (is_doubtful && !streams))
    return false;
  if (streams ? streams->begin_again() : !result.has_begun) {
    next_run = result.again;
    ++runs;
    return true;
  }
  if (is_doubtful)
    return false;
  result.message +=
      streams ? "; it has printed or read too much for --rerun to run it again"
              : " (--rerun would run this one again; without gpuexec serve "
                "--together no fault ends another program)";
  return false;
}

ExitResult run_process(const RunOptions &options,
                       const Personality &personality, int signal_fd,
                       std::shared_ptr<Phases> phases) {
  auto run = std::make_shared<Run>(options, personality, std::move(phases));
  ExitResult end = run_job(run, signal_fd);
  // A report that was asked for and is not there is no success.
  if (!run->reported && end.status == 0 && !end.signal) {
    end.status = status::Failed;
    end.ours = true;
  }
  // Threads or kernels that are stuck may still use it, and taking a device
  // down would wait for them: it is left to the end of the process.
  if (!end.clean)
    new std::shared_ptr<Run>(std::move(run));
  return end;
}

} // namespace gpuexec
