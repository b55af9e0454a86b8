//===-- loader/process/repeat.cpp - The same program again ----------------===//
#include "loader/process/repeat.h"
#include "loader/process/report_file.h"
#include "support/descriptor.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gpuexec {
namespace {

/// How much of a run's output a report keeps: the end says why it failed.
constexpr size_t KEPT_OUTPUT = 64 * 1024;

/// The command line of one run: ours without what repeats.
std::vector<const char *> arguments_of_a_run(const Options &options) {
  std::vector<const char *> arguments = {"gpuexec"};
  for (size_t i = 0; i < options.own.size(); ++i) {
    llvm::StringRef name = options.own[i];
    name = name.ltrim('-');
    if (name == "until-fail")
      continue;
    if (name.starts_with("repeat") || name.starts_with("junit")) {
      i += !name.contains('='); // its value is the next word
      continue;
    }
    arguments.push_back(options.own[i]);
  }
  arguments.push_back("--");
  arguments.push_back(options.image);
  arguments.insert(arguments.end(), options.arguments.begin(),
                   options.arguments.end());
  arguments.push_back(nullptr);
  return arguments;
}

/// Copies what a run writes to our own stream and keeps the end of it.
struct Tee {
  UniqueFd from;
  int to = -1;
  std::string *kept = nullptr;

  /// False when there was nothing to copy.
  bool copy() {
    char buffer[16384];
    ssize_t got = ::read(from.get(), buffer, sizeof(buffer));
    if (got < 0)
      return errno == EINTR;
    if (got == 0) {
      from.close();
      return false;
    }
    // Where nobody reads our stream the report is still kept.
    write_all(to, {buffer, size_t(got)});
    kept->append(buffer, size_t(got));
    if (kept->size() > 2 * KEPT_OUTPUT)
      kept->erase(0, kept->size() - KEPT_OUTPUT);
    return true;
  }
};

struct OneRun {
  pid_t process = -1;
  Tee out, error;
  int failure = 0; // errno
};

OneRun start_run(const std::vector<const char *> &arguments, bool collect,
                 RunResult &result) {
  OneRun run;
  Pipe out, error;
  if (collect && (!out.make() || !error.make())) {
    run.failure = errno;
    return run;
  }
  run.process = ::fork();
  if (run.process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM); // no run outlives us
    if (collect) {
      ::dup2(out.write.get(), STDOUT_FILENO);
      ::dup2(error.write.get(), STDERR_FILENO);
    }
    ::execv("/proc/self/exe", const_cast<char *const *>(arguments.data()));
    ::_exit(status::Failed);
  }
  if (run.process < 0)
    run.failure = errno;
  if (collect) {
    for (Pipe *pipe : {&out, &error})
      ::fcntl(pipe->read.get(), F_SETFL, O_NONBLOCK);
    run.out = {std::move(out.read), STDOUT_FILENO, &result.output};
    run.error = {std::move(error.read), STDERR_FILENO, &result.error_output};
  }
  return run;
}

int status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? status::signalled(WTERMSIG(wait_status))
                                  : WEXITSTATUS(wait_status);
}

/// Waits for the run's end; `signal` becomes the one that came meanwhile.
int finish_run(OneRun &run, int signal_fd, int &signal) {
  UniqueFd process_fd(int(::syscall(SYS_pidfd_open, run.process, 0)));
  for (bool ended = !process_fd; !ended;) {
    pollfd watched[] = {{run.out.from.get(), POLLIN, 0},
                        {run.error.from.get(), POLLIN, 0},
                        {signal ? -1 : signal_fd, POLLIN, 0},
                        {process_fd.get(), POLLIN, 0}};
    if (::poll(watched, 4, -1) <= 0)
      continue;
    if (watched[0].revents)
      run.out.copy();
    if (watched[1].revents)
      run.error.copy();
    if (watched[2].revents &&
        ::read(signal_fd, &signal, sizeof(signal)) == sizeof(signal))
      ::kill(run.process, signal);
    ended = watched[3].revents != 0;
  }
  // What is left in the pipes; a process that the program has left behind may
  // hold them open for ever.
  for (Tee *tee : {&run.out, &run.error})
    while (tee->from && tee->copy())
      ;
  int wait_status = 0;
  while (::waitpid(run.process, &wait_status, 0) < 0)
    if (errno != EINTR)
      return status::Failed;
  return status_of(wait_status);
}

/// What all runs together have come to.
struct Tally {
  uint64_t runs = 0, failed = 0;
  int first_failure = 0;          ///< the status of the first that failed
  int signal = 0;                 ///< came during a run, which is not counted
  std::vector<RunResult> results; ///< when they are collected
};

/// Runs the program `times`, or until a run fails or a signal comes.
llvm::Error run_all(const Options &options, uint64_t times, int signal_fd,
                    Tally &tally) {
  std::vector<const char *> arguments = arguments_of_a_run(options);
  const bool collect = !options.junit.empty();
  // Every run reads the same input, where it can be read again.
  off_t input = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  while (tally.runs < times) {
    if (input >= 0 && tally.runs)
      ::lseek(STDIN_FILENO, input, SEEK_SET);
    RunResult result;
    auto begin = std::chrono::steady_clock::now();
    OneRun run = start_run(arguments, collect, result);
    if (run.failure)
      return failure(Reason::failed, "cannot start a run: {0}",
                     std::strerror(run.failure));
    result.status = finish_run(run, signal_fd, tally.signal);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    if (tally.signal)
      break;
    ++tally.runs;
    int status = result.status;
    if (collect)
      tally.results.push_back(std::move(result));
    if (status == 0)
      continue;
    ++tally.failed;
    if (!tally.first_failure)
      tally.first_failure = status;
    // Ctrl-C reaches the runs as well as us.
    if (options.until_fail || status == status::signalled(SIGINT))
      break;
  }
  return llvm::Error::success();
}

} // namespace

bool wants_runs(const Options &options) {
  return options.repeat || options.until_fail || !options.junit.empty();
}

ExitResult run_repeatedly(const Options &options, llvm::StringRef command,
                          int signal_fd) {
  uint64_t times = options.repeat.value_or(options.until_fail ? UINT64_MAX : 1);
  ReportFile junit;
  if (!options.junit.empty()) {
    llvm::Expected<ReportFile> opened = ReportFile::open(options.junit);
    if (!opened)
      return own_failure(command, opened.takeError());
    junit = std::move(*opened);
  }
  if (times > 1 && llvm::StringRef(options.image) == "-")
    return own_failure(command,
                       failure(Reason::failed, "-: an image on standard input "
                                               "can be run only once"));
  Tally tally;
  if (llvm::Error error = run_all(options, times, signal_fd, tally))
    return own_failure(command, std::move(error));
  if (times > 1)
    llvm::errs() << llvm::formatv(
        "{0}: {1}: {2} of {3} runs failed{4}\n", command, options.image,
        tally.failed, tally.runs,
        tally.first_failure
            ? ", the first with: " + describe_status(tally.first_failure)
            : std::string());
  bool reported =
      !junit || junit.write(command, junit_xml(options.image, tally.results));
  if (tally.signal)
    return {status::signalled(tally.signal), tally.signal, false};
  if (!reported && !tally.first_failure)
    return {status::Failed, 0, /*clean=*/true, /*ours=*/true};
  return {tally.first_failure, 0, true};
}

} // namespace gpuexec
