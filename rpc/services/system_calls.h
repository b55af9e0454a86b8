//===-- rpc/services/system_calls.h - Functions of SYSTEM_CALL --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RPC_SERVE_SYSTEM_CALL(NAME, FUNCTION) makes FUNCTION the service of
// RPC_CALL_##NAME (rpc/protocol/system_calls.def). A function has one of these
// forms; the second may wait:
//
//     SystemResult f(Services &, const SystemCall &)
//     Task<SystemResult> f(Services &, Port &, const SystemCall &)
//
// It is called for each lane, in lane order. Everything in the call is the
// device's: a function checks it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_SYSTEM_CALLS_H
#define GPUEXEC_RPC_SERVICES_SYSTEM_CALLS_H

#include "rpc/services/serve.h"

namespace gpuexec::rpc {

/// What one lane sends.
struct SystemCall {
  std::string input;
  uint64_t a, b, c, d, e;

  /// The input as a T; none when it has another size.
  template <typename T> std::optional<T> input_as() const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (input.size() != sizeof(T))
      return std::nullopt;
    T value;
    memcpy(&value, input.data(), sizeof value);
    return value;
  }
};

/// What it gets: the result, two more words and the output.
struct SystemResult : ResultWords<2> {
  std::string bytes;
  SystemResult() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): `return Result::failure(…);`
  SystemResult(Result result, std::string output = {})
      : ResultWords<2>(result), bytes(std::move(output)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  SystemResult(ResultWords<2> result, std::string output = {})
      : ResultWords<2>(result), bytes(std::move(output)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): `return 0;`
  SystemResult(int64_t value) : SystemResult(Result(value)) {}

  /// 0, or a failure when a system call returned -1.
  static SystemResult of_call(long result) {
    return result < 0 ? SystemResult(Result::failure(errno))
                      : SystemResult(int64_t(result));
  }
};

/// The bytes of an object, for a call's output.
template <typename T> std::string bytes_of(const T &object) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char *>(&object), sizeof object};
}

/// The deadline in the words c, d and e of a call that waits.
class CallDeadline {
public:
  CallDeadline(const Services &services, const SystemCall &call)
      : wait(services.signals), given(call.c != 0), s(int64_t(call.d)),
        ns(int64_t(call.e)),
        slice_end(Poller::Clock::now() +
                  std::chrono::milliseconds(RPC_WAIT_SLICE_MS)) {}
  /// What the call answers while its object is not ready: EINVAL (no time),
  /// ETIMEDOUT or ERESTART. 0: it waits.
  int refusal() const;
  /// When to look again: at the deadline, after the slice, or after `step`.
  Poller::Clock::time_point
  next(std::chrono::milliseconds step = std::chrono::milliseconds::max()) const;

private:
  std::chrono::nanoseconds left() const;
  ProgramSignals::Wait wait;
  bool given;
  int64_t s, ns;
  Poller::Clock::time_point slice_end;
};

/// One of the two is set.
struct SystemCallService {
  SystemResult (*serve)(Services &, const SystemCall &) = nullptr;
  Task<SystemResult> (*wait)(Services &, Port &, const SystemCall &) = nullptr;

  constexpr explicit SystemCallService(decltype(serve) function)
      : serve(function) {}
  constexpr explicit SystemCallService(decltype(wait) function)
      : wait(function) {}
};

// Every call has a service; one that is missing does not link.
#define RPC_SYSTEM_CALL_NAME(NAME, NUMBER, SANDBOX)                            \
  extern const SystemCallService SYSTEM_CALL_##NAME;
#include "rpc/protocol/system_calls.def"

#define RPC_SERVE_SYSTEM_CALL(NAME, ...)                                       \
  constexpr gpuexec::rpc::SystemCallService gpuexec::rpc::SYSTEM_CALL_##NAME(  \
      __VA_ARGS__);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_SYSTEM_CALLS_H
