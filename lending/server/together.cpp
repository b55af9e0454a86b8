//===-- lending/server/together.cpp - Programs side by side ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which programs run beside others on a GPU (mps.h), and what becomes of those
// that ran when one of them has faulted.
//===----------------------------------------------------------------------===//
#include "lending/server/server.h"
#include <cmath>

namespace gpuexec::serve {

/// Programs with this suspicion (wire::Borrow) and more run alone.
static constexpr uint8_t MOST_SUSPICION = 2;
/// A program that a fault has ended asks for another device within this time.
static constexpr std::chrono::seconds COMES_BACK(1);

/// A program that nobody trusts, or that no other is to end, runs in turns with
/// others. So does one that reports faults, which MPS does not support. N
/// programs of which one has faulted run again in groups of about the square
/// root of N, and those of the group that faults again run alone: starting
/// workers takes longest, and this needs few, and twice only.
Pool::Kind Server::kind_for(const wire::Borrow &wish) const {
  if (wish.fault_report || wish.isolate || wish.cuda ||
      wish.suspicion >= MOST_SUSPICION)
    return {wish.fault_report};
  const unsigned most = wish.suspicion
                            ? unsigned(std::sqrt(settings.together) + 0.5)
                            : settings.together;
  return most > 1 ? Pool::Kind{false, true, wish.suspicion, most}
                  : Pool::Kind{};
}

bool Server::start_worker(Pool &pool, Pool::Kind kind) {
  auto has_failed = [&](llvm::Error error) {
    pool.has_failed(llvm::toString(std::move(error)));
    return false;
  };
  std::shared_ptr<Mps> service = pool.service_for(kind);
  if (kind.shared && !service) {
    llvm::Expected<std::shared_ptr<Mps>> started =
        Mps::start(kind.most, kind.suspicion);
    if (!started)
      return has_failed(started.takeError());
    service = std::move(*started);
  }
  llvm::Expected<std::unique_ptr<WorkerProcess>> worker =
      WorkerProcess::start(service);
  if (!worker)
    return has_failed(worker.takeError());
  (*worker)->fault_report = kind.fault_report;
  const wire::OpenDevice request{pool.info.backend, pool.info.index,
                                 kind.fault_report, settings.memory_limit,
                                 kind.shared};
  if (service)
    (*worker)->say(request, {service->context()});
  else
    (*worker)->say(request);
  pool.workers.push_back(std::move(*worker));
  return true;
}

/// The program is known whose fault has ended others: those run again side by
/// side with any, since services and processes that run in turns take time of
/// each other.
void Server::acquit(Pool &pool) {
  pool.last_culprit = Clock::now();
  for (auto &worker : pool.workers)
    if (worker->state == WorkerProcess::State::lent &&
        wire::is_suspect(worker->suspicion)) {
      worker->take_back("another program has faulted");
      if (worker->service)
        worker->service->has_faulted = true;
    }
  for (Client &client : clients)
    if (client.wish && wire::is_suspect(client.wish->suspicion) &&
        pools[client.wish->devices.front()].get() == &pool)
      client.wish->suspicion = 0;
}

/// Whether the program was under suspicion when a culprit was found, and comes
/// back only now.
bool Server::is_acquitted(const wire::Borrow &wish) const {
  if (wish.devices.empty() || !wire::is_suspect(wish.suspicion))
    return false;
  const Pool &pool = *pools[wish.devices.front()];
  return pool.last_culprit > pool.last_fault &&
         Clock::now() - pool.last_culprit < COMES_BACK;
}

} // namespace gpuexec::serve
