//===-- lending/server/server.h - Keeps devices open and lends them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One process, one thread: it listens on a socket, starts workers, and hands
// each client's connection to a worker that is idle. It opens no driver, so
// nothing that a program does on a device touches it. Everything that clients
// say is read without waiting.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_SERVER_H
#define GPUEXEC_LENDING_SERVER_SERVER_H

#include "lending/server/client.h"
#include "lending/server/listener.h"
#include "lending/server/network.h"
#include "lending/server/pool.h"
#include "lending/server/settings.h"
#include <functional>
#include <list>
#include <map>

namespace gpuexec::serve {

class Server {
public:
  using Clock = WorkerProcess::Clock;

  /// `listener` and `network`: the sockets for clients of this machine and of
  /// others, closed when the server takes no more clients; `signals`: where
  /// signals that end the server can be read, an int each. `ready` is called
  /// once, when every device has a worker or has failed.
  Server(const Settings &settings, Listener listener, Network network,
         int signals, std::function<void()> ready);
  /// Finds the devices. Errors: Failure when there are none.
  llvm::Error find_devices();
  /// Serves until it is told to end. Errors: Failure when all devices fail
  /// before the first client.
  llvm::Error run();

  const std::vector<DeviceInfo> &devices() const { return lent_devices; }

private:
  using Clients = std::list<Client>;

  int poll_timeout();
  void wait_for_events();
  void accept_clients();
  void start_relays();
  /// True when one more connection of this machine may have a relay. If there
  /// are too many strangers, connections of other machines that have not asked
  /// for a device yet, an old one is closed to make room.
  bool make_room_for(llvm::StringRef host);
  void greet(Client &client);
  void take_signal();
  /// False when the client is to be forgotten.
  bool listen_to(Client &client);
  llvm::Error take_wish(Client &client, llvm::StringRef body);
  void listen_to_workers();
  bool goes_on(Pool &pool, WorkerProcess &worker, bool &found_culprit);
  void acquit(Pool &pool);
  bool is_acquitted(const wire::Borrow &wish) const;
  Pool::Kind kind_for(const wire::Borrow &wish) const;
  void hand_out();
  Clients::iterator next_in_line();
  WorkerProcess *idle_worker_for(const Client &client);
  void start_worker_for(const Client &client);
  void keep_spares();
  bool start_worker(Pool &pool, Pool::Kind kind);
  void end_overdue_leases();
  void refuse(Client &client, llvm::StringRef why);
  void begin_to_end(bool at_once);
  bool has_ended() const;
  bool lends_nothing() const;
  /// True when a client waits for a device.
  bool any_waits() const;
  bool all_have_failed() const;
  unsigned leases_of(pid_t session) const;
  std::string status() const;

  const Settings &settings;
  Listener listener;
  Network network;
  const int signals;
  std::function<void()> ready; ///< empty once it was called
  std::vector<DeviceInfo> lent_devices;
  std::string greeting;                     ///< the body of wire::Greeting
  std::vector<std::unique_ptr<Pool>> pools; ///< as lent_devices
  Clients clients;                          ///< that have no device
  const Clock::time_point begun = Clock::now();
  Clock::time_point last_used = Clock::now();
  bool ending = false;
  uint64_t leases = 0;
  uint64_t turned_away = 0;    ///< connections of other machines
  bool may_start_more = false; ///< start_relays() has reached its limit
};

} // namespace gpuexec::serve

#endif
