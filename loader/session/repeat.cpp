//===-- loader/session/repeat.cpp - The same program again ----------------===//
#include "loader/session/repeat.h"
#include "loader/session/report_file.h"
#include "llvm/Support/ConvertUTF.h"
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
  int from = -1, to = -1;
  std::string *kept = nullptr;

  /// False when there was nothing to copy.
  bool copy() {
    char buffer[16384];
    ssize_t got = ::read(from, buffer, sizeof(buffer));
    if (got < 0)
      return errno == EINTR;
    if (got == 0) {
      ::close(from);
      from = -1;
      return false;
    }
    for (ssize_t done = 0; done < got;) {
      ssize_t put = ::write(to, buffer + done, size_t(got - done));
      if (put < 0 && errno != EINTR)
        break; // nobody reads us: the report is still kept
      done += std::max<ssize_t>(put, 0);
    }
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
  int out[2] = {-1, -1}, error[2] = {-1, -1};
  if (collect && (::pipe2(out, O_CLOEXEC) || ::pipe2(error, O_CLOEXEC))) {
    run.failure = errno;
    return run;
  }
  run.process = ::fork();
  if (run.process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM); // no run outlives us
    if (collect) {
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(error[1], STDERR_FILENO);
    }
    ::execv("/proc/self/exe", const_cast<char *const *>(arguments.data()));
    ::_exit(status::Failed);
  }
  if (run.process < 0)
    run.failure = errno;
  if (collect) {
    ::close(out[1]);
    ::close(error[1]);
    for (int fd : {out[0], error[0]})
      ::fcntl(fd, F_SETFL, O_NONBLOCK);
    run.out = {out[0], STDOUT_FILENO, &result.output};
    run.error = {error[0], STDERR_FILENO, &result.error_output};
  }
  return run;
}

int status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? status::signalled(WTERMSIG(wait_status))
                                  : WEXITSTATUS(wait_status);
}

/// Waits for the run's end; `signal` becomes the one that came meanwhile.
int finish_run(OneRun &run, int signal_fd, int &signal) {
  int process_fd = int(::syscall(SYS_pidfd_open, run.process, 0));
  for (bool ended = process_fd < 0; !ended;) {
    pollfd watched[] = {{run.out.from, POLLIN, 0},
                        {run.error.from, POLLIN, 0},
                        {signal ? -1 : signal_fd, POLLIN, 0},
                        {process_fd, POLLIN, 0}};
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
    while (tee->from >= 0 && tee->copy())
      ;
  for (int fd : {process_fd, run.out.from, run.error.from})
    if (fd >= 0)
      ::close(fd);
  int wait_status = 0;
  while (::waitpid(run.process, &wait_status, 0) < 0)
    if (errno != EINTR)
      return status::Failed;
  return status_of(wait_status);
}

std::string escape(llvm::StringRef text) {
  std::string escaped;
  while (!text.empty()) {
    unsigned length =
        llvm::getUTF8SequenceSize(text.bytes_begin(), text.bytes_end());
    unsigned char first = static_cast<unsigned char>(text.front());
    if (length == 0) {
      escaped += '?'; // no UTF-8
      length = 1;
    } else if (length == 2 && first == 0xc2 && uint8_t(text[1]) < 0xa0) {
      // A control character of the second set: a terminal may obey it.
      escaped += llvm::formatv("&#{0};", uint8_t(text[1])).str();
    } else if (length == 3 && first == 0xef && uint8_t(text[1]) == 0xbf &&
               uint8_t(text[2]) >= 0xbe) {
      escaped += '?'; // U+FFFE and U+FFFF are no characters of XML's
    } else if (length > 1) {
      escaped += text.take_front(length);
    } else if (first == '&') {
      escaped += "&amp;";
    } else if (first == '<') {
      escaped += "&lt;";
    } else if (first == '>') {
      escaped += "&gt;";
    } else if (first == '"') {
      escaped += "&quot;";
    } else if (first == 0x7f) {
      escaped += "&#127;";
    } else if (first < 0x20 && first != '\n' && first != '\t') {
      escaped += '?'; // XML 1.0 has no way to say it
    } else {
      escaped += char(first);
    }
    text = text.drop_front(length);
  }
  return escaped;
}

} // namespace

