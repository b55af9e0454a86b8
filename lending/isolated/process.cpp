//===-- lending/isolated/process.cpp - The isolated process ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/isolated/process.h"
#include "lending/isolated/child.h"
#include "support/failure.h"
#include "support/printable.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gpuexec::isolated {

namespace {

/// How long the child may take to exit once its channel is closed.
constexpr std::chrono::seconds EXIT_TIMEOUT(2);

/// Bytes that wake the monitor thread up: it has a task, or is to end.
constexpr std::string_view TASK = "t", QUIT = "q";

/// Prints what the child has written to its standard error; false at the end.
bool forward(int from) {
  char buffer[4096];
  ssize_t got = ::read(from, buffer, sizeof(buffer));
  if (got <= 0)
    return got < 0 && errno == EINTR;
  // An error means that nobody reads it.
  write_all(STDERR_FILENO, printable_lines({buffer, size_t(got)}));
  return true;
}

void run_task(ChildState &state) {
  std::function<llvm::Error()> task;
  {
    std::lock_guard lock(state.mutex);
    task = state.task;
  }
  llvm::Error failed = task();
  std::lock_guard lock(state.mutex);
  state.task_failure = failed ? llvm::toString(std::move(failed)) : "";
  state.task = nullptr;
  state.changed.notify_all();
}

/// True when the process has ended within the time.
bool wait_for(int process_fd, std::chrono::milliseconds limit) {
  pollfd watched = {process_fd, POLLIN, 0};
  int ready;
  while ((ready = ::poll(&watched, 1, int(limit.count()))) < 0 &&
         errno == EINTR)
    ;
  return ready > 0;
}

/// The monitor thread's loop. It returns when the child has ended, whose exit
/// status goes to `state`, or when it is told to quit: the kernel kills the
/// child then.
void watch(pid_t id, int error, int wake, ChildState &state) {
  const int process_fd = state.process_fd.get();
  ::fcntl(error, F_SETFL, O_NONBLOCK);
  int watched_error = error;
  for (bool ended = false; !ended;) {
    pollfd watched[] = {
        {watched_error, POLLIN, 0}, {process_fd, POLLIN, 0}, {wake, POLLIN, 0}};
    if (::poll(watched, 3, -1) <= 0)
      continue;
    if (watched[0].revents && !forward(error)) {
      watched_error = -1; // at its end
    }
    char word = 0;
    if (watched[2].revents && ::read(wake, &word, 1) == 1) {
      if (word == QUIT[0])
        break;
      run_task(state);
    }
    ended |= watched[1].revents != 0;
    if (!ended)
      continue;
    while (forward(error))
      ;
    siginfo_t info;
    while (::waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0 &&
           errno == EINTR)
      ;
    std::lock_guard lock(state.mutex);
    ::waitpid(id, &state.wait_status, 0);
    state.ended = true;
    state.changed.notify_all();
  }
}

} // namespace

/// What connects the two processes. The side that asks keeps the reading ends
/// of its requests: a write to them never meets a pipe without a reader.
struct Process::Pipes {
  Pipe requests, replies; // control
  Pipe launch_requests, launch_replies;
  Pipe error;
  Pipe wake; // ours alone: for the monitor
  bool make() {
    return requests.make() && replies.make() && launch_requests.make() &&
           launch_replies.make() && error.make() && wake.make();
  }
  Descriptors theirs() const {
    return {error.write.get(),
            {requests.read.get(), replies.write.get()},
            {launch_requests.read.get(), launch_replies.write.get()}};
  }
  /// Here, so that the end of theirs is the end of the pipe.
  void close_theirs() {
    for (Pipe *pipe : {&error, &replies, &launch_replies})
      pipe->write.close();
  }
};

Process::Process(std::shared_ptr<Pipes> made)
    : pipes(std::move(made)),
      control(pipes->replies.read.get(), pipes->requests.write.get()),
      launches(pipes->launch_replies.read.get(),
               pipes->launch_requests.write.get()) {}

