//===-- debug-info/confined.cpp - Work that may crash ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The child is made by fork() without exec(): it needs no executable of its
// own, and works where the process may not start programs. glibc makes malloc
// usable in the child even if other threads held its locks.
//===----------------------------------------------------------------------===//
#include "debug-info/confined.h"
#include "debug-info/enter.h"

#include "llvm/Support/Errno.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace gpuexec::debug_info {

namespace {

using Clock = std::chrono::steady_clock;

/// Precedes the result of run_confined()'s child. When it is missing, the child
/// ended early.
constexpr char ANSWER_FOLLOWS[] = "answer";

// --- The child's side ---

bool write_all(int out, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(out, bytes.data(), bytes.size());
    if (written <= 0)
      return false;
    bytes = bytes.drop_front(size_t(written));
  }
  return true;
}

[[noreturn]] void be_the_child(int out, const Limits &limits,
                               llvm::function_ref<std::string()> work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(limits.seconds + 1); // if the parent cannot kill it
  enter_confinement(out, out, limits);
  write_all(out, ANSWER_FOLLOWS + work());
  _exit(DONE);
}

/// A message to or from the server: its size in 8 bytes, then its bytes.
std::string framed(llvm::StringRef bytes) {
  uint64_t size = bytes.size();
  std::string message(reinterpret_cast<const char *>(&size), sizeof(size));
  return message.append(bytes.data(), bytes.size());
}

[[noreturn]] void serve(int in, int out, const Limits &limits,
                        const ConfinedServer::Answer &answer) {
  enter_confinement(in, out, limits);
  auto read_whole = [&](char *to, size_t size) {
    while (size) {
      ssize_t got = read(in, to, size);
      if (got <= 0)
        _exit(DONE);
      to += got;
      size -= size_t(got);
    }
  };
  for (;;) {
    uint64_t size = 0;
    read_whole(reinterpret_cast<char *>(&size), sizeof(size));
    std::string request(size, 0);
    read_whole(request.data(), size);
    if (!write_all(out, framed(answer(request))))
      _exit(DONE);
  }
}

// --- The parent's side ---

enum class Reading { ended, complete, too_much, too_late, failed };

Clock::time_point end_of(const Limits &limits) {
  return Clock::now() + std::chrono::seconds(limits.seconds);
}

/// Appends to `answer` until it has `most` bytes, the pipe is closed, or the
/// time is `end`.
Reading read_some(int in, std::string &answer, size_t most,
                  Clock::time_point end) {
  char chunk[16384];
  while (answer.size() < most) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - Clock::now());
    pollfd waited{in, POLLIN, 0};
    int ready = left.count() > 0 ? poll(&waited, 1, int(left.count())) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return ready ? Reading::failed : Reading::too_late;
    ssize_t got =
        read(in, chunk, std::min(sizeof(chunk), most - answer.size()));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got ? Reading::failed : Reading::ended;
    answer.append(chunk, size_t(got));
  }
  return Reading::complete;
}

/// Reads until the pipe is closed.
Reading read_all(int in, std::string &answer, const Limits &limits) {
  const size_t most = limits.max_answer + strlen(ANSWER_FOLLOWS);
  Reading reading = read_some(in, answer, most + 1, end_of(limits));
  return reading == Reading::complete ? Reading::too_much : reading;
}

/// Reads one message, without its size.
Reading read_message(int in, std::string &answer, const Limits &limits) {
  const Clock::time_point end = end_of(limits);
  std::string frame;
  uint64_t size = 0;
  Reading reading = read_some(in, frame, sizeof(size), end);
  if (reading != Reading::complete)
    return reading;
  memcpy(&size, frame.data(), sizeof(size));
  if (size > limits.max_answer)
    return Reading::too_much;
  return read_some(in, answer, size, end);
}

llvm::Error error_of(Reading reading, const Limits &limits) {
  switch (reading) {
  case Reading::too_late:
    return llvm::createStringError("its process took more than %u s",
                                   limits.seconds);
  case Reading::too_much:
    return llvm::createStringError(
        "its process answered with more than %zu bytes", limits.max_answer);
  case Reading::failed:
  case Reading::ended:
  case Reading::complete:
    break;
  }
  return llvm::createStringError("nothing can be read from its process");
}

