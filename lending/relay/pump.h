//===-- lending/relay/pump.h - A socket and two threads ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel copies the bytes that go through a socket, which takes as long as
// encrypting them. So two threads of the pump send and receive large amounts
// while the relay's thread encrypts and decrypts; a ring buffer connects each
// of them to the relay's thread. That thread sends and receives small amounts
// itself: no other thread has to wake up for them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_RELAY_PUMP_H
#define GPUEXEC_LENDING_RELAY_PUMP_H

#include "support/thread.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <sys/types.h>

namespace gpuexec::relay {

/// A ring buffer that one thread fills and another one empties.
class Ring {
public:
  static constexpr uint32_t SIZE = 1u << 20;
  Ring() : bytes(new char[SIZE]) {}
  /// The largest contiguous piece that the writer may fill, or the reader may
  /// take; `size` 0: there is none.
  struct Piece {
    char *data;
    size_t size;
  };
  Piece room() const;
  Piece filled() const;
  void fill(size_t size) { head.fetch_add(uint32_t(size)), head.notify_one(); }
  void take(size_t size) { tail.fetch_add(uint32_t(size)), tail.notify_one(); }
  bool empty() const { return head == tail; }

private:
  friend class Pump;
  std::unique_ptr<char[]> bytes;
  // How many bytes were filled and taken since the beginning; may wrap around.
  alignas(64) std::atomic<uint32_t> head = 0;
  alignas(64) std::atomic<uint32_t> tail = 0;
};

/// Sends and receives through a non-blocking stream socket, which stays the
/// caller's. One thread calls all functions: the relay's.
class Pump {
public:
  /// Without threads the caller itself sends and receives everything.
  Pump(int socket, bool has_threads) : socket(socket), threads(has_threads) {}
  ~Pump();
  Pump(const Pump &) = delete;

  /// Starts the threads, each of which calls `begin` first. False when a thread
  /// cannot be started or `begin` has returned false: the pump cannot be used
  /// then.
  bool start(std::function<bool()> begin);

  /// Return as send() and recv() do: the number of bytes, 0 at the end, or -1
  /// with errno, which may be EAGAIN.
  ssize_t send(const char *bytes, size_t size);
  ssize_t receive(char *to, size_t size);
  /// Tells that at least `bytes` more bytes will arrive: if these are many, the
  /// receiver thread takes them from the socket.
  void expect(size_t bytes);
  /// True while the receiver thread takes the socket's input, or has taken some
  /// that receive() has not returned: poll() on the socket does not tell of it.
  bool is_ahead() const { return received != expected || !incoming.empty(); }
  bool has_threads() const { return threads; }
  /// Waits until the sender thread has sent everything, at most for `limit`.
  void drain(std::chrono::milliseconds limit);

private:
  void send_all();
  void receive_all();
  bool wait_for(short events) const;

  const int socket;
  const bool threads;
  Thread sender, receiver;
  std::atomic<bool> stopping = false;
  Ring outgoing, incoming;
  std::atomic<int> send_error = 0; ///< errno that ended the sender; 0: none
  /// How many bytes the receiver thread may take from the socket, and has
  /// taken, since the beginning. While the two differ, only that thread reads.
  std::atomic<uint32_t> expected = 0, received = 0;
  std::atomic<bool> has_ended = false; ///< the receiver thread
};

} // namespace gpuexec::relay

#endif
