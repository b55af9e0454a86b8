//===-- lending/server/status.cpp - What --status prints ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/server.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

namespace gpuexec::serve {

static const char *name_of(WorkerProcess::State state) {
  switch (state) {
  case WorkerProcess::State::starting:
    return "starting";
  case WorkerProcess::State::idle:
    return "idle";
  case WorkerProcess::State::lent:
    return "lent";
  }
  return "";
}

std::string Server::status() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  const Clock::time_point now = Clock::now();
  auto seconds = [&](Clock::time_point since) {
    return std::chrono::duration<double>(now - since).count();
  };
  out << llvm::formatv(
      "process {0}, for {1:f0} s; {2} programs served, {3} waiting\n",
      ::getpid(), seconds(begun), leases,
      llvm::count_if(clients, [](auto &client) { return client.wish; }));
  for (const std::string &name : network.names())
    out << "listens at " << name << "\n";
  if (turned_away)
    out << "turned away " << turned_away
        << " connections of other machines, which had no key or said nothing\n";
  for (auto &pool : pools) {
    out << llvm::formatv("{0}: {1} ({2}), {3} of {4} workers\n",
                         pool->info.spec(), pool->info.name,
                         pool->info.target_id, pool->count_of(false),
                         pool->most);
    if (settings.together > 1)
      out << llvm::formatv(
          "  and {0} of {1} workers for programs side by side, "
          "of which {2} run now\n",
          pool->count_of(true), pool->most_shared, pool->lent_together());
    if (pool->failures)
      out << "  failed " << pool->failures
          << " times, last: " << pool->why_failed << "\n";
    for (auto &worker : pool->workers) {
      out << llvm::formatv("  worker {0}: {1} for {2:f1} s", worker->id(),
                           name_of(worker->state), seconds(worker->since));
      if (worker->state == WorkerProcess::State::lent)
        out << ", to "
            << (worker->client_address.empty()
                    ? "process " + std::to_string(worker->client_process)
                    : worker->client_address);
      if (worker->service)
        out << ", side by side";
      out << (worker->fault_report ? ", reports faults\n" : "\n");
    }
  }
  return text;
}

} // namespace gpuexec::serve
