//===-- loader/main.cpp - gpuexec -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program that was compiled for a GPU as if it were a command. With
// last_resort.cpp the only file that ends the process. Both hold state of the
// whole process: signals. So does serve/serve.cpp, for a server.
//===----------------------------------------------------------------------===//
#include "lending/server/serve.h"
#include "loader/binfmt/binfmt.h"
#include "loader/blas/blas.h"
#include "loader/cache/cache.h"
#include "loader/command_line/commands.h"
#include "loader/command_line/device_list.h"
#include "loader/command_line/messages.h"
#include "loader/command_line/options.h"
#include "loader/command_line/standard_streams.h"
#include "loader/command_line/version.h"
#include "loader/doctor/doctor.h"
#include "loader/last_resort.h"
#include "loader/process/comparison.h"
#include "loader/process/process.h"
#include "loader/process/repeat.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

using namespace gpuexec;

namespace {

/// Where signals are written as 4-byte numbers; what a handler may do is
/// little.
int signal_pipe[2] = {-1, -1};
std::atomic<int64_t> first_signal_ms{0};  // when it came; 0: none has
std::atomic<int64_t> last_question_ms{0}; // when it came; 0: none has
/// timeout(1) signals the process and then its group; both are one request.
constexpr int64_t SAME_REQUEST_MS = 300;

/// Never 0.
int64_t now_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1000 + time.tv_nsec / 1000000 + 1;
}

void note_signal(int number) {
  const int error = errno;
  [[maybe_unused]] ssize_t written =
      ::write(signal_pipe[1], &number, sizeof(number));
  errno = error;
}

/// SIGQUIT: somebody asks where the program is.
void on_question(int number) {
  const int64_t now = now_ms(), last = last_question_ms.exchange(now);
  if (!last || now - last > SAME_REQUEST_MS)
    note_signal(number);
}

void on_signal(int number) {
  int64_t first = 0;
  const int64_t now = now_ms();
  if (!first_signal_ms.compare_exchange_strong(first, now)) {
    // Whoever asks twice is not made to wait for anything.
    if (now - first > SAME_REQUEST_MS)
      ::_exit(status::signalled(number));
    return;
  }
  note_signal(number);
}

/// A standard stream that was closed before we were started must not become
/// another file of ours: it is opened so that reading or writing it fails.
void keep_closed_streams_closed() {
  for (int fd = 0; fd < 3; ++fd)
    if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF)
      ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// Signals that would end us are noted instead, and so is SIGQUIT, which asks
/// where the program is. Those that our parent has
/// switched off (nohup) stay off. SIGPIPE keeps its default: the server writes
/// for the program, and a program whose reader has gone ends quietly.
void catch_signals() {
  if (::pipe2(signal_pipe, O_CLOEXEC) != 0)
    return; // the defaults still end us
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 ||
        action.sa_handler == SIG_IGN)
      continue;
    action.sa_handler = number == SIGQUIT ? on_question : on_signal;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(number, &action, nullptr);
  }
}

/// The status of a command that says `status` when its words have arrived.
int said(int status, const Personality &personality) {
  if (finish_standard_streams(personality.command) || status)
    return status;
  return personality.failure_status(status::Failed);
}

/// The status of a command that has failed with the error, if there is one.
int status_of(llvm::Error error, const Personality &personality) {
  if (!error)
    return 0;
  return personality.failure_status(
      own_failure(personality.command, std::move(error)).status);
}

[[noreturn]] void end(const ExitResult &result,
                      const Personality &personality) {
  const int status = said(
      result.ours ? personality.failure_status(result.status) : result.status,
      personality);
  if (result.signal) {
    // Ended by a signal, so that shells and make know to stop too.
    ::signal(result.signal, SIG_DFL);
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, result.signal);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    ::raise(result.signal);
  }
  // Kernels and server threads may still run: no destructor may wait for them.
  if (!result.clean)
    ::_exit(status);
  std::exit(status);
}

void list_devices(const Options &options, llvm::StringRef command) {
  const std::vector<DeviceInfo> devices =
      gpuexec::list_devices([&](const llvm::Twine &text) {
        if (!options.quiet)
          print_warning(command, text);
      });
  (options.json ? print_devices_json : print_devices)(llvm::outs(), devices);
}

/// True for a word without a "/" that no file here has for its name.
bool is_no_file(const char *word) {
  return *word && std::strcmp(word, "-") != 0 && !std::strchr(word, '/') &&
         ::access(word, F_OK) != 0 && errno == ENOENT;
}

/// Says what the word may have meant. The status to end with.
int no_such_image(const char *word) {
  own_failure("gpuexec",
              failure(Reason::failed, "{0}: No such file or directory; {1}",
                      word, advice_for(word)));
  return status::NotFound;
}

/// Commands that run no program of a GPU in this process.
bool is_separate(Command command) {
  return command == Command::serve || command == Command::blas ||
         command == Command::doctor || command == Command::cache;
}