bool wants_runs(const Options &options) {
  return options.repeat || options.until_fail || !options.junit.empty();
}

std::string describe_status(int status) {
  switch (status) {
  case status::TimedOut:
    return "timed out";
  case status::Failed:
    return "gpuexec failed";
  case status::NotRunnable:
    return "not a runnable image";
  case status::NotFound:
    return "image not found";
  case status::signalled(SIGABRT):
    return "aborted";
  case status::signalled(SIGSEGV):
    return "device fault";
  }
  return llvm::formatv("exit status {0}", status).str();
}

std::string junit_xml(llvm::StringRef image,
                      llvm::ArrayRef<RunResult> results) {
  unsigned failures = 0;
  double seconds = 0;
  for (const RunResult &result : results) {
    failures += result.status != 0;
    seconds += result.seconds;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  std::string name = escape(image);
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
     << llvm::formatv("<testsuites>\n<testsuite name=\"{0}\" tests=\"{1}\" "
                      "failures=\"{2}\" errors=\"0\" skipped=\"0\" "
                      "time=\"{3:f6}\">\n",
                      name, results.size(), failures, seconds);
  for (size_t i = 0; i < results.size(); ++i) {
    const RunResult &result = results[i];
    os << llvm::formatv(
        "<testcase classname=\"gpuexec\" name=\"{0}{1}\" time=\"{2:f6}\">\n",
        name, results.size() > 1 ? " #" + std::to_string(i + 1) : "",
        result.seconds);
    if (result.status)
      os << "<failure message=\"" << escape(describe_status(result.status))
         << "\"/>\n";
    if (!result.output.empty())
      os << "<system-out>" << escape(result.output) << "</system-out>\n";
    if (!result.error_output.empty())
      os << "<system-err>" << escape(result.error_output) << "</system-err>\n";
    os << "</testcase>\n";
  }
  os << "</testsuite>\n</testsuites>\n";
  return text;
}

Ending run_repeatedly(const Options &options, llvm::StringRef command,
                      int signal_fd) {
  uint64_t times = options.repeat.value_or(options.until_fail ? UINT64_MAX : 1);
  bool collect = !options.junit.empty();
  ReportFile junit;
  if (collect) {
    llvm::Expected<ReportFile> opened = ReportFile::open(options.junit);
    if (!opened)
      return own_failure(command, opened.takeError());
    junit = std::move(*opened);
  }
  if (times > 1 && llvm::StringRef(options.image) == "-")
    return own_failure(command,
                       failure(status::Failed, "-: an image on standard input "
                                               "can be run only once"));
  std::vector<const char *> arguments = arguments_of_a_run(options);
  // Every run reads the same input, where it can be read again.
  off_t input = ::lseek(STDIN_FILENO, 0, SEEK_CUR);

  std::vector<RunResult> results; // only what the report needs
  uint64_t runs = 0, failed = 0;
  int first_failure = 0, signal = 0;
  while (runs < times && !signal) {
    if (input >= 0 && runs)
      ::lseek(STDIN_FILENO, input, SEEK_SET);
    RunResult result;
    auto begin = std::chrono::steady_clock::now();
    OneRun run = start_run(arguments, collect, result);
    if (run.failure)
      return own_failure(command,
                         failure(status::Failed, "cannot start a run: {0}",
                                 std::strerror(run.failure)));
    result.status = finish_run(run, signal_fd, signal);
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    if (signal)
      break;
    ++runs;
    int status = result.status;
    if (collect)
      results.push_back(std::move(result));
    if (status == 0)
      continue;
    ++failed;
    if (!first_failure)
      first_failure = status;
    // Ctrl-C reaches the runs as well as us.
    if (options.until_fail || status == status::signalled(SIGINT))
      break;
  }
  if (times > 1)
    llvm::errs() << llvm::formatv(
        "{0}: {1}: {2} of {3} runs failed{4}\n", command, options.image, failed,
        runs,
        first_failure ? ", the first with: " + describe_status(first_failure)
                      : std::string());
  bool reported =
      !collect || junit.write(command, junit_xml(options.image, results));
  if (signal)
    return {status::signalled(signal), signal, false};
  if (!reported && !first_failure)
    return {status::Failed, 0, /*clean=*/true, /*ours=*/true};
  return {first_failure, 0, true};
}

} // namespace gpuexec
