//===-- rpc/server/completion.h - Requests that end elsewhere ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `co_await CompletionWait(port, completion);`: until a thread that is none of
// the server's says that the request is done. No thread waits meanwhile.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_COMPLETION_H
#define GPUEXEC_RPC_SERVER_COMPLETION_H

#include "rpc/server/waits.h"
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

namespace gpuexec::rpc {

/// Whoever completes a request holds this, too: the request may be gone before
/// complete() returns.
class Completion {
public:
  /// From any thread, also before anybody waits. Only the first call counts.
  void complete(int result);
  /// What complete() said; none: not yet.
  std::optional<int> result();
  /// The request is dropped: nothing continues, and this returns when it is
  /// complete.
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
