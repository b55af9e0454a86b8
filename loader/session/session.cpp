//===-- loader/session/session.cpp - One run, from file to status ---------===//
#include "loader/session/session.h"
#include "loader/session/children.h"
#include "loader/session/exclusive.h"
#include "loader/session/run.h"
#include "loader/session/supervisor.h"
#include "support/printable.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <future>
#include <unistd.h>

namespace gpuexec {
namespace {

/// Longest time given to writing out what is buffered when the user wants us
/// gone: whoever reads our output may not.
constexpr auto LAST_WORDS = std::chrono::milliseconds(500);

/// Runs `work` on another thread for at most `limit`.
void within(std::chrono::milliseconds limit, std::function<void()> work) {
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> finished = done->get_future();
  Thread thread;
  if (!thread.start([done, work] {
        work();
        done->set_value();
      }))
    return work(); // for as long as it takes
  thread.leave();
  finished.wait_for(limit);
}

/// For when someone outside wants us gone: what was printed is written out, if
/// anybody reads it, and what the program has started gets the same signal.
void end_program(Run &run, int signal) {
  std::vector<pid_t> started = descendants();
  within(LAST_WORDS, [&run] {
    write_last_words(run);
    print_reports(run, /*server_idle=*/false);
    print_timings(run);
  });
  for (pid_t process : started)
    ::kill(process, signal);
}

int take_signal(int signal_fd) {
  int number = 0;
  return ::read(signal_fd, &number, sizeof(number)) == sizeof(number) ? number
                                                                      : SIGTERM;
}

/// The worker has returned: its result, and what is left to say. A failure
/// takes nothing down: a signal may still make another thread look at it.
Ending finished(Run &run) {
  if (run.result) {
    print_reports(run, /*server_idle=*/true);
    run.tear_down();
    print_timings(run);
    return {*run.result & 0xff, 0, true};
  }
  // The program may have asked to end while its kernel went on to its own end.
  int status = status::Failed;
  llvm::Error rest =
      llvm::handleErrors(run.result.takeError(), [&](const DeviceFault &fault) {
        write_last_words(run);
        llvm::errs() << run.command << ": error: " << run.options.image << ": "
                     << printable(fault.message()) << "\n"
                     << fault.report();
        status = status::signalled(SIGSEGV);
      });
  bool fault = !rest;
  if (rest)
    status = report(run.command, std::move(rest));
  print_reports(run, /*server_idle=*/fault);
  print_timings(run);
  return {status, 0, /*clean=*/!fault, /*ours=*/!fault};
}

/// Has the program asked its host to end? Such a request is obeyed before
/// anything else that happened meanwhile.
bool ended_by_outcome(Run &run) {
  Program *program = run.ready_program;
  rpc::Server *server = program ? program->server() : nullptr;
  return server && server->outcome();
}

/// The program has asked its host to end, or its host cannot go on.
/// `own_status`: what it returned, when it did.
Ending asked_to_end(Run &run, rpc::Server &server,
                    std::optional<int32_t> own_status) {
  rpc::Outcome outcome = *server.outcome();
  server.flush();
  int signal = 0;
  switch (outcome.kind) {
  case rpc::Outcome::Kind::exit:
    break;
  case rpc::Outcome::Kind::abort: // otherwise exit(134) would look the same
    llvm::errs() << run.command << ": " << run.options.image << ": aborted"
                 << (outcome.message.empty() ? "" : ": ")
                 << printable(outcome.message) << "\n";
    break;
  case rpc::Outcome::Kind::closed_pipe:
    signal = SIGPIPE;
    break;
  case rpc::Outcome::Kind::error:
    llvm::errs() << run.command << ": error: ";
    if (!llvm::StringRef(outcome.message).starts_with(run.options.image))
      llvm::errs() << run.options.image << ": ";
    llvm::errs() << printable(outcome.message) << "\n";
    // A program that noticed by itself has said so in its status.
    if (own_status && (*own_status & 0xff))
      outcome.status = *own_status & 0xff;
    break;
  }
  if (run.options.rpc_stats)
    server.abandon(); // the device may still ask: count no further
  print_reports(run, run.options.rpc_stats);
  print_timings(run);
  return {outcome.status, signal, /*clean=*/false,
          outcome.kind == rpc::Outcome::Kind::error};
}

/// Any ending but a timely return.
Ending ended_early(Run &run) {
  if (!ended_by_outcome(run))
    return finished(run);
  std::optional<int32_t> own_status;
  if (run.returned && run.result)
    own_status = *run.result;
  else if (run.returned)
    llvm::consumeError(run.result.takeError());
  return asked_to_end(run, *run.ready_program.load()->server(), own_status);
}

Ending timed_out(Run &run) {
  llvm::errs() << llvm::formatv("{0}: error: {1}: timed out after {2} s\n",
                                run.command, run.options.image,
                                *run.options.timeout);
  print_where(run);
  end_program(run, SIGTERM);
  return {status::TimedOut, 0, false};
}

Ending stopped(Run &run, int signal) {
  if (signal == own_failure_number) {
    end_program(run, SIGTERM);
    return {status::Failed, 0, /*clean=*/false, /*ours=*/true};
  }
  end_program(run, signal);
  return {status::signalled(signal), signal, false};
}

} // namespace

Ending own_failure(llvm::StringRef command, llvm::Error error) {
  return {report(command, std::move(error)), 0, /*clean=*/true, /*ours=*/true};
}

int report(llvm::StringRef command, llvm::Error error) {
  int status = 0;
  auto note = [&](int one, std::string message) {
    // Words of the user's and of drivers' are in it: they must not break the
    // one line or the terminal.
    llvm::errs() << command << ": error: " << printable(message) << "\n";
    if (status == 0)
      status = one;
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const Failure &failure) {
        note(failure.status(), failure.message());
      },
      [&](const ImageError &image) {
        note(image.reason() == ImageError::Reason::not_found
                 ? status::NotFound
                 : status::NotRunnable,
             image.message());
      },
      [&](const llvm::ErrorInfoBase &other) {
        note(status::Failed, other.message());
      });
  return status;
}

