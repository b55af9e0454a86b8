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

/// How long a process whose channel is closed may take to be gone.
constexpr std::chrono::seconds LAST_BREATH(2);

/// What the keeper is woken up with.
constexpr std::string_view ERRAND = "e", QUIT = "q";

/// Prints what the process writes to its standard error; false when there is
/// nothing more.
bool forward(int from) {
  char buffer[4096];
  ssize_t got = ::read(from, buffer, sizeof(buffer));
  if (got <= 0)
    return got < 0 && errno == EINTR;
  // An error means that nobody reads it.
  write_all(STDERR_FILENO, printable_lines({buffer, size_t(got)}));
  return true;
}

void do_errand(Life &life) {
  std::function<llvm::Error()> errand;
  {
    std::lock_guard lock(life.mutex);
    errand = life.errand;
  }
  llvm::Error failed = errand();
  std::lock_guard lock(life.mutex);
  life.errand_failure = failed ? llvm::toString(std::move(failed)) : "";
  life.errand = nullptr;
  life.changed.notify_all();
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

/// Until the process has ended, whose status goes to `life`, or until it is
/// told to quit: the kernel kills the process then.
void keep(pid_t id, int error, int wake, Life &life) {
  const int process_fd = life.process_fd.get();
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
      do_errand(life);
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
    std::lock_guard lock(life.mutex);
    ::waitpid(id, &life.wait_status, 0);
    life.ended = true;
    life.changed.notify_all();
  }
}

} // namespace

/// What connects the two processes. The side that asks keeps the reading ends
/// of its requests: a write to them never meets a pipe without a reader.
struct Process::Plumbing {
  Pipe requests, replies; // control
  Pipe launch_requests, launch_replies;
  Pipe error;
  Pipe wake; // ours alone: for the keeper
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

Process::Process(std::shared_ptr<Plumbing> pipes)
    : plumbing(std::move(pipes)),
      control(plumbing->replies.read.get(), plumbing->requests.write.get()),
      launches(plumbing->launch_replies.read.get(),
               plumbing->launch_requests.write.get()) {}

llvm::Expected<std::unique_ptr<Process>>
Process::start(std::function<void(Channel, Channel)> work) {
  auto cannot = [](int error) {
    return failure(Reason::failed, "cannot start the emulator's process: {0}",
                   std::strerror(error));
  };
  auto plumbing = std::make_shared<Plumbing>();
  if (!plumbing->make())
    return cannot(errno);
  std::unique_ptr<Process> process(new Process(plumbing));
  auto fork_and_keep = [plumbing, life = process->life, parent = ::getpid(),
                        work = std::move(work)] {
    pid_t id = ::fork();
    if (id == 0) {
      if (become_isolated(parent, plumbing->theirs()))
        work(Channel(CONTROL_FD, CONTROL_FD + 1),
             Channel(LAUNCHES_FD, LAUNCHES_FD + 1));
      ::_exit(0);
    }
    int error = id < 0 ? errno : 0;
    int process_fd = id < 0 ? -1 : int(::syscall(SYS_pidfd_open, id, 0));
    if (process_fd < 0 && !error)
      error = errno; // without it nobody could tell its end
    plumbing->close_theirs();
    {
      std::lock_guard lock(life->mutex);
      life->started = true;
      life->id = id;
      life->process_fd = UniqueFd(process_fd);
      life->error = error;
      life->ended = id < 0;
      life->changed.notify_all();
    }
    if (!error)
      keep(id, plumbing->error.read.get(), plumbing->wake.read.get(), *life);
  };
  if (!process->keeper.start(std::move(fork_and_keep),
                             Thread::Signals::blocked))
    return cannot(EAGAIN);
  std::unique_lock lock(process->life->mutex);
  process->life->changed.wait(lock, [&] { return process->life->started; });
  if (process->life->error)
    return cannot(process->life->error);
  return std::move(process);
}

Process::~Process() {
  if (!keeper.joinable())
    return;
  kill();
  keeper.join();
  // The kernel kills it with the thread that made it.
  if (!life->ended && wait_for(life->process_fd.get(), LAST_BREATH))
    ::waitpid(life->id, &life->wait_status, 0);
}

void Process::kill() {
  {
    std::lock_guard lock(life->mutex);
    life->killed = true;
    life->changed.notify_all();
  }
  // The kernel kills the process with the keeper, which started it. In a
  // confined process the filter refuses signals to other processes.
  write_all(plumbing->wake.write.get(), QUIT);
}

llvm::Error Process::on_keeper(llvm::function_ref<llvm::Error()> work) {
  std::unique_lock lock(life->mutex);
  if (life->ended || life->killed)
    return llvm::Error::success();
  life->errand = work;
  write_all(plumbing->wake.write.get(), ERRAND);
  life->changed.wait(
      lock, [&] { return !life->errand || life->ended || life->killed; });
  if (!life->errand && !life->errand_failure.empty())
    return llvm::createStringError(life->errand_failure);
  life->errand = nullptr;
  return llvm::Error::success();
}

llvm::Error Process::how_it_ended() {
  std::unique_lock lock(life->mutex);
  if (!life->changed.wait_for(lock, LAST_BREATH,
                              [&] { return life->ended || life->killed; }))
    return failure(Reason::failed, "the emulator's process does not answer");
  if (!life->ended)
    return failure(Reason::failed, "the emulator's process was stopped");
  int how = life->wait_status;
  if (WIFSIGNALED(how))
    return failure(Reason::failed,
                   "the emulator's process was ended by signal {0} ({1})",
                   WTERMSIG(how), ::strsignal(WTERMSIG(how)));
  return failure(Reason::failed,
                 "the emulator's process ended by itself, with status {0}",
                 WEXITSTATUS(how));
}

llvm::Expected<Answer>
Process::reply_of(std::optional<remote::Message> message) {
  return message ? answer_of(std::move(*message), name()) : how_it_ended();
}

llvm::Expected<Answer>
Process::ask(Request request, llvm::StringRef body,
             std::optional<std::chrono::milliseconds> limit) {
  std::unique_lock lock(control_mutex, std::defer_lock);
  if (!limit)
    lock.lock();
  else if (!lock.try_lock_for(*limit))
    return failure(Reason::failed, "the emulator's process does not answer");
  if (!control.send(uint32_t(request), body))
    return how_it_ended();
  return reply_of(control.receive(limit));
}

void Process::tell(Request request) {
  std::lock_guard lock(control_mutex);
  control.send(uint32_t(request), {});
}

llvm::Expected<Answer> Process::ask_launch(llvm::StringRef body) {
  if (!launches.send(uint32_t(Request::launch), body))
    return how_it_ended();
  return reply_of(launches.receive());
}

} // namespace gpuexec::isolated