llvm::Expected<std::unique_ptr<Process>>
Process::start(std::function<void(Channel, Channel)> work) {
  auto cannot = [](int error) {
    return failure(Reason::failed, "cannot start the emulator's process: {0}",
                   std::strerror(error));
  };
  auto pipes = std::make_shared<Pipes>();
  if (!pipes->make())
    return cannot(errno);
  std::unique_ptr<Process> process(new Process(pipes));
  auto fork_and_watch = [pipes, state = process->state,
                         work = std::move(work)] {
    pid_t id = fork_isolated(pipes->theirs());
    if (id == 0) {
      work(Channel(CONTROL_FD, CONTROL_FD + 1),
           Channel(LAUNCHES_FD, LAUNCHES_FD + 1));
      ::_exit(0);
    }
    int error = id < 0 ? errno : 0;
    int process_fd = id < 0 ? -1 : int(::syscall(SYS_pidfd_open, id, 0));
    if (process_fd < 0 && !error)
      error = errno; // without it nobody could tell its end
    pipes->close_theirs();
    {
      std::lock_guard lock(state->mutex);
      state->started = true;
      state->id = id;
      state->process_fd = UniqueFd(process_fd);
      state->error = error;
      state->ended = id < 0;
      state->changed.notify_all();
    }
    if (!error)
      watch(id, pipes->error.read.get(), pipes->wake.read.get(), *state);
  };
  if (!process->monitor.start(std::move(fork_and_watch),
                              Thread::Signals::blocked))
    return cannot(EAGAIN);
  std::unique_lock lock(process->state->mutex);
  process->state->changed.wait(lock, [&] { return process->state->started; });
  if (process->state->error)
    return cannot(process->state->error);
  return std::move(process);
}

Process::~Process() {
  if (!monitor.joinable())
    return;
  kill();
  monitor.join();
  // The kernel kills it with the thread that made it.
  if (!state->ended && wait_for(state->process_fd.get(), EXIT_TIMEOUT))
    ::waitpid(state->id, &state->wait_status, 0);
}

void Process::kill() {
  {
    std::lock_guard lock(state->mutex);
    state->killed = true;
    state->changed.notify_all();
  }
  // The kernel kills the process with the monitor, which started it. In a
  // confined process the filter refuses signals to other processes.
  write_all(pipes->wake.write.get(), QUIT);
}

llvm::Error Process::on_monitor(llvm::function_ref<llvm::Error()> work) {
  std::unique_lock lock(state->mutex);
  if (state->ended || state->killed)
    return llvm::Error::success();
  state->task = work;
  write_all(pipes->wake.write.get(), TASK);
  state->changed.wait(
      lock, [&] { return !state->task || state->ended || state->killed; });
  if (!state->task && !state->task_failure.empty())
    return llvm::createStringError(state->task_failure);
  state->task = nullptr;
  return llvm::Error::success();
}

llvm::Error Process::how_it_ended() {
  std::unique_lock lock(state->mutex);
  if (!state->changed.wait_for(lock, EXIT_TIMEOUT,
                               [&] { return state->ended || state->killed; }))
    return failure(Reason::failed, "the emulator's process does not answer");
  if (!state->ended)
    return failure(Reason::failed, "the emulator's process was stopped");
  int how = state->wait_status;
  if (WIFSIGNALED(how))
    return failure(Reason::failed,
                   "the emulator's process was ended by signal {0} ({1})",
                   WTERMSIG(how), ::strsignal(WTERMSIG(how)));
  return failure(Reason::failed,
                 "the emulator's process ended by itself, with status {0}",
                 WEXITSTATUS(how));
}

llvm::Expected<Answer>
Process::answer_of(std::optional<wire::Message> message) {
  if (!message)
    return how_it_ended();
  if (llvm::Error error = wire::error_of(*message, name()))
    return std::move(error);
  return Answer{std::move(message->body), std::nullopt};
}

llvm::Expected<Answer> Process::exchange(uint32_t kind, llvm::StringRef body,
                                         Limit limit) {
  std::unique_lock lock(control_mutex, std::defer_lock);
  if (!limit)
    lock.lock();
  else if (!lock.try_lock_for(*limit))
    return failure(Reason::failed, "the emulator's process does not answer");
  if (!control.send(kind, body))
    return how_it_ended();
  return answer_of(control.receive(limit));
}

void Process::notify_bytes(uint32_t kind, llvm::StringRef body) {
  std::lock_guard lock(control_mutex);
  control.send(kind, body);
}

llvm::Expected<Answer> Process::exchange_launch(llvm::StringRef body) {
  if (!launches.send(wire::Launch::KIND, body))
    return how_it_ended();
  return answer_of(launches.receive());
}

} // namespace gpuexec::isolated
