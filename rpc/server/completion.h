//===-- rpc/server/completion.h - Requests that end elsewhere ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `co_await CompletionWait(port, completion);` suspends a service until a
// thread outside the server calls complete(). No thread waits meanwhile.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_COMPLETION_H
#define GPUEXEC_RPC_SERVER_COMPLETION_H

#include "rpc/server/waits.h"
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

namespace gpuexec::rpc {

/// The completion of a request by another thread. That thread shares ownership,
/// because the request may be destroyed before complete() returns.
class Completion {
public:
  /// Ends the wait with `result`. From any thread, also before the service
  /// waits. Only the first call counts.
  void complete(int result);
  /// The result that complete() was given; none before.
  std::optional<int> result();
  /// For a request that is dropped: its service will not be resumed. Waits
  /// until complete() has been called.
  void abandon();

private:
  friend class CompletionWait;
  void continue_with(ExternalWait &wait);

  std::mutex mutex;
  std::condition_variable completed;
  std::optional<int> value;
  ExternalWait *wait = nullptr;
};

class CompletionWait : public ExternalWait {
public:
  CompletionWait(Port &port, std::shared_ptr<Completion> completion)
      : ExternalWait(port), completion(std::move(completion)) {}
  void await_suspend(std::coroutine_handle<> handle);

private:
  std::shared_ptr<Completion> completion;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_COMPLETION_H
