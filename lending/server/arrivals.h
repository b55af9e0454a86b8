//===-- lending/server/arrivals.h - Who has just connected ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connections of other machines before they have a relay, which is a process.
// A connection that says nothing, or ends, costs a descriptor and no process,
// and one machine's connections make room for each other before they cost
// another machine anything.
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
    bool has_spoken = false;
  };
  /// Of all machines, and of one.
  static constexpr size_t MOST = 256, MOST_OF_HOST = 64;
  /// How long a connection may say nothing, or wait for a relay.
  static constexpr std::chrono::seconds TIMEOUT{10};

  void add(UniqueFd connection, std::string address, Clock::time_point now);
  /// Adds what poll() is to watch: those that have said nothing yet.
  void watch(std::vector<pollfd> &watched) const;
  /// Finds out who has spoken, and forgets who has gone or takes too long.
  void look(Clock::time_point now);
  /// Does any wait for a relay?
  bool any_has_spoken() const;
  /// The first that has spoken and of whose machine `may_start` says that it
  /// may have a relay now.
  std::optional<Arrival>
  take(llvm::function_ref<bool(llvm::StringRef host)> may_start);
  void clear() { all.clear(); }
  size_t size() const { return all.size(); }
  /// How many were forgotten since the last call.
  uint64_t count_forgotten() { return std::exchange(forgotten, 0); }

private:
  void make_room(llvm::StringRef host);

  std::list<Arrival> all; ///< the oldest first
  uint64_t forgotten = 0;
};

} // namespace gpuexec::serve

#endif
