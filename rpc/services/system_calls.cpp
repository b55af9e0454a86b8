//===-- rpc/services/system_calls.cpp - SYSTEM_CALL finds its function ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/system_calls.h"

using namespace gpuexec::rpc;

//===-- Waiting -----------------------------------------------------------===//

std::chrono::nanoseconds CallDeadline::left() const {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  constexpr int64_t MOST = 1000000; // more seconds than a slice has
  const int64_t seconds = std::clamp(s, now.tv_sec - MOST, now.tv_sec + MOST);
  return std::chrono::seconds(seconds - now.tv_sec) +
         std::chrono::nanoseconds(ns - now.tv_nsec);
}

int CallDeadline::refusal() const {
  if (given && (s < 0 || ns < 0 || ns >= 1000000000))
    return EINVAL;
  if (given && left().count() <= 0)
    return ETIMEDOUT;
  return wait.is_over() || Poller::Clock::now() >= slice_end ? ERESTART : 0;
}

Poller::Clock::time_point
CallDeadline::next(std::chrono::milliseconds step) const {
  const auto now = Poller::Clock::now();
  auto when = slice_end;
  if (step < slice_end - now)
    when = now + step;
  return given ? std::min(when, now + left()) : when;
}

//===-- Dispatch ----------------------------------------------------------===//

namespace {

// The rules of system_calls.def.
constexpr bool ALLOWED = true, REFUSED = false;

struct Entry {
  uint64_t number;
  ShortText<23> name;
  bool in_sandbox;
  const SystemCallService &service;
};
const Entry CALLS[] = {
#define RPC_SYSTEM_CALL_NAME(NAME, NUMBER, SANDBOX)                            \
  {NUMBER, std::string_view(#NAME), SANDBOX, SYSTEM_CALL_##NAME},
#include "rpc/protocol/system_calls.def"
};

Task<SystemResult> serve_call(Services &services, Port &port, Bytes input,
                              uint64_t number, uint64_t a, uint64_t b,
                              uint64_t c, uint64_t d, uint64_t e) {
  const Entry *entry = llvm::find_if(
      CALLS, [&](const Entry &each) { return each.number == number; });
  if (entry == std::end(CALLS))
    co_return Result::failure(ENOSYS);
  if (port.is_traced())
    port.trace_arguments +=
        ",\"name\":\"" + std::string(std::string_view(entry->name)) + '"';
  if (services.files.sandboxed() && !entry->in_sandbox)
    co_return Result::failure(EPERM);
  const SystemCall call = {std::move(input), a, b, c, d, e};
  if (entry->service.serve)
    co_return entry->service.serve(services, call);
  co_return co_await entry->service.wait(services, port, call);
}

} // namespace

RPC_SERVE(SYSTEM_CALL, serve_call)
