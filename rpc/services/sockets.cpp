//===-- rpc/services/sockets.cpp - socket, bind, connect, send ... --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes 0x470005xx. A socket is a descriptor of the program. It never waits
// in the kernel: where the program must wait, the service is suspended and
// holds no thread. Only the families and options listed below are allowed: the
// kernel would take the values of some others for addresses in the server's
// memory, or they would change more than the program's own traffic.
//===----------------------------------------------------------------------===//
#include "rpc/services/sockets.h"
#include "rpc/services/serve.h"
#include "support/descriptor.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace gpuexec::rpc;
using gpuexec::UniqueFd;
using Clock = Poller::Clock;

Clock::time_point gpuexec::rpc::socket_deadline(int fd, int option) {
  timeval limit = {};
  socklen_t size = sizeof limit;
  if (getsockopt(fd, SOL_SOCKET, option, &limit, &size) ||
      (!limit.tv_sec && !limit.tv_usec) || limit.tv_sec > (1 << 30))
    return Clock::time_point::max();
  return Clock::now() + std::chrono::seconds(limit.tv_sec) +
         std::chrono::microseconds(limit.tv_usec);
}

namespace {

constexpr uint64_t MAX_MESSAGE = 1 << 20;

bool is_family(uint64_t family) {
  return family == AF_UNIX || family == AF_INET || family == AF_INET6;
}

//===-- Addresses ---------------------------------------------------------===//

/// An address that the program sent, checked.
struct Address {
  sockaddr_storage storage = {};
  socklen_t size = 0;
  UniqueFd directory; ///< if `storage` has a path that begins with it

  const sockaddr *get() const {
    return reinterpret_cast<const sockaddr *>(&storage);
  }
  /// errno or 0.
  int parse(Services &services, llvm::StringRef bytes) {
    if (bytes.size() < sizeof storage.ss_family ||
        bytes.size() > sizeof storage)
      return EINVAL;
    memcpy(&storage, bytes.data(), bytes.size());
    size = socklen_t(bytes.size());
    if (storage.ss_family == AF_UNSPEC) // connect() of a datagram socket
      return 0;
    if (!is_family(storage.ss_family))
      return EAFNOSUPPORT;
    return storage.ss_family == AF_UNIX ? place(services) : 0;
  }

private:
  /// A relative path of a Unix socket begins in the program's directory, which
  /// may not be the process's.
  int place(Services &services) {
    auto &unix_address = reinterpret_cast<sockaddr_un &>(storage);
    constexpr size_t PREFIX = offsetof(sockaddr_un, sun_path);
    const int base = services.files.working_directory_fd();
    if (size > sizeof unix_address)
      return EINVAL;
    if (base < 0 || size <= PREFIX || !unix_address.sun_path[0] ||
        unix_address.sun_path[0] == '/')
      return 0;
    std::string path(unix_address.sun_path,
                     strnlen(unix_address.sun_path, size - PREFIX));
    directory = UniqueFd(fcntl(base, F_DUPFD_CLOEXEC, 3));
    if (!directory)
      return errno;
    path = "/proc/self/fd/" + std::to_string(directory.get()) + "/" + path;
    if (path.size() >= sizeof unix_address.sun_path)
      return ENAMETOOLONG;
    memcpy(unix_address.sun_path, path.c_str(), path.size() + 1);
    size = socklen_t(PREFIX + path.size() + 1);
    return 0;
  }
};

/// An address that the kernel gave.
struct Answer {
  sockaddr_storage storage = {};
  socklen_t size = sizeof storage;
  sockaddr *get() { return reinterpret_cast<sockaddr *>(&storage); }
  std::string bytes() const {
    return {reinterpret_cast<const char *>(&storage),
            std::min<size_t>(size, sizeof storage)};
  }
};

//===-- Making sockets ----------------------------------------------------===//

constexpr int TYPE_FLAGS = SOCK_NONBLOCK | SOCK_CLOEXEC;

/// errno or 0.
int may_make(Services &services, uint64_t family) {
  return services.files.sandboxed() ? EPERM
         : is_family(family)        ? 0
                                    : EAFNOSUPPORT;
}

/// `flags`: SOCK_NONBLOCK and SOCK_CLOEXEC count.
Result add_socket(Services &services, int fd, int flags) {
  auto descriptor = std::make_shared<Descriptor>(fd, true);
  descriptor->nonblocking = flags & SOCK_NONBLOCK;
  descriptor->close_on_exec = flags & SOCK_CLOEXEC;
  return services.add_descriptor(std::move(descriptor));
}

Result make_socket(Services &services, uint64_t family, int type,
                   int protocol) {
  if (int error = may_make(services, family))
    return Result::failure(error);
  int fd = socket(int(family), type | TYPE_FLAGS, protocol);
  return fd < 0 ? Result::failure(errno) : add_socket(services, fd, type);
}

ResultWords<2> make_pair(Services &services, uint64_t family, int type,
                         int protocol) {
  if (int error = may_make(services, family))
    return Result::failure(error);
  int fds[2];
  if (socketpair(int(family), type | TYPE_FLAGS, protocol, fds))
    return Result::failure(errno);
  Result ends[2];
  for (int i = 0; i < 2; ++i)
    ends[i] = add_socket(services, fds[i], type);
  if (!ends[0].failed && !ends[1].failed)
    return {0, ends[0].value, ends[1].value};
  for (const Result &end : ends)
    if (!end.failed)
      services.descriptors.remove(uint64_t(end.value));
  return Result::failure(EMFILE);
}

//===-- Connections -------------------------------------------------------===//

Result bind_socket(Services &services, const Bytes &bytes,
                   Descriptor &descriptor) {
  Address address;
  if (int error = address.parse(services, bytes))
    return Result::failure(error);
  return Result::of(
      bind(descriptor.file.descriptor(), address.get(), address.size) ? errno
                                                                      : 0);
}

Task<Result> connect_socket(Services &services, Port &port, Bytes bytes,
                            Descriptor &descriptor) {
  constexpr auto RETRY = std::chrono::milliseconds(5);
  const int fd = descriptor.file.descriptor();
  Address address;
  if (int error = address.parse(services, bytes))
    co_return Result::failure(error);
  const auto deadline = socket_deadline(fd, SO_SNDTIMEO);
  while (connect(fd, address.get(), address.size)) {
    if (descriptor.nonblocking ||
        (errno != EINPROGRESS && errno != EAGAIN && errno != EINTR))
      co_return Result::failure(errno);
    if (Clock::now() >= deadline)
      co_return Result::failure(EINPROGRESS);
    if (errno == EAGAIN) { // the queue of a Unix socket is full
      co_await port.sleep(RETRY);
      continue;
    }
    co_await FileWait(port, fd, POLLOUT, deadline);
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size))
      error = errno;
    if (error || Clock::now() < deadline)
      co_return Result::of(error);
  }
  co_return 0;
}

