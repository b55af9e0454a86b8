//===-- lending/relay/pump.cpp - A socket and two threads -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/relay/pump.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <poll.h>
#include <sys/socket.h>
#include <thread>

namespace gpuexec::relay {

/// Bytes from which on the threads are used: the caller's thread sends and
/// receives smaller amounts itself.
static constexpr size_t LARGE = 32u << 10;
/// The most bytes that a thread sends or receives with one call: the relay's
/// thread works on one piece while the next ones are on their way.
static constexpr size_t PIECE = 64u << 10;
/// How long a thread polls for work before it sleeps.
static constexpr std::chrono::microseconds LOOK_FOR(50);

Ring::Piece Ring::room() const {
  const uint32_t at = head % SIZE, left = SIZE - (head - tail);
  return {bytes.get() + at, std::min(left, SIZE - at)};
}

Ring::Piece Ring::filled() const {
  const uint32_t at = tail % SIZE, left = head - tail;
  return {bytes.get() + at, std::min(left, SIZE - at)};
}

/// Waits until `word` differs from `value`.
static void wait_while(const std::atomic<uint32_t> &word, uint32_t value) {
  const auto end = std::chrono::steady_clock::now() + LOOK_FOR;
  do
    if (word != value)
      return;
  while (std::chrono::steady_clock::now() < end);
  word.wait(value);
}

Pump::~Pump() {
  stopping = true;
  // Changes every word for which a thread may wait: it wakes up and sees
  // `stopping`.
  outgoing.fill(1);
  expected.fetch_add(1);
  expected.notify_one();
  incoming.tail.fetch_add(1);
  incoming.tail.notify_one();
  for (Thread *each : {&sender, &receiver})
    if (each->joinable())
      each->join();
}

bool Pump::start(std::function<bool()> begin) {
  auto run = [&](Thread &thread, auto work) {
    std::promise<bool> begun;
    std::future<bool> good = begun.get_future();
    return thread.start([&begun, &begin, work] {
      const bool good = begin();
      begun.set_value(good); // the last use of start()'s variables
      if (good)
        work();
    }) && good.get();
  };
  return !threads || (run(sender, [this] { send_all(); }) &&
                      run(receiver, [this] { receive_all(); }));
}

bool Pump::wait_for(short events) const {
  constexpr int LOOK_AGAIN = 20; // ms between two looks at `stopping`
  pollfd watched = {socket, events, 0};
  while (!stopping)
    if (::poll(&watched, 1, LOOK_AGAIN) > 0)
      return true;
  return false;
}

void Pump::send_all() {
  for (;;) {
    const uint32_t seen = outgoing.tail;
    wait_while(outgoing.head, seen);
    if (stopping)
      return;
    const Ring::Piece piece = outgoing.filled();
    const ssize_t sent =
        ::send(socket, piece.data, std::min(piece.size, PIECE), MSG_NOSIGNAL);
    if (sent >= 0)
      outgoing.take(size_t(sent));
    else if (errno == EAGAIN || errno == EWOULDBLOCK)
      wait_for(POLLOUT);
    else if (errno != EINTR) {
      send_error = errno;
      return;
    }
  }
}

void Pump::receive_all() {
  for (;;) {
    wait_while(expected, received);
    if (stopping)
      return;
    const Ring::Piece room = incoming.room();
    if (!room.size) {
      wait_while(incoming.tail, incoming.head - Ring::SIZE);
      continue;
    }
    const size_t most =
        std::min({room.size, PIECE, size_t(uint32_t(expected - received))});
    const ssize_t got = ::recv(socket, room.data, most, 0);
    if (got > 0) {
      incoming.fill(size_t(got));
      received.fetch_add(uint32_t(got));
    } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      wait_for(POLLIN);
    } else if (got == 0 || errno != EINTR) {
      has_ended = true; // the relay's thread finds the end itself
      received = expected.load();
      return;
    }
  }
}

ssize_t Pump::send(const char *bytes, size_t size) {
  if (const int error = send_error) {
    errno = error;
    return -1;
  }
  if (!threads || (outgoing.empty() && size < LARGE))
    return ::send(socket, bytes, size, MSG_NOSIGNAL);
  const Ring::Piece room = outgoing.room();
  if (!room.size) {
    errno = EAGAIN;
    return -1;
  }
  const size_t some = std::min(size, room.size);
  std::memcpy(room.data, bytes, some);
  outgoing.fill(some);
  return ssize_t(some);
}

ssize_t Pump::receive(char *to, size_t size) {
  // Bytes in the ring come before those in the socket. The receiver thread
  // first fills the ring and then counts the bytes in `received`, so `received`
  // must be read here before the ring.
  const bool receiver_reads = received != expected;
  const Ring::Piece piece = incoming.filled();
  if (piece.size) {
    const size_t some = std::min(size, piece.size);
    std::memcpy(to, piece.data, some);
    incoming.take(some);
    return ssize_t(some);
  }
  if (receiver_reads) {
    errno = EAGAIN;
    return -1;
  }
  return ::recv(socket, to, size, 0);
}

void Pump::expect(size_t bytes) {
  if (!threads || has_ended || bytes < LARGE || received != expected)
    return;
  expected.fetch_add(uint32_t(bytes));
  expected.notify_one();
}

void Pump::drain(std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!outgoing.empty() && !send_error &&
         std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

} // namespace gpuexec::relay
