//===-- lending/server/pool.cpp - The workers of one device ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/pool.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace gpuexec::serve {

/// How long idle workers are kept that are more than the spare ones: programs
/// come in bursts.
static constexpr std::chrono::seconds IDLE_TIMEOUT(30);

size_t Pool::count(WorkerProcess::State state) const {
  return size_t(llvm::count_if(
      workers, [&](auto &worker) { return worker->state == state; }));
}

static bool is_of(const WorkerProcess &worker, Pool::Kind kind) {
  return worker.fault_report == kind.fault_report &&
         bool(worker.service) == kind.shared &&
         !(worker.service && (worker.service->has_faulted ||
                              worker.service->suspicion != kind.suspicion));
}

size_t Pool::count_of(Kind kind,
                      std::optional<WorkerProcess::State> state) const {
  return size_t(llvm::count_if(workers, [&](auto &worker) {
    return is_of(*worker, kind) && (!state || worker->state == *state);
  }));
}

std::shared_ptr<Mps> Pool::service_for(Kind kind) const {
  std::map<std::shared_ptr<Mps>, unsigned> uses;
  for (auto &worker : workers)
    if (kind.shared && is_of(*worker, kind))
      ++uses[worker->service];
  for (auto &[service, count] : uses)
    if (count < service->most)
      return service;
  return nullptr;
}

size_t Pool::count_of(bool shared) const {
  return size_t(llvm::count_if(workers, [&](auto &worker) {
    return bool(worker->service) == shared &&
           !(shared && worker->service->has_faulted);
  }));
}

size_t Pool::lent_together() const {
  return size_t(llvm::count_if(workers, [](auto &worker) {
    return worker->service && worker->state == WorkerProcess::State::lent;
  }));
}

void Pool::retire_faulted() {
  llvm::erase_if(workers, [](auto &worker) {
    return worker->service && worker->service->has_faulted &&
           worker->state != WorkerProcess::State::lent;
  });
}

WorkerProcess *Pool::idle(Kind kind) const {
  // The worker that was used last: its memory is in the caches, and the others
  // stay idle until retire_long_idle() ends them.
  WorkerProcess *best = nullptr;
  for (auto &worker : workers)
    if (worker->state == WorkerProcess::State::idle && is_of(*worker, kind) &&
        (!best || worker->since > best->since))
      best = worker.get();
  return best;
}

size_t Pool::lent_since(Clock::time_point then) const {
  return size_t(llvm::count_if(workers, [&](auto &worker) {
    return worker->state == WorkerProcess::State::lent &&
           !worker->client_has_gone && worker->since > then;
  }));
}

bool Pool::retire_idle(bool shared) {
  for (auto worker = workers.begin(); worker != workers.end(); ++worker)
    if ((*worker)->state == WorkerProcess::State::idle &&
        bool((*worker)->service) == shared) {
      workers.erase(worker);
      return true;
    }
  return false;
}

void Pool::retire_long_idle(size_t spare) {
  size_t idle = count(WorkerProcess::State::idle);
  const Clock::time_point now = Clock::now();
  llvm::erase_if(workers, [&](std::unique_ptr<WorkerProcess> &worker) {
    if (idle <= spare || worker->state != WorkerProcess::State::idle ||
        now - worker->since < IDLE_TIMEOUT)
      return false;
    --idle;
    return true;
  });
}

void Pool::remove(const WorkerProcess &gone) {
  llvm::erase_if(workers, [&](auto &worker) { return worker.get() == &gone; });
}

void Pool::has_failed(std::string why) {
  why_failed = std::move(why);
  has_said_why = true;
  try_later(std::chrono::milliseconds(500));
}

void Pool::has_lost_worker() {
  // Workers that are killed together count as one failure.
  if (failures && !may_start(Clock::now()))
    return;
  why_failed = "its worker has ended by itself";
  has_said_why = false;
  try_later(std::chrono::milliseconds(50));
}

/// The next worker may start after `first`; this time doubles with each
/// failure, up to half a minute.
void Pool::try_later(std::chrono::milliseconds first) {
  constexpr std::chrono::milliseconds LONGEST(30000);
  retry =
      Clock::now() + std::min(LONGEST, first * (1 << std::min(failures, 9u)));
  ++failures;
}

} // namespace gpuexec::serve
