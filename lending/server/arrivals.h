//===-- lending/server/arrivals.h - Who has just connected ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connections of other machines that have no relay yet; a relay is a process. A
// connection gets one only after it has sent something: until then it costs a
// descriptor and no process. A machine with MOST_OF_HOST connections gets a new
// one only in place of one of its own.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_ARRIVALS_H
#define GPUEXEC_LENDING_SERVER_ARRIVALS_H

#include "support/descriptor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <list>
#include <optional>
#include <poll.h>
#include <string>
#include <utility>
#include <vector>

namespace gpuexec::serve {

/// The machine of a connection's address: tcp://HOST of tcp://HOST:PORT.
llvm::StringRef host_of(llvm::StringRef address);

class Arrivals {
public:
  using Clock = std::chrono::steady_clock;
  struct Arrival {
    UniqueFd connection;
    std::string address;
    Clock::time_point since;
    bool has_spoken = false; ///< has sent something
  };
  /// The most connections of all machines together, and of one machine.
  static constexpr size_t MOST = 256, MOST_OF_HOST = 64;
  /// How long a connection may send nothing, or wait for a relay.
  static constexpr std::chrono::seconds TIMEOUT{10};

  /// Adds a connection. If there are too many, closes another one.
  void add(UniqueFd connection, std::string address, Clock::time_point now);
  /// Adds to `watched` the connections that have sent nothing yet.
  void watch(std::vector<pollfd> &watched) const;
  /// Notes which connections have sent something; closes those that have ended
  /// or are older than TIMEOUT.
  void look(Clock::time_point now);
  /// True when a connection waits for a relay.
  bool any_has_spoken() const;
  /// Takes out the oldest connection that has sent something and whose machine
  /// may have a relay now, as `may_start` tells.
  std::optional<Arrival>
  take(llvm::function_ref<bool(llvm::StringRef host)> may_start);
  void clear() { all.clear(); }
  size_t size() const { return all.size(); }
  /// How many connections add() and look() have closed since the last call.
  uint64_t count_forgotten() { return std::exchange(forgotten, 0); }

private:
  void make_room(llvm::StringRef host);

  std::list<Arrival> all; ///< the oldest first
  uint64_t forgotten = 0;
};

} // namespace gpuexec::serve

#endif