/// --no-parallelism: waits until no other gpuexec runs. An ending when that
/// failed or somebody wants us gone.
static std::optional<Ending> wait_for_turn(Run &run, int signal_fd) {
  llvm::Expected<Supervisor> waiting = Supervisor::create(signal_fd);
  if (!waiting)
    return own_failure(run.command, waiting.takeError());
  auto error = std::make_shared<std::optional<std::string>>();
  if (llvm::Error failed = waiting->start([error] {
        if (llvm::Error failed = lock_exclusively())
          *error = llvm::toString(std::move(failed));
      }))
    return own_failure(run.command, std::move(failed));
  // Waiting for others is not the program's time.
  if (waiting->wait(std::nullopt) == Event::signal)
    return stopped(run, take_signal(signal_fd));
  waiting->join();
  if (*error)
    return own_failure(run.command, failure(status::Failed, "{0}", **error));
  run.phases.done("lock");
  return std::nullopt;
}

static Ending supervise(const std::shared_ptr<Run> &run, int signal_fd) {
  const Options &options = run->options;
  const Personality &personality = run->personality;
  Phases &phases = run->phases;
  if (options.sandbox)
    run->inherited = sandbox::inherited_descriptors();
  if (llvm::Error error = run->open_reports())
    return own_failure(personality.command, std::move(error));
  if (!options.trace.empty()) {
    llvm::Expected<std::unique_ptr<rpc::Trace>> trace =
        rpc::Trace::create(options.trace);
    if (!trace)
      return own_failure(personality.command, trace.takeError());
    run->trace = std::move(*trace);
    run->trace->name_track(0, "loader");
    phases.listen([trace = run->trace.get()](const Phases::Phase &phase) {
      trace->event("loader", phase.name, 0, phase.begin, phase.end);
    });
  }
  if (options.no_parallelism)
    if (std::optional<Ending> ending = wait_for_turn(*run, signal_fd))
      return *ending;
  // The one for the end too: the program may leave no descriptors.
  llvm::Expected<Supervisor> supervisor = Supervisor::create(signal_fd);
  if (!supervisor)
    return own_failure(personality.command, supervisor.takeError());
  llvm::Expected<Supervisor> closing = Supervisor::create(signal_fd);
  if (!closing)
    return own_failure(personality.command, closing.takeError());
  run->on_outcome = supervisor->outcome_notifier();
  run->on_confined = supervisor->confined_notifier();
  std::optional<Supervisor::Clock::time_point> deadline;
  if (options.timeout)
    deadline = Supervisor::Clock::now() +
               std::chrono::duration_cast<Supervisor::Clock::duration>(
                   std::chrono::duration<double>(*options.timeout));
  llvm::consumeError(run->result.takeError());
  if (llvm::Error error =
          supervisor->start([run] { run->result = run->work(); }))
    return own_failure(personality.command, std::move(error));

  auto by_signal = [&] { return stopped(*run, take_signal(signal_fd)); };
  Event event = supervisor->wait(deadline);
  while (event == Event::confined) {
    run->follow_into_sandbox();
    event = supervisor->wait(deadline);
  }
  switch (event) {
  case Event::signal:
    return by_signal();
  case Event::timed_out:
    return timed_out(*run);
  case Event::finished:
    supervisor->join();
    run->returned = true;
    if (run->result && !ended_by_outcome(*run))
      return finished(*run);
    break;
  case Event::outcome:
  case Event::confined:
    break;
  }
  // Writing out may take as long as the reader wants: still listen.
  auto ending = std::make_shared<Ending>();
  if (llvm::Error error =
          closing->start([run, ending] { *ending = ended_early(*run); })) {
    llvm::consumeError(std::move(error)); // then without listening
    return ended_early(*run);
  }
  switch (closing->wait(deadline)) {
  case Event::signal:
    return by_signal();
  case Event::timed_out:
    return timed_out(*run);
  default:
    closing->join();
    return *ending;
  }
}

Ending run_session(const Options &options, const Personality &personality,
                   int signal_fd, Phases &phases) {
  auto run = std::make_shared<Run>(options, personality, phases);
  Ending ending = supervise(run, signal_fd);
  // A report that was asked for and is not there is no success.
  if (!run->reported && ending.status == 0 && !ending.signal) {
    ending.status = status::Failed;
    ending.ours = true;
  }
  // Threads or kernels that are stuck may still use it, and taking a device
  // down would wait for them: it is left to the end of the process.
  if (!ending.clean)
    new std::shared_ptr<Run>(std::move(run));
  return ending;
}

} // namespace gpuexec
