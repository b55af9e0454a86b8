//===-- loader/process/held_streams.cpp - Streams of --rerun --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/held_streams.h"
#include "support/failure.h"
#include <cstring>
#include <poll.h>
#include <sys/stat.h>

namespace gpuexec {

namespace {

constexpr size_t STEP = 64 * 1024;

/// Whether both descriptors write to the same place, as after `2>&1`. What goes
/// there then keeps its order.
bool are_same(int one, int other) {
  struct stat a {
  }, b{};
  return ::fstat(one, &a) == 0 && ::fstat(other, &b) == 0 &&
         a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Whether standard input is one whose bytes are gone once they are read. What
/// is typed at a terminal is not kept.
bool reads_pipe() {
  struct stat input {};
  return ::fstat(STDIN_FILENO, &input) == 0 &&
         (S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode));
}

void set_nonblocking(const UniqueFd &fd) {
  ::fcntl(fd.get(), F_SETFL, O_NONBLOCK);
}

} // namespace

llvm::Expected<std::unique_ptr<HeldStreams>> HeldStreams::create(size_t most) {
  std::unique_ptr<HeldStreams> streams(new HeldStreams(most));
  if (!streams->start())
    return failure(Reason::failed, "--rerun: cannot hold output back: {0}",
                   std::strerror(errno));
  return std::move(streams);
}

HeldStreams::~HeldStreams() { stop(/*drain=*/false); }

/// Opens the pipes and starts the mover. False, with errno, when there are no
/// descriptors or threads left.
bool HeldStreams::start() {
  Pipe out, error, in;
  wake = Pipe();
  if (!out.make() || !wake.make())
    return false;
  output_end = std::move(out.write);
  output_pipe = std::move(out.read);
  set_nonblocking(output_pipe);
  error_end = UniqueFd();
  error_pipe = UniqueFd();
  if (!are_same(STDOUT_FILENO, STDERR_FILENO)) {
    if (!error.make())
      return false;
    error_end = std::move(error.write);
    error_pipe = std::move(error.read);
    set_nonblocking(error_pipe);
  }
  if (reads_pipe()) {
    if (!in.make())
      return false;
    stdin_pipe = std::move(in.read);
    input_end = std::move(in.write);
    set_nonblocking(input_end);
    if (input_has_ended && input_kept.empty())
      input_end.close();
  } else if (begin < 0) {
    begin = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  }
  input_given = 0;
  drains = false;
  if (mover.start([this] { move_bytes(); }, Thread::Signals::blocked))
    return true;
  errno = EAGAIN;
  return false;
}

/// Ends the mover; `drain`: it first takes what the program has written.
void HeldStreams::stop(bool drain) {
  if (!mover.joinable())
    return;
  {
    std::lock_guard lock(mutex);
    drains = drain;
  }
  wake.write.close();
  mover.join();
}

/// In the mover's thread.
void HeldStreams::move_bytes() {
  for (;;) {
    const bool has_input = input_end && input_given < input_kept.size();
    const bool wants_input = input_end && !has_input && !input_has_ended;
    pollfd watched[] = {{wake.read.get(), POLLIN, 0},
                        {output_pipe.get(), POLLIN, 0},
                        {error_pipe.get(), POLLIN, 0},
                        {wants_input ? STDIN_FILENO : -1, POLLIN, 0},
                        {has_input ? input_end.get() : -1, POLLOUT, 0}};
    if (::poll(watched, 5, -1) < 0 && errno != EINTR)
      return;
    if (watched[1].revents)
      take_output(output_pipe, STDOUT_FILENO);
    if (watched[2].revents)
      take_output(error_pipe, STDERR_FILENO);
    if (watched[3].revents)
      take_input();
    if (watched[4].revents)
      give_input();
    if (!watched[0].revents)
      continue;
    if (drains) {
      take_output(output_pipe, STDOUT_FILENO);
      take_output(error_pipe, STDERR_FILENO);
    }
    return;
  }
}

/// Takes all that is in the pipe now.
void HeldStreams::take_output(UniqueFd &from, int to) {
  std::string bytes(STEP, '\0');
  for (ssize_t got = 1; from && got != 0;) {
    got = ::read(from.get(), bytes.data(), bytes.size());
    if (got < 0 && errno != EINTR)
      return;
    if (got <= 0)
      continue;
    std::lock_guard lock(mutex);
    if (passes) {
      write_all(to, {bytes.data(), size_t(got)});
      continue;
    }
    if (held.empty() || held.back().to != to)
      held.push_back({to, {}});
    held.back().bytes.append(bytes.data(), size_t(got));
    held_bytes += size_t(got);
    if (held_bytes > most)
      write_held();
  }
}

void HeldStreams::take_input() {
  std::string bytes(STEP, '\0');
  const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (got < 0 && errno == EINTR)
    return;
  input_has_ended = got <= 0;
  if (input_has_ended)
    return input_end.close();
  if (input_kept.size() > most) { // then only what is not given yet
    input_is_whole = false;
    input_kept.erase(0, std::exchange(input_given, 0));
  }
  input_kept.append(bytes.data(), size_t(got));
}

void HeldStreams::give_input() {
  const ssize_t count =
      ::write(input_end.get(), input_kept.data() + input_given,
              std::min(input_kept.size() - input_given, STEP));
  input_given += size_t(std::max<ssize_t>(count, 0));
  if (input_has_ended && input_given == input_kept.size())
    input_end.close();
}

/// Writes what is held. The caller holds the mutex.
void HeldStreams::write_held() {
  passes = true;
  for (const Chunk &chunk : held)
    write_all(chunk.to, chunk.bytes); // an error means that nobody reads it
  held.clear();
}

void HeldStreams::let_go() {
  std::lock_guard lock(mutex);
  write_held();
}

void HeldStreams::pass_on() {
  stop(/*drain=*/true);
  let_go();
}

bool HeldStreams::begin_again() {
  stop(/*drain=*/true);
  if (passes || !input_is_whole)
    return false;
  held.clear();
  held_bytes = 0;
  if (begin >= 0)
    ::lseek(STDIN_FILENO, begin, SEEK_SET);
  return start();
}

} // namespace gpuexec
