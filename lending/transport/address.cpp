//===-- lending/transport/address.cpp - A server's place ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/transport/address.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <cstring>
#include <functional>
#include <linux/vm_sockets.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace gpuexec::lending {

using Clock = std::chrono::steady_clock;

static constexpr llvm::StringLiteral TCP = "tcp://", VSOCK = "vsock://";

bool Address::is_one(llvm::StringRef text) {
  return text.starts_with(TCP) || text.starts_with(VSOCK);
}

llvm::Expected<Address> Address::parse(llvm::StringRef text) {
  auto bad = [&] {
    return failure(Reason::failed,
                   "'{0}' is no address: tcp://HOST:PORT or vsock://CID:PORT",
                   text);
  };
  Address address;
  address.text = text.str();
  llvm::StringRef rest = text;
  if (rest.consume_front(VSOCK))
    address.kind = Kind::vsock;
  else if (!rest.consume_front(TCP))
    return bad();
  auto [host, port] = rest.rsplit(':');
  const uint32_t most = address.kind == Kind::tcp ? UINT16_MAX : UINT32_MAX - 1;
  if (!llvm::to_integer(port, address.port, 10) || address.port > most)
    return bad();
  if (host.consume_front("[") && !host.consume_back("]"))
    return bad();
  uint32_t cid;
  if (host.empty() || (address.kind == Kind::vsock && host != "*" &&
                       !llvm::to_integer(host, cid, 10)))
    return bad();
  if (host != "*")
    address.host = host.str();
  return address;
}

namespace {

/// One of the addresses that a name stands for.
struct Place {
  sockaddr_storage bytes{};
  socklen_t size = 0;
  sockaddr *get() { return reinterpret_cast<sockaddr *>(&bytes); }
};

Place vsock_place(const Address &address) {
  Place place;
  auto &vm = reinterpret_cast<sockaddr_vm &>(place.bytes);
  vm.svm_family = AF_VSOCK;
  vm.svm_port = address.port;
  vm.svm_cid = VMADDR_CID_ANY;
  if (!address.host.empty())
    (void)llvm::to_integer(llvm::StringRef(address.host), vm.svm_cid, 10);
  place.size = sizeof(vm);
  return place;
}

llvm::Expected<std::vector<Place>> places_of(const Address &address,
                                             bool passive) {
  std::vector<Place> places;
  if (address.kind == Address::Kind::vsock) {
    places.push_back(vsock_place(address));
    return places;
  }
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (passive ? AI_PASSIVE : 0);
  const int error =
      ::getaddrinfo(address.host.empty() ? nullptr : address.host.c_str(),
                    std::to_string(address.port).c_str(), &hints, &found);
  if (error)
    return failure(Reason::failed, "{0}: {1}", address.host,
                   ::gai_strerror(error));
  for (addrinfo *one = found; one; one = one->ai_next) {
    Place &place = places.emplace_back();
    std::memcpy(&place.bytes, one->ai_addr, one->ai_addrlen);
    place.size = one->ai_addrlen;
  }
  ::freeaddrinfo(found);
  return places;
}

/// False, with errno, when nobody answers in time.
bool connect_within(int socket, Place &place, Clock::time_point end) {
  if (::connect(socket, place.get(), place.size) == 0)
    return true;
  if (errno != EINPROGRESS)
    return false;
  pollfd watched = {socket, POLLOUT, 0};
  int ready;
  do {
    auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    ready = ::poll(&watched, 1, int(std::max<int64_t>(left.count(), 0)));
  } while (ready < 0 && errno == EINTR);
  int error = ETIMEDOUT;
  socklen_t size = sizeof(error);
  if (ready > 0)
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  errno = error;
  return error == 0;
}

} // namespace

llvm::Expected<UniqueFd> connect_to(const Address &address,
                                    std::chrono::milliseconds limit) {
  llvm::Expected<std::vector<Place>> places = places_of(address, false);
  if (!places)
    return places.takeError();
  const Clock::time_point end = Clock::now() + limit;
  int error = EADDRNOTAVAIL;
  for (Place &place : *places) {
    UniqueFd socket(::socket(place.bytes.ss_family,
                             SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket && connect_within(socket.get(), place, end)) {
      prepare_stream(socket.get());
      return std::move(socket);
    }
    error = errno;
  }
  return failure(Reason::failed, "{0}", std::strerror(error));
}

llvm::Expected<UniqueFd> listen_at(const Address &address) {
  auto cannot = [&](llvm::StringRef why) {
    return failure(Reason::failed, "cannot listen at {0}: {1}", address.text,
                   why);
  };
  llvm::Expected<std::vector<Place>> places = places_of(address, true);
  if (!places)
    return cannot(llvm::toString(places.takeError()));
  if (address.kind == Address::Kind::vsock && !address.port)
    reinterpret_cast<sockaddr_vm &>(places->front().bytes).svm_port =
        VMADDR_PORT_ANY;
  // One that takes IPv4 and IPv6 is better than the one that comes first.
  llvm::sort(*places, [](const Place &a, const Place &b) {
    return a.bytes.ss_family == AF_INET6 && b.bytes.ss_family != AF_INET6;
  });
  int error = EADDRNOTAVAIL;
  for (Place &place : *places) {
    UniqueFd socket(::socket(place.bytes.ss_family,
                             SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (socket && ::bind(socket.get(), place.get(), place.size) == 0 &&
        ::listen(socket.get(), SOMAXCONN) == 0)
      return std::move(socket);
    error = errno;
  }
  return cannot(std::strerror(error));
}

std::string name_of(int socket, bool other_end) {
  Place place;
  place.size = sizeof(place.bytes);
  if ((other_end ? ::getpeername : ::getsockname)(socket, place.get(),
                                                  &place.size) != 0)
    return "?";
  if (place.bytes.ss_family == AF_VSOCK) {
    const auto &vm = reinterpret_cast<sockaddr_vm &>(place.bytes);
    return (VSOCK +
            (vm.svm_cid == VMADDR_CID_ANY ? "*" : std::to_string(vm.svm_cid)) +
            ":" + std::to_string(vm.svm_port))
        .str();
  }
  char host[NI_MAXHOST] = "?", port[NI_MAXSERV] = "?";
  ::getnameinfo(place.get(), place.size, host, sizeof(host), port, sizeof(port),
                NI_NUMERICHOST | NI_NUMERICSERV);
  const bool has_colons = place.bytes.ss_family == AF_INET6;
  return (TCP + (has_colons ? "[" : "") + host + (has_colons ? "]:" : ":") +
          port)
      .str();
}

void prepare_stream(int socket) {
  // Without effect on sockets of another kind.
  const int on = 1, idle = 10, interval = 5, count = 3;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
}

} // namespace gpuexec::lending
