//===-- rpc/services/readiness.cpp - poll, locks, terminals ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// poll(), locks on files, and ioctl() of terminals. A wait holds no thread.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"
#include "support/descriptor.h"
#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace gpuexec::rpc;
using gpuexec::UniqueFd;

namespace {

//===-- poll --------------------------------------------------------------===//

using Clock = Poller::Clock;
constexpr auto RETRY = std::chrono::milliseconds(5);

/// The files of one lane's poll(): the program's descriptors and the host's.
class PollSet {
public:
  /// False when `bytes` are no rpc_poll_file.
  bool parse(Services &services, llvm::StringRef bytes) {
    if (bytes.size() % sizeof(rpc_poll_file))
      return false;
    asked.resize(bytes.size() / sizeof(rpc_poll_file));
    if (!bytes.empty())
      memcpy(asked.data(), bytes.data(), bytes.size());
    for (const rpc_poll_file &file : asked) {
      kept.push_back(file.descriptor < 0 ? nullptr
                                         : services.descriptors.find(uint64_t(
                                               uint32_t(file.descriptor))));
      here.push_back(
          {kept.back() ? kept.back()->file.descriptor() : -1, file.events, 0});
      reads_input |= kept.back() && file.events & POLLIN &&
                     kept.back() == services.descriptors.find(0);
    }
    return true;
  }
  /// How many are ready now; -1 with errno.
  int look() {
    int ready = ::poll(here.data(), here.size(), 0);
    for (size_t i = 0; i < asked.size() && ready >= 0; ++i) {
      const bool closed = !kept[i] && asked[i].descriptor >= 0;
      asked[i].found = closed ? short(POLLNVAL) : here[i].revents;
      ready += closed;
    }
    return ready;
  }
  /// An epoll descriptor that is readable when one of the files is ready.
  /// Invalid when the system has no more descriptors.
  UniqueFd any() const {
    UniqueFd all(epoll_create1(EPOLL_CLOEXEC));
    for (size_t i = 0; i < here.size() && all; ++i) {
      epoll_event event = {.events = uint32_t(uint16_t(here[i].events)),
                           .data = {}};
      if (here[i].fd >= 0)
        epoll_ctl(all.get(), EPOLL_CTL_ADD, here[i].fd, &event);
    }
    return all;
  }
  /// Whether two entries have the same descriptor; an epoll would ignore one.
  bool has_twins() const {
    for (size_t i = 0; i < here.size(); ++i)
      for (size_t j = i + 1; j < here.size(); ++j)
        if (here[i].fd >= 0 && here[i].fd == here[j].fd)
          return true;
    return false;
  }
  llvm::StringRef bytes() const {
    return {reinterpret_cast<const char *>(asked.data()),
            asked.size() * sizeof(rpc_poll_file)};
  }
  bool reads_standard_input() const { return reads_input; }

private:
  std::vector<rpc_poll_file> asked;
  std::vector<std::shared_ptr<Descriptor>> kept;
  std::vector<pollfd> here;
  bool reads_input = false;
};

/// Waits until a file is ready or until `deadline`, then fills in `result`.
Task<> poll_lane(Services &services, Port &port, llvm::StringRef bytes,
                 Clock::time_point deadline, ResultBytes<> &result) {
  PollSet files;
  if (!files.parse(services, bytes)) {
    result = Result::failure(EINVAL);
    co_return;
  }
  int ready = files.look();
  UniqueFd any;
  const ProgramSignals::Wait wait(services.signals);
  while (ready == 0 && Clock::now() < deadline) {
    if (wait.is_over()) {
      result = Result::failure(EINTR);
      co_return;
    }
    if (!any) {
      if (files.reads_standard_input())
        co_await services.flush_prompt(port, *services.standard[0]);
      any = files.any();
    }
    // Without an epoll that has all files, poll them every RETRY.
    const bool blind = !any || files.has_twins();
    const auto until =
        blind ? std::min(deadline, Clock::now() + RETRY) : deadline;
    co_await FileWait(port, blind ? -1 : any.get(), POLLIN, until);
    ready = files.look();
  }
  result = ready < 0 ? ResultBytes<>(Result::failure(errno))
                     : ResultBytes<>(ready, files.bytes().str());
}

Task<> poll_files(Services &services, Port &port) {
  Call<RPC_POLL, ResultBytes<>> call(port);
  co_await call.request();
  const auto start = Clock::now();
  for (uint64_t left = port.mask(); left; left &= left - 1) {
    const unsigned lane = unsigned(llvm::countr_zero(left));
    const auto wait = int64_t(call.word("timeout_ns", lane));
    const auto deadline =
        wait < 0 || wait > INT64_MAX / 2
            ? Clock::time_point::max()
            : start + std::chrono::duration_cast<Clock::duration>(
                          std::chrono::nanoseconds(wait));
    if (!call.complete("files", lane))
      call.results[lane] = Result::failure(ENOMEM);
    else
      co_await poll_lane(services, port, call.bytes("files")[lane], deadline,
                         call.results[lane]);
  }
  co_await call.answer();
}

//===-- Locks -------------------------------------------------------------===//

/// Calls try_lock(), which returns 0 or -1 with errno, until it gets the lock.
/// Returns 0, or the errno of another failure.
template <typename F>
Task<int> wait_for_lock(Services &services, Port &port, F try_lock) {
  const ProgramSignals::Wait wait(services.signals);
  while (try_lock()) {
    if (errno != EAGAIN && errno != EACCES && errno != EINTR)
      co_return errno;
    if (wait.is_over())
      co_return EINTR;
    co_await port.sleep(RETRY);
  }
  co_return 0;
}

Task<ResultWords<5>> lock_range(Services &services, Port &port,
                                Descriptor &descriptor, uint64_t command,
                                int16_t type, int16_t whence, int64_t start,
                                int64_t length) {
  const int fd = descriptor.file.descriptor();
  if (descriptor.file.use() != Use::any)
    co_return Result::failure(EPERM);
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = whence;
  lock.l_start = start;
  lock.l_len = length;
  int error = EINVAL;
  if (command == F_SETLKW)
    error =
        co_await wait_for_lock(services, port,
                               [&] { return fcntl(fd, F_SETLK, &lock); });
  else if (command == F_SETLK || command == F_GETLK)
    error = fcntl(fd, int(command), &lock) ? errno : 0;
  if (error)
    co_return Result::failure(error);
  co_return ResultWords<5>(0, lock.l_type, lock.l_whence, lock.l_start,
                           lock.l_len, lock.l_pid);
}

Task<Result> lock_file(Services &services, Port &port, Descriptor &descriptor,
                       int operation) {
  const int fd = descriptor.file.descriptor();
  if (descriptor.file.use() != Use::any)
    co_return Result::failure(EPERM);
  if (operation & LOCK_NB)
    co_return Result::of(flock(fd, operation) ? errno : 0);
  co_return Result::of(co_await wait_for_lock(
      services, port, [&] { return flock(fd, operation | LOCK_NB); }));
}

//===-- ioctl -------------------------------------------------------------===//

/// Requests that change nothing: allowed for every descriptor.
constexpr uint64_t QUESTIONS[] = {TCGETS, TIOCGWINSZ, FIONREAD, SIOCATMARK};
/// Requests that are allowed only for descriptors with Use::any.
constexpr uint64_t CHANGES[] = {TCSETS,    TCSETSW, TCSETSF,    TCSBRK,
                                TCXONC,    TCFLSH,  TIOCSWINSZ, TIOCOUTQ,
                                TIOCGPGRP, TCSBRKP};

bool has(llvm::ArrayRef<uint64_t> list, uint64_t request) {
  return llvm::is_contained(list, request);
}

Task<ResultWords<5>> control_device(Services &, Port &port,
                                    Descriptor &descriptor, uint64_t request,
                                    uint64_t a, uint64_t b, uint64_t c,
                                    uint64_t d, uint64_t e) {
  uint64_t data[5] = {a, b, c, d, e};
  static_assert(sizeof(termios) <= sizeof data &&
                sizeof(winsize) <= sizeof data);
  if (request == FIONBIO) { // the server emulates O_NONBLOCK
    descriptor.nonblocking = int(a) != 0;
    co_return 0;
  }
  const bool changes = has(CHANGES, request);
  if (!changes && !has(QUESTIONS, request))
    co_return Result::failure(ENOTTY);
  if (changes && descriptor.file.use() != Use::any)
    co_return Result::failure(EPERM);
  // These wait until the terminal has printed all.
  if (request == TCSETSW || request == TCSETSF || request == TCSBRK)
    co_await port.background();
  const bool by_value = request == TCSBRK || request == TCXONC ||
                        request == TCFLSH || request == TCSBRKP;
  void *argument = by_value ? reinterpret_cast<void *>(uintptr_t(int(a)))
                            : static_cast<void *>(data);
  int result = ioctl(descriptor.file.descriptor(), request, argument);
  if (result < 0)
    co_return Result::failure(errno);
  co_return ResultWords<5>(result, data[0], data[1], data[2], data[3], data[4]);
}

} // namespace

RPC_SERVE(POLL, poll_files)
RPC_SERVE(LOCK_RANGE, lock_range)
RPC_SERVE(LOCK_FILE, lock_file)
RPC_SERVE(IOCTL, control_device)
