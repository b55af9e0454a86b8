//===-- toolchain/gpucc/run.cpp - See run.h -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/run.h"
#include "support/shell_word.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace gpuexec {

namespace {

/// How long gpucc waits before it passes a signal on. A terminal or timeout(1)
/// sends it to clang and its children, too; a second one would end them while
/// they remove their files.
constexpr int OWN_SIGNAL_MS = 100;
/// How long clang's remaining children may take to remove their files beside
/// the output; then they are killed.
constexpr int TIDY_UP_MS = 2000;
constexpr int LOOK_AGAIN_MS = 20; ///< interval at which they are looked for

/// Where clang would put its temporary files.
std::string temporary_root() {
  for (const char *name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (const char *value = getenv(name); value && *value)
      return value;
  return "/tmp";
}

/// Makes a folder for the temporary files of clang and stores its name in
/// TMPDIR. Returns its path; "" when it cannot be made: clang then reports the
/// problem itself, if it needs temporary files.
std::string give_folder(std::vector<Command> &commands) {
  constexpr char CRASHES[] = "CLANG_CRASH_DIAGNOSTICS_DIR";
  const std::string root = temporary_root();
  std::string path = root + "/gpucc-XXXXXX";
  if (!mkdtemp(path.data()))
    return "";
  setenv("TMPDIR", path.c_str(), 1);
  // Files that clang writes when it crashes are for a bug report, so they are
  // not to be in our folder. The option replaces the variable, with which clang
  // would put all its temporary files there; a later option of the user's wins.
  const char *wanted = getenv(CRASHES);
  const std::string option =
      "-fcrash-diagnostics-dir=" + (wanted ? std::string(wanted) : root);
  for (Command &command : commands)
    if (command.program.find("clang") != std::string::npos)
      command.arguments.insert(command.arguments.begin() + 1, option);
  unsetenv(CRASHES);
  return path;
}

/// Replaces TEMPORARY_FOLDER in the arguments.
void name_folder(std::vector<Command> &commands, const std::string &folder) {
  for (Command &command : commands)
    for (std::string &argument : command.arguments)
      if (const size_t at = argument.find(TEMPORARY_FOLDER);
          at != std::string::npos)
        argument.replace(at, strlen(TEMPORARY_FOLDER), folder);
}

/// The children of this process, among them those of clang that have outlived
/// it (PR_SET_CHILD_SUBREAPER).
std::vector<pid_t> all_children() {
  const std::string self = std::to_string(getpid());
  std::ifstream children("/proc/self/task/" + self + "/children");
  std::vector<pid_t> all;
  for (pid_t child; children >> child;)
    all.push_back(child);
  return all;
}

/// Runs a command and waits for it and for signals. The signals are blocked, so
/// that none is lost and none ends this process before the folder is removed.
class Waiting {
public:
  Waiting() {
    sigemptyset(&awaited);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
      struct sigaction action {};
      sigaction(signal, nullptr, &action);
      if (action.sa_handler != SIG_IGN) // nohup: the signal stays ignored
        sigaddset(&awaited, signal);
    }
    sigaddset(&awaited, SIGCHLD);
    signal(SIGCHLD, SIG_DFL); // with SIG_IGN no child could be waited for
    sigprocmask(SIG_BLOCK, &awaited, &before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }

  /// Starts the command. Returns 0 or an errno.
  int start(const Command &command) {
    std::vector<char *> raw;
    for (const std::string &argument : command.arguments)
      raw.push_back(const_cast<char *>(argument.c_str()));
    raw.push_back(nullptr);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &before);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int error = posix_spawn(&child, command.program.c_str(), nullptr,
                                  &attributes, raw.data(), environ);
    posix_spawnattr_destroy(&attributes);
    return error;
  }

  /// Waits for the end of the command, and passes signals on to it. Returns its
  /// status, as waitpid() does.
  int wait() {
    const timespec soon = {0, OWN_SIGNAL_MS * 1000000};
    for (int status = 0;;) {
      const int signal =
          sigtimedwait(&awaited, nullptr, to_pass ? &soon : nullptr);
      for (pid_t ended;
           signal == SIGCHLD && (ended = waitpid(-1, &status, WNOHANG)) > 0;)
        if (ended == child)
          return status;
      if (signal > 0 && signal != SIGCHLD)
        interrupted = to_pass = signal;
      else if (signal < 0 && errno == EAGAIN)
        kill(child, std::exchange(to_pass, 0));
    }
  }

  /// Ends the processes that the command has started and that still run.
  void end_others() {
    std::set<pid_t> told;
    for (int waited = 0; waitpid(-1, nullptr, WNOHANG) >= 0 || errno == EINTR;
         waited += LOOK_AGAIN_MS) {
      for (pid_t other : all_children())
        if (waited >= TIDY_UP_MS)
          kill(other, SIGKILL);
        else if (waited >= OWN_SIGNAL_MS && told.insert(other).second)
          kill(other, SIGTERM);
      const timespec pause = {0, LOOK_AGAIN_MS * 1000000};
      nanosleep(&pause, nullptr);
    }
  }

  /// Ends this process by the signal that interrupted it, if any; otherwise
  /// unblocks the signals.
  void obey() {
    if (interrupted) {
      signal(interrupted, SIG_DFL);
      raise(interrupted);
    }
    sigprocmask(SIG_SETMASK, &before, nullptr);
  }

  int interrupted = 0; ///< the last signal that was to end us

private:
  sigset_t awaited, before;
  pid_t child = 0;
  int to_pass = 0; ///< a signal that the command may not have got
};

} // namespace

int run_and_tidy_up(Command command) {
  return run_and_tidy_up(std::vector<Command>{std::move(command)});
}

int run_and_tidy_up(std::vector<Command> commands) {
  Waiting waiting;
  const std::string folder = give_folder(commands);
  name_folder(commands, folder);
  int error = 0, status = 0;
  std::string program;
  for (const Command &command : commands) {
    program = command.program;
    error = waiting.start(command);
    status = error ? 0 : waiting.wait();
    if (error || status || waiting.interrupted)
      break;
  }
  if (waiting.interrupted || WIFSIGNALED(status))
    waiting.end_others();
  std::error_code none; // what cannot be removed stays
  if (!folder.empty())
    std::filesystem::remove_all(folder, none);
  waiting.obey();
  if (error) {
    fprintf(stderr, "gpucc: error: %s: %s\n", program.c_str(), strerror(error));
    return 1;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void print_commands(const std::vector<Command> &commands) {
  constexpr char PLAIN[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
      "0123456789-_=+./,:@%";
  for (const Command &command : commands) {
    std::string line = command.program;
    for (size_t i = 1; i < command.arguments.size(); ++i) {
      const std::string &argument = command.arguments[i];
      const bool is_plain = !argument.empty() &&
                            strspn(argument.c_str(), PLAIN) == argument.size();
      line += " " + (is_plain ? argument : single_quoted(argument));
    }
    fprintf(stderr, "%s\n", line.c_str());
  }
}

} // namespace gpuexec
