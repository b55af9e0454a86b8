//===-- rpc/server/outcome.cpp - How a program ends -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/outcome.h"

using namespace gpuexec::rpc;

std::optional<Outcome> OutcomeRecord::get() const {
  std::lock_guard lock(mutex);
  return first;
}

void OutcomeRecord::finish(Outcome outcome) {
  {
    std::lock_guard lock(mutex);
    if (first)
      return;
    first = std::move(outcome);
    is_set.store(true, std::memory_order_release);
  }
  if (notifier)
    notifier();
}

void OutcomeRecord::output_was_lost(const std::string &message) {
  std::lock_guard lock(mutex);
  if (first && (first->kind != Outcome::Kind::exit || first->status != 0))
    return;
  first = {Outcome::Kind::error, 0,
           program_name.empty() ? message : program_name + ": " + message};
  is_set.store(true, std::memory_order_release);
}
