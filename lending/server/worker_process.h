//===-- lending/server/worker_process.h - A worker, from outside ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker as its server sees it: a child process, a connection to it, and the
// client to which it lends its device.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_SERVER_WORKER_PROCESS_H
#define GPUEXEC_LENDING_SERVER_WORKER_PROCESS_H

#include "lending/server/mps.h"
#include "lending/wire/channel.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <memory>
#include <sys/types.h>

namespace gpuexec::serve {

/// The worker's descriptor of the socket to its server.
inline constexpr int WORKER_SOCKET = 3;

/// A worker that the server has started. The destructor kills the process
/// without waiting, since a driver may take long to end; reap_workers() takes
/// its status later.
class WorkerProcess {
public:
  using Clock = std::chrono::steady_clock;
  enum class State { starting, idle, lent };

  /// Starts this program once more, as a worker. It dies with this process.
  /// `service`: its programs run beside others; null: in turns with others.
  /// Errors: Failure when there are no processes or descriptors left.
  static llvm::Expected<std::unique_ptr<WorkerProcess>>
  start(std::shared_ptr<Mps> service = nullptr);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess &) = delete;

  pid_t id() const { return process; }
  int socket() const { return connection.get(); }
  template <typename T>
  bool say(const T &message, llvm::ArrayRef<int> descriptors = {}) {
    return channel.send(message, descriptors);
  }
  std::optional<wire::Message>
  receive(std::chrono::milliseconds limit = std::chrono::milliseconds(0)) {
    return channel.receive(limit);
  }
  bool has_ended() const { return !channel.has_timed_out(); }
  /// Hands the client's connection over to the worker; keeps a copy, to see
  /// when the client goes. False when the worker has ended: then the connection
  /// stays the caller's. `far`: the address of a client of another machine;
  /// empty: of this one.
  bool lend(UniqueFd &client, pid_t client_process, pid_t client_session,
            const std::string &far, bool cuda);
  void is_ready() {
    state = State::idle;
    since = Clock::now();
    client.close();
  }
  /// Kills the worker; tells its client the reason if `why` is not empty.
  void kill(llvm::StringRef why);
  /// Kills the worker, and with it all programs that run beside its own. Their
  /// clients may run them again.
  void take_back(llvm::StringRef why);

  /// Ends after the worker: the members of its process's use of it.
  const std::shared_ptr<Mps> service;
  State state = State::starting;
  bool fault_report = false;
  bool is_used_up = false;                ///< not lent again after its client
  Clock::time_point since = Clock::now(); ///< in this state
  UniqueFd client;                        ///< while lent
  bool client_has_gone = false;
  pid_t client_process = 0, client_session = 0;
  uint8_t suspicion = 0;      ///< of the client's program (wire::Borrow)
  std::string client_address; ///< of another machine; empty: of this one

private:
  WorkerProcess(std::shared_ptr<Mps> service, pid_t process, UniqueFd handle,
                UniqueFd socket)
      : service(std::move(service)), process(process),
        handle(std::move(handle)), connection(std::move(socket)),
        channel(connection.get()) {}
  void send_kill();
  const pid_t process;
  const UniqueFd handle; ///< pidfd: the number may be reused later
  UniqueFd connection;
  wire::Channel channel;
};

/// Takes the status of workers that have ended. Never waits.
void reap_workers();

} // namespace gpuexec::serve

#endif
