//===-- lending/relay/local_socket.cpp - A socket of this machine ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/relay/local_socket.h"
#include <algorithm>
#include <cerrno>
#include <sys/socket.h>

namespace gpuexec::relay {

/// The most bytes of a message that a relay keeps until it is complete. A
/// larger one ends the connection.
static constexpr uint32_t LARGEST_WHOLE = 64u << 10;

void Boundary::follow(llvm::StringRef bytes) {
  while (!bytes.empty()) {
    if (left) {
      const size_t some = size_t(std::min<uint64_t>(left, bytes.size()));
      left -= some;
      bytes = bytes.drop_front(some);
      continue;
    }
    header[header_size++] = bytes.front();
    bytes = bytes.drop_front();
    if (header_size < sizeof(header))
      continue;
    uint32_t size;
    std::memcpy(&size, header + 4, sizeof(size));
    left = size;
    header_size = 0;
  }
}

LocalSocket::LocalSocket(UniqueFd fd) : socket(std::move(fd)) {
  ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
}

ssize_t LocalSocket::read(char *to, size_t most) {
  union {
    cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int) * wire::MOST_DESCRIPTORS)];
  } control{};
  iovec part = {to, most};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof(control.bytes);
  ssize_t got;
  do
    got = ::recvmsg(socket.get(), &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got <= 0)
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : -1;
  wire::take_descriptors(message, next.descriptors);
  return next.descriptors.size() > wire::MOST_DESCRIPTORS ? -1 : got;
}

LocalSocket::Got LocalSocket::read_header() {
  while (header_size < sizeof(header)) {
    const ssize_t got =
        read(header + header_size, sizeof(header) - header_size);
    if (got <= 0)
      return got ? Got::end : Got::nothing;
    header_size += size_t(got);
  }
  uint32_t size;
  std::memcpy(&next.kind, header, sizeof(next.kind));
  std::memcpy(&size, header + 4, sizeof(size));
  keeps = !next.descriptors.empty() || wire::is_read_by_relay(next.kind);
  if (size > (keeps ? LARGEST_WHOLE : wire::LARGEST_MESSAGE))
    return Got::end;
  left = size;
  in_body = true;
  next.begins = true;
  next.bytes.assign(header, sizeof(header));
  header_size = 0;
  return Got::piece;
}

LocalSocket::Got LocalSocket::receive(Piece &piece) {
  if (!in_body)
    if (Got got = read_header(); got != Got::piece)
      return got;
  const size_t before = next.bytes.size();
  const size_t most = size_t(std::min<uint64_t>(left, LARGEST_PIECE));
  ssize_t got = 0;
  if (most) {
    next.bytes.resize(before + most);
    got = read(next.bytes.data() + before, most);
    next.bytes.resize(before + size_t(std::max<ssize_t>(got, 0)));
    if (got < 0)
      return Got::end;
    left -= size_t(got);
  }
  in_body = left != 0;
  if (next.bytes.empty() || (keeps && in_body))
    return Got::nothing;
  next.whole = keeps;
  piece = std::exchange(next, Piece());
  next.kind = piece.kind;
  return Got::piece;
}

void LocalSocket::send(llvm::StringRef bytes, std::vector<int> descriptors) {
  sent.follow(bytes);
  queued += bytes.size();
  queue.push_back({bytes.str(), std::move(descriptors)});
}

bool LocalSocket::flush() {
  while (!queue.empty()) {
    Queued &first = queue.front();
    iovec part = {first.bytes.data() + first.at, first.bytes.size() - first.at};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    union {
      cmsghdr header;
      char bytes[CMSG_SPACE(sizeof(int) * wire::MOST_DESCRIPTORS)];
    } control{};
    if (const size_t size = first.descriptors.size() * sizeof(int)) {
      message.msg_control = control.bytes;
      message.msg_controllen = CMSG_SPACE(size);
      cmsghdr *header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(size);
      std::memcpy(CMSG_DATA(header), first.descriptors.data(), size);
    }
    const ssize_t count = ::sendmsg(socket.get(), &message, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno == EAGAIN || errno == EWOULDBLOCK;
    first.descriptors.clear();
    first.at += size_t(count);
    queued -= size_t(count);
    if (first.at == first.bytes.size())
      queue.pop_front();
  }
  return true;
}

} // namespace gpuexec::relay