/// fork() with all signals blocked: the child runs no handler of this process.
pid_t fork_quietly(llvm::function_ref<void()> child_work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0)
    child_work(); // does not return
  int why = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = why;
  return child;
}

/// write() to a pipe without SIGPIPE when its reader has gone.
bool write_quietly(int out, llvm::StringRef bytes) {
  sigset_t pipe_signal, before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  bool written = write_all(out, bytes);
  if (!written && !sigismember(&before, SIGPIPE)) {
    const timespec now{};
    sigtimedwait(&pipe_signal, nullptr, &now);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return written;
}

/// Kills the child and returns waitpid()'s status, or 0 when another thread has
/// reaped it.
int end_child(pid_t child) {
  kill(child, SIGKILL); // it has usually ended already
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return 0;
  return status;
}

} // namespace

llvm::Expected<std::string> run_confined(llvm::function_ref<std::string()> work,
                                         const Limits &limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return llvm::createStringError("no pipe: " + llvm::sys::StrError());
  pid_t child = fork_quietly([&] { be_the_child(ends[1], limits, work); });
  int why = errno;
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return llvm::createStringError("no process: " + llvm::sys::StrError(why));
  }
  std::string answer;
  Reading reading = read_all(ends[0], answer, limits);
  close(ends[0]);
  int status = end_child(child);
  if (reading != Reading::ended)
    return error_of(reading, limits);
  llvm::StringRef text(answer);
  bool finished = !WIFSIGNALED(status) || WTERMSIG(status) == SIGKILL;
  if (finished && text.consume_front(ANSWER_FOLLOWS))
    return text.str();
  if (WIFSIGNALED(status))
    return llvm::createStringError("its process was ended by signal %d",
                                   WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) == NO_LIMITS)
    return llvm::createStringError("its process cannot be given limits");
  if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER)
    return llvm::createStringError(
        "its process cannot be confined: no seccomp filter");
  return llvm::createStringError("its process gave no answer");
}

llvm::Expected<ConfinedServer> ConfinedServer::start(const Answer &answer,
                                                     const Limits &limits) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC))
    return llvm::createStringError("no pipe: " + llvm::sys::StrError());
  if (pipe2(from, O_CLOEXEC)) {
    int why = errno;
    close(to[0]);
    close(to[1]);
    return llvm::createStringError("no pipe: " + llvm::sys::StrError(why));
  }
  pid_t child = fork_quietly([&] { serve(to[0], from[1], limits, answer); });
  int why = errno;
  close(to[0]);
  close(from[1]);
  ConfinedServer server(child, to[1], from[0], limits);
  if (child < 0)
    return llvm::createStringError("no process: " + llvm::sys::StrError(why));
  return server;
}

ConfinedServer::ConfinedServer(ConfinedServer &&other)
    : child(std::exchange(other.child, -1)),
      requests(std::exchange(other.requests, -1)),
      answers(std::exchange(other.answers, -1)), limits(other.limits) {}

ConfinedServer::~ConfinedServer() { give_up(); }

void ConfinedServer::give_up() {
  if (requests < 0)
    return;
  close(requests);
  close(answers);
  requests = answers = -1;
  // A sandbox forbids kill() and waitpid(). The child then ends by itself,
  // since its pipe is closed, and is reaped when this process has ended.
  if (child > 0 && kill(child, SIGKILL) == 0)
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR)
      ;
}

llvm::Expected<std::string> ConfinedServer::ask(llvm::StringRef request) {
  std::string answer;
  Reading reading = Reading::failed;
  if (requests >= 0 && write_quietly(requests, framed(request)))
    reading = read_message(answers, answer, limits);
  if (reading == Reading::complete)
    return answer;
  give_up();
  if (reading == Reading::too_late || reading == Reading::too_much)
    return error_of(reading, limits);
  return llvm::createStringError("its process has ended");
}

} // namespace gpuexec::debug_info
