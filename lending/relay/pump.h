//===-- lending/relay/pump.h - A socket and two threads ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel copies what goes through a socket, and that takes as long as
// encrypting it. While large amounts go over, threads of their own send and
// receive, through memory between them and the thread that has TLS. Small
// amounts go straight through: no thread has to wake up for them.
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

/// Bytes from one thread to another one, in order.
class Ring {
public:
  static constexpr uint32_t SIZE = 1u << 20;
  Ring() : bytes(new char[SIZE]) {}
  /// The largest piece without a gap that the writer may fill, or the reader
  /// may take; `size` 0: there is none.
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
  // They count all bytes, and wrap around.
  alignas(64) std::atomic<uint32_t> head = 0;
  alignas(64) std::atomic<uint32_t> tail = 0;
};

/// Of a non-blocking stream socket, which stays the caller's. All functions are
/// for one thread.
class Pump {
public:
  /// Without threads everything goes straight through.
  Pump(int socket, bool has_threads) : socket(socket), threads(has_threads) {}
  ~Pump();
  Pump(const Pump &) = delete;

  /// Starts its threads, which call `begin` first. False: there are none to be
  /// had, or `begin` has failed, and the pump is of no use.
  bool start(std::function<bool()> begin);

  /// As send() and recv(): how many bytes, 0 at the end, or -1 with errno,
  /// EAGAIN too.
  ssize_t send(const char *bytes, size_t size);
  ssize_t receive(char *to, size_t size);
  /// So many bytes more, at least, will come.
  void expect(size_t bytes);
  /// What comes is received by the other thread: the socket does not tell.
  bool is_ahead() const { return received != expected || !incoming.empty(); }
  bool has_threads() const { return threads; }
  /// Waits until all has been sent, or the time is over.
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
  std::atomic<int> send_error = 0; ///< errno of the sender's, which has ended
  /// Bytes that the receiver may take from the socket, and has taken. While
  /// they differ the socket's input is its own.
  std::atomic<uint32_t> expected = 0, received = 0;
  std::atomic<bool> has_ended = false; ///< the receiver
};

} // namespace gpuexec::relay

#endif
