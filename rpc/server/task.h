//===-- rpc/server/task.h - Services as coroutines --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A service that waits for a packet, a lock or a file holds no thread: a wave
// that never answers costs the coroutine's frame and nothing else. A Task starts
// when it is awaited, or resumed by PortTable. Destroying it destroys the frame
// at whatever point the coroutine is suspended.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_TASK_H
#define GPUEXEC_RPC_SERVER_TASK_H

#include <coroutine>
#include <cstdlib>
#include <optional>
#include <utility>

namespace gpuexec::rpc {

template <typename T> class Task;

namespace detail {
struct PromiseBase {
  std::coroutine_handle<> continuation = std::noop_coroutine();
  std::suspend_always initial_suspend() noexcept { return {}; }
  struct Final {
    bool await_ready() noexcept { return false; }
    template <typename P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
      return h.promise().continuation;
    }
    void await_resume() noexcept {}
  };
  Final final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { std::abort(); }
};
template <typename T> struct Promise : PromiseBase {
  std::optional<T> value;
  Task<T> get_return_object();
  template <typename U> void return_value(U &&v) {
    value.emplace(std::forward<U>(v));
  }
  T take() { return std::move(*value); }
};
template <> struct Promise<void> : PromiseBase {
  Task<void> get_return_object();
  void return_void() {}
  void take() {}
};
} // namespace detail

template <typename T = void> class [[nodiscard]] Task {
public:
  using promise_type = detail::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task() = default;
  explicit Task(Handle handle) : handle(handle) {}
  Task(Task &&other) noexcept : handle(std::exchange(other.handle, {})) {}
  Task &operator=(Task &&other) noexcept {
    if (this != &other) {
      reset();
      handle = std::exchange(other.handle, {});
    }
    return *this;
  }
  ~Task() { reset(); }

  explicit operator bool() const { return bool(handle); }
  bool done() const { return handle.done(); }
  /// The coroutine, for a caller that resumes the task instead of awaiting it.
  std::coroutine_handle<> coroutine() const { return handle; }
  void reset() {
    if (handle)
      std::exchange(handle, {}).destroy();
  }

  // As an awaitable: runs until it is done, then the awaiter goes on.
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> next) noexcept {
    handle.promise().continuation = next;
    return handle;
  }
  T await_resume() { return handle.promise().take(); }

private:
  Handle handle;
};

template <typename T> Task<T> detail::Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}
inline Task<void> detail::Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_TASK_H