Result listen_at(Services &, Descriptor &descriptor, int backlog) {
  return Result::of(listen(descriptor.file.descriptor(), backlog) ? errno : 0);
}

Task<ResultBytes<>> accept_connection(Services &services, Port &port,
                                      Descriptor &descriptor, int flags) {
  const int fd = descriptor.file.descriptor();
  if (flags & ~TYPE_FLAGS)
    co_return Result::failure(EINVAL);
  const auto deadline = socket_deadline(fd, SO_RCVTIMEO);
  const ProgramSignals::Wait wait(services.signals);
  for (;;) {
    Answer peer;
    int accepted = accept4(fd, peer.get(), &peer.size, TYPE_FLAGS);
    if (accepted >= 0)
      co_return ResultBytes<>(add_socket(services, accepted, flags),
                              peer.bytes());
    if ((errno != EAGAIN && errno != EINTR) || descriptor.nonblocking ||
        Clock::now() >= deadline)
      co_return Result::failure(errno);
    if (wait.is_over())
      co_return Result::failure(EINTR);
    co_await FileWait(port, fd, POLLIN, deadline);
  }
}

Result shut_down(Services &, Descriptor &descriptor, int how) {
  return Result::of(shutdown(descriptor.file.descriptor(), how) ? errno : 0);
}

ResultBytes<> socket_name(Services &, Descriptor &descriptor, uint64_t peer) {
  Answer address;
  auto *ask = peer == 1 ? getpeername : getsockname;
  if (ask(descriptor.file.descriptor(), address.get(), &address.size))
    return Result::failure(errno);
  return {0, address.bytes()};
}

//===-- Options -----------------------------------------------------------===//

