//===-- loader/serve/pool.cpp - The workers of one device -----------------===//
#include "loader/serve/pool.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuexec::serve {

/// Workers above the number to spare are kept for so long: the next burst of
/// programs comes soon.
static constexpr std::chrono::seconds IDLE_PATIENCE(30);

size_t Pool::count(WorkerProcess::State state) const {
  return size_t(llvm::count_if(
      workers, [&](auto &worker) { return worker->state == state; }));
}

size_t Pool::starting(bool fault_report) const {
  return size_t(llvm::count_if(workers, [&](auto &worker) {
    return worker->state == WorkerProcess::State::starting &&
           worker->fault_report == fault_report;
  }));
}

WorkerProcess *Pool::idle(bool fault_report) const {
  // The one that was used last: its memory is in the caches, and the others
  // become old enough to be ended.
  WorkerProcess *best = nullptr;
  for (auto &worker : workers)
    if (worker->state == WorkerProcess::State::idle &&
        worker->fault_report == fault_report &&
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

bool Pool::retire_idle() {
  for (auto worker = workers.begin(); worker != workers.end(); ++worker)
    if ((*worker)->state == WorkerProcess::State::idle) {
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
        now - worker->since < IDLE_PATIENCE)
      return false;
    --idle;
    return true;
  });
}

void Pool::has_failed(std::string why) {
  why_failed = std::move(why);
  ++failures;
  // Twice as long after each failure, from half a second to half a minute.
  constexpr std::chrono::milliseconds FIRST(500);
  retry = Clock::now() + FIRST * (1 << std::min(failures - 1, 6u));
}

} // namespace gpuexec::serve
