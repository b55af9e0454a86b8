//===-- lending/wire/channel.cpp - Messages between processes -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/wire/channel.h"
#include "support/processors.h"
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gpuexec::wire {

using Clock = std::chrono::steady_clock;

namespace {
struct Header {
  uint32_t kind, size;
};
/// Room for the descriptors of a message, for sendmsg() and recvmsg().
union Control {
  cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int) * MOST_DESCRIPTORS)];
};
} // namespace

/// True when a sandbox has refused the call. It refuses calls for sockets,
/// which could reach other sockets than this one, and allows read() and write()
/// on open sockets.
static bool is_refused(ssize_t result) { return result < 0 && errno == EPERM; }

/// As write(), but without SIGPIPE: when the other side is gone, it only fails.
static ssize_t write_without_signal(int fd, llvm::StringRef bytes) {
  sigset_t pipe, before, pending;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::sigpending(&pending);
  ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
  const ssize_t written = ::write(fd, bytes.data(), bytes.size());
  const int error = errno;
  if (written < 0 && error == EPIPE && !::sigismember(&pending, SIGPIPE)) {
    const timespec none{};
    ::sigtimedwait(&pipe, nullptr, &none);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return written;
}

/// Sends the first bytes together with the descriptors; returns how many bytes,
/// or -1.
static ssize_t send_first(int socket, llvm::StringRef bytes,
                          llvm::ArrayRef<int> descriptors) {
  iovec part = {const_cast<char *>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  Control control{};
  if (!descriptors.empty()) {
    const size_t size = descriptors.size() * sizeof(int);
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(size);
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    std::memcpy(CMSG_DATA(header), descriptors.data(), size);
  }
  ssize_t sent;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    if (is_refused(sent) && descriptors.empty())
      sent = write_without_signal(socket, bytes);
  } while (sent < 0 && errno == EINTR);
  return sent;
}

bool Channel::send(uint32_t kind, llvm::StringRef body,
                   llvm::ArrayRef<int> descriptors) {
  if (body.size() > LARGEST_MESSAGE || descriptors.size() > MOST_DESCRIPTORS)
    return false;
  // In one piece: the other side wakes once.
  Header header{kind, uint32_t(body.size())};
  std::string message(reinterpret_cast<const char *>(&header), sizeof(header));
  message.append(body.begin(), body.end());
  if (!is_socket)
    return descriptors.empty() && write_all(out, message) == 0;
  llvm::StringRef rest = message;
  while (!rest.empty()) {
    ssize_t sent = send_first(out, rest, descriptors);
    if (sent < 0)
      return false;
    descriptors = {};
    rest = rest.drop_front(size_t(sent));
  }
  return true;
}

bool has_processors_to_poll() {
  constexpr unsigned FEW_PROCESSORS = 4;
  static const bool enough = usable_processors() >= FEW_PROCESSORS;
  return enough;
}

/// How long receive() polls before it sleeps: a reply usually comes within some
/// ten microseconds, and to sleep and be woken takes longer. Each of the
/// programs that run at a time has four threads that may wait here: longer
/// polling would take processors from others.
static constexpr std::chrono::microseconds POLL_FOR(50);

void Channel::look_for_a_while() {
  if (is_socket && !takes_descriptors && look_and_take())
    return;
  const Clock::time_point end = Clock::now() + POLL_FOR;
  pollfd watched = {in, POLLIN, 0};
  while (::poll(&watched, 1, 0) == 0 && Clock::now() < end)
    ;
}

/// Polls with recv(), which takes all bytes that have come, also those of
/// several messages. False when a sandbox refuses recv().
bool Channel::look_and_take() {
  const Clock::time_point end = Clock::now() + POLL_FOR;
  char bytes[1024];
  do {
    const ssize_t got = ::recv(in, bytes, sizeof(bytes), MSG_DONTWAIT);
    if (got > 0)
      pending.append(bytes, size_t(got));
    if (got >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
      return !is_refused(got); // the next read tells of an end or error
  } while (Clock::now() < end);
  return true;
}

void take_descriptors(msghdr &message, std::vector<UniqueFd> &to) {
  for (cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
      continue;
    for (size_t at = CMSG_LEN(0); at + sizeof(int) <= header->cmsg_len;
         at += sizeof(int)) {
      int fd;
      std::memcpy(&fd, reinterpret_cast<char *>(header) + at, sizeof(fd));
      to.emplace_back(fd);
    }
  }
}

/// A read makes room in `pending` for at most as many bytes as are there
/// already, or for this many if that is more: a header alone, which may promise
/// a large message, costs little memory.
static constexpr size_t FIRST_ROOM = 64u << 10;

/// Reads at most `most` bytes: those behind may belong to a message with
/// descriptors of its own.
bool Channel::take_what_is_there(size_t most) {
  const size_t before = pending.size();
  most = std::min(most, std::max(before, FIRST_ROOM));
  pending.resize(before + most);
  iovec part = {pending.data() + before, most};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  Control control{};
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof(control.bytes);
  ssize_t got;
  do {
    got = is_socket ? ::recvmsg(in, &message, MSG_CMSG_CLOEXEC) : -1;
    if (!is_socket || is_refused(got)) {
      message.msg_controllen = 0;
      got = ::read(in, part.iov_base, most);
    }
  } while (got < 0 && errno == EINTR);
  pending.resize(before + size_t(std::max<ssize_t>(got, 0)));
  if (is_socket && got >= 0)
    take_descriptors(message, descriptors);
  return got > 0 && descriptors.size() <= MOST_DESCRIPTORS;
}

bool Channel::read_some(size_t most,
                        std::optional<Clock::time_point> deadline) {
  while (deadline) {
    auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
    pollfd watched = {in, POLLIN, 0};
    int ready = ::poll(&watched, 1, int(std::max<int64_t>(left.count(), 0)));
    if (ready > 0)
      break;
    timed_out = ready == 0;
    if (timed_out)
      return false; // else a signal came: polls again
  }
  return take_what_is_there(most);
}

std::optional<Message>
Channel::receive(std::optional<std::chrono::milliseconds> limit) {
  std::optional<Clock::time_point> deadline;
  if (limit)
    deadline = Clock::now() + *limit;
  timed_out = false;
  Header header{};
  if (pending.empty() && !is_far && (!limit || limit->count()))
    look_for_a_while();
  auto read_until = [&](size_t size) {
    while (pending.size() < size)
      if (!read_some(size - pending.size(), deadline))
        return false;
    return true;
  };
  if (!read_until(sizeof(header)))
    return std::nullopt;
  std::memcpy(&header, pending.data(), sizeof(header));
  if (header.size > largest || !read_until(sizeof(header) + header.size))
    return std::nullopt;
  Message message;
  message.kind = header.kind;
  message.body = pending.substr(sizeof(header), header.size);
  pending.erase(0, sizeof(header) + header.size);
  message.descriptors = std::exchange(descriptors, {});
  return message;
}

} // namespace gpuexec::wire