struct Option {
  int level, name;
};
constexpr Option OPTIONS[] = {{SOL_SOCKET, SO_DEBUG},
                              {SOL_SOCKET, SO_REUSEADDR},
                              {SOL_SOCKET, SO_TYPE},
                              {SOL_SOCKET, SO_ERROR},
                              {SOL_SOCKET, SO_DONTROUTE},
                              {SOL_SOCKET, SO_BROADCAST},
                              {SOL_SOCKET, SO_SNDBUF},
                              {SOL_SOCKET, SO_RCVBUF},
                              {SOL_SOCKET, SO_KEEPALIVE},
                              {SOL_SOCKET, SO_OOBINLINE},
                              {SOL_SOCKET, SO_LINGER},
                              {SOL_SOCKET, SO_REUSEPORT},
                              {SOL_SOCKET, SO_RCVLOWAT},
                              {SOL_SOCKET, SO_SNDLOWAT},
                              {SOL_SOCKET, SO_RCVTIMEO},
                              {SOL_SOCKET, SO_SNDTIMEO},
                              {SOL_SOCKET, SO_ACCEPTCONN},
                              {SOL_SOCKET, SO_PROTOCOL},
                              {SOL_SOCKET, SO_DOMAIN},
                              {IPPROTO_TCP, TCP_NODELAY},
                              {IPPROTO_TCP, TCP_MAXSEG},
                              {IPPROTO_TCP, TCP_CORK},
                              {IPPROTO_TCP, TCP_KEEPIDLE},
                              {IPPROTO_TCP, TCP_KEEPINTVL},
                              {IPPROTO_TCP, TCP_KEEPCNT},
                              {IPPROTO_TCP, TCP_SYNCNT},
                              {IPPROTO_TCP, TCP_LINGER2},
                              {IPPROTO_TCP, TCP_DEFER_ACCEPT},
                              {IPPROTO_TCP, TCP_QUICKACK},
                              {IPPROTO_TCP, TCP_USER_TIMEOUT},
                              {IPPROTO_TCP, TCP_FASTOPEN},
                              {IPPROTO_IP, IP_TOS},
                              {IPPROTO_IP, IP_TTL},
                              {IPPROTO_IP, IP_MULTICAST_IF},
                              {IPPROTO_IP, IP_MULTICAST_TTL},
                              {IPPROTO_IP, IP_MULTICAST_LOOP},
                              {IPPROTO_IP, IP_ADD_MEMBERSHIP},
                              {IPPROTO_IP, IP_DROP_MEMBERSHIP},
                              {IPPROTO_IPV6, IPV6_V6ONLY},
                              {IPPROTO_IPV6, IPV6_UNICAST_HOPS},
                              {IPPROTO_IPV6, IPV6_MULTICAST_IF},
                              {IPPROTO_IPV6, IPV6_MULTICAST_HOPS},
                              {IPPROTO_IPV6, IPV6_MULTICAST_LOOP}};
constexpr size_t MAX_OPTION = 64;

bool is_option(int level, int name) {
  return llvm::any_of(OPTIONS, [&](const Option &option) {
    return option.level == level && option.name == name;
  });
}

ResultBytes<> get_option(Services &, Descriptor &descriptor, int level,
                         int name, uint64_t capacity) {
  if (!is_option(level, name))
    return Result::failure(ENOPROTOOPT);
  char value[MAX_OPTION];
  auto size = socklen_t(std::min<uint64_t>(capacity, sizeof value));
  if (getsockopt(descriptor.file.descriptor(), level, name, value, &size))
    return Result::failure(errno);
  return {0, std::string(value, size)};
}

Result set_option(Services &, const Bytes &value, Descriptor &descriptor,
                  int level, int name) {
  if (!is_option(level, name))
    return Result::failure(ENOPROTOOPT);
  std::string copy = value.substr(0, MAX_OPTION);
  // close() waits in the kernel for this time and holds a thread.
  constexpr int LONGEST = 1; // second
  linger wanted;
  if (level == SOL_SOCKET && name == SO_LINGER &&
      copy.size() >= sizeof wanted) {
    memcpy(&wanted, copy.data(), sizeof wanted);
    wanted.l_linger = std::clamp(wanted.l_linger, 0, LONGEST);
    memcpy(copy.data(), &wanted, sizeof wanted);
  }
  return Result::of(setsockopt(descriptor.file.descriptor(), level, name,
                               copy.data(), socklen_t(copy.size()))
                        ? errno
                        : 0);
}