/// Runs such a command. Its exit status.
int run_separate(Command command, llvm::ArrayRef<char *> arguments,
                 const Personality &personality) {
  const llvm::ArrayRef<const char *> words(arguments.data(), arguments.size());
  if (command == Command::serve)
    return status_of(serve::run(words), personality);
  if (command == Command::cache)
    return status_of(cache::run(words), personality);
  if (command == Command::doctor) {
    llvm::Expected<int> status = doctor::run(words);
    return status ? *status : status_of(status.takeError(), personality);
  }
  bool is_missing = false;
  const int status = status_of(blas::run(arguments, is_missing), personality);
  return is_missing ? status::NotFound : status;
}

/// `gpuexec help [COMMAND]`: what `gpuexec COMMAND --help` prints.
int help(llvm::ArrayRef<char *> arguments, const Personality &personality) {
  if (arguments.empty() || arguments[0][0] == '-') {
    print_brief_help(llvm::outs(), personality.command);
    return 0;
  }
  const std::optional<Command> command = find_command(arguments[0]);
  if (!command)
    return status_of(failure(Reason::failed, "help: no command '{0}'; {1}",
                             arguments[0], advice_for(arguments[0])),
                     personality);
  char option[] = "--help";
  if (is_separate(*command))
    return run_separate(*command, {option}, personality);
  print_help(llvm::outs(), personality.command, command);
  return 0;
}

/// Prints what a shell offers for a word that begins like `prefix`, options or
/// commands: lines of a word, a tab, and what it means, all of them ours.
void print_completions(llvm::raw_ostream &os, llvm::StringRef prefix) {
  for (const std::string &line : prefix.starts_with("-")
                                     ? complete_option(prefix)
                                     : complete_command(prefix))
    os << line << '\n';
}

/// When this process was started, as far as the CPU is concerned: loading,
/// dynamic linking and static initialisers come before main.
Phases::Clock::time_point process_start() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return Phases::Clock::now() - std::chrono::seconds(used.tv_sec) -
         std::chrono::nanoseconds(used.tv_nsec);
}

} // namespace

int main(int argc, char **argv) {
  keep_closed_streams_closed();
  auto phases = std::make_shared<Phases>(process_start());
  phases->done("process");
  const Personality personality =
      Personality::from_command(argc > 0 ? argv[0] : "");
  const llvm::StringRef command = personality.command;
  colour_messages(Colour::automatic);
  prepare_last_resort(personality.failure_status(status::Failed));
  std::optional<Command> named;
  if (argc > 1 && !personality.llvm)
    named = find_command(argv[1]);
  llvm::ArrayRef<char *> arguments(argv + (named ? 2 : 1),
                                   argv + std::max(argc, 1));
  if (named == Command::help)
    return said(help(arguments, personality), personality);
  if (named && is_separate(*named))
    return said(run_separate(*named, arguments, personality), personality);
  llvm::Expected<Options> options = parse_options(
      {arguments.data(), arguments.size()}, std::getenv("GPUEXEC_DEVICE"),
      named.value_or(Command::run));
  if (!options)
    return said(status_of(options.takeError(), personality), personality);
  colour_messages(options->colour);
  switch (options->action) {
  case Options::Action::help:
    print_help(llvm::outs(), command, named);
    return said(0, personality);
  case Options::Action::brief_help:
    print_brief_help(llvm::outs(), command);
    return said(0, personality);
  case Options::Action::version:
    print_version(llvm::outs());
    return said(0, personality);
  case Options::Action::complete:
    print_completions(llvm::outs(), options->completion_prefix);
    return said(0, personality);
  case Options::Action::list_devices:
    list_devices(*options, command);
    return said(0, personality);
  case Options::Action::register_programs:
    return said(status_of(binfmt::register_programs(llvm::outs()), personality),
                personality);
  case Options::Action::print_registration:
    if (std::string problem = binfmt::distrust_interpreter(); !problem.empty())
      print_warning(command, "--register=print: " + problem);
    return said(
        status_of(binfmt::print_registration(llvm::outs()), personality),
        personality);
  case Options::Action::unregister_programs:
    return said(
        status_of(binfmt::unregister_programs(llvm::outs()), personality),
        personality);
  case Options::Action::run:
    break;
  }
  if (!named && !personality.llvm && options->image &&
      (options->image == argv[1] || find_command(options->image)) &&
      is_no_file(options->image))
    return said(no_such_image(options->image), personality);
  catch_signals();
  set_last_resort_pipe(signal_pipe[1]);
  end(!options->compare.empty()
          ? run_comparison(*options, command, signal_pipe[0])
      : wants_runs(*options)
          ? run_repeatedly(*options, command, signal_pipe[0])
          : run_process(*options, personality, signal_pipe[0], phases),
      personality);
}