//===-- Data --------------------------------------------------------------===//

constexpr int SEND_FLAGS = MSG_OOB | MSG_DONTROUTE | MSG_EOR;
constexpr int RECEIVE_FLAGS = MSG_OOB | MSG_PEEK | MSG_TRUNC;

Task<Result> send_data(Services &services, Port &port, Bytes data, Bytes bytes,
                       Descriptor &descriptor, int flags) {
  const int fd = descriptor.file.descriptor();
  Address address;
  if (!bytes.empty())
    if (int error = address.parse(services, bytes))
      co_return Result::failure(error);
  const bool waits = !descriptor.nonblocking && !(flags & MSG_DONTWAIT);
  const auto deadline = socket_deadline(fd, SO_SNDTIMEO);
  size_t done = 0;
  do {
    ssize_t count =
        sendto(fd, data.data() + done, data.size() - done,
               (flags & SEND_FLAGS) | MSG_DONTWAIT | MSG_NOSIGNAL,
               address.size ? address.get() : nullptr, address.size);
    if (count >= 0) {
      done += size_t(count);
      continue;
    }
    const int error = errno;
    if ((error == EAGAIN || error == EINTR) && waits &&
        Clock::now() < deadline) {
      co_await FileWait(port, fd, POLLOUT, deadline);
      continue;
    }
    if (error == EPIPE && !(flags & MSG_NOSIGNAL))
      services.pipe_broke();
    if (!done)
      co_return Result::failure(error);
    break;
  } while (done < data.size() && waits);
  co_return int64_t(done);
}

/// The data, then the sender's address.
struct Received : ResultWords<2> {
  std::string bytes;
  Received() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as Result's
  Received(Result result) : ResultWords<2>(result) {}
};

Task<Received> receive_data(Services &services, Port &port,
                            Descriptor &descriptor, uint64_t wanted,
                            int flags) {
  const int fd = descriptor.file.descriptor();
  const bool waits = !descriptor.nonblocking && !(flags & MSG_DONTWAIT);
  const auto deadline = socket_deadline(fd, SO_RCVTIMEO);
  std::string data(std::min(wanted, MAX_MESSAGE), '\0');
  size_t done = 0;
  const ProgramSignals::Wait wait(services.signals);
  for (;;) {
    Answer sender;
    iovec part = {data.data() + done, data.size() - done};
    msghdr message = {};
    message.msg_name = &sender.storage;
    message.msg_namelen = sizeof sender.storage;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    ssize_t count =
        recvmsg(fd, &message, (flags & RECEIVE_FLAGS) | MSG_DONTWAIT);
    if (count < 0) {
      if ((errno == EAGAIN || errno == EINTR) && waits &&
          Clock::now() < deadline) {
        if (!done && wait.is_over())
          co_return Result::failure(EINTR);
        co_await FileWait(port, fd, POLLIN, deadline);
        continue;
      }
      if (!done)
        co_return Result::failure(errno);
      count = 0;
    }
    const size_t kept = std::min(size_t(count), part.iov_len);
    done += kept;
    // MSG_WAITALL of a stream socket: go on until all bytes or the end is
    // there.
    if (count && (flags & MSG_WAITALL) && !(flags & MSG_PEEK) && waits &&
        done < data.size() && !message.msg_namelen)
      continue;
    data.resize(done);
    // With MSG_TRUNC `count` is the message's length, which may exceed `kept`.
    Received result = Result(int64_t(done - kept) + count);
    sender.size = message.msg_namelen;
    const std::string address = sender.bytes();
    result.words[0] = address.size();
    result.words[1] = uint64_t(message.msg_flags);
    result.bytes = data + address;
    co_return result;
  }
}

} // namespace

RPC_SERVE(SOCKET, make_socket)
RPC_SERVE(SOCKETPAIR, make_pair)
RPC_SERVE(BIND, bind_socket)
RPC_SERVE(CONNECT, connect_socket)
RPC_SERVE(LISTEN, listen_at)
RPC_SERVE(ACCEPT, accept_connection)
RPC_SERVE(SHUTDOWN, shut_down)
RPC_SERVE(SOCKET_NAME, socket_name)
RPC_SERVE(GET_OPTION, get_option)
RPC_SERVE(SET_OPTION, set_option)
RPC_SERVE(SEND, send_data)
RPC_SERVE(RECEIVE, receive_data)
