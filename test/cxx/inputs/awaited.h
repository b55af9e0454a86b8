//===-- test/cxx/inputs/awaited.h - Coroutines that others await -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The promise of a coroutine that another one awaits: its result, and who continues when it ends.
//===----------------------------------------------------------------------===//
#include <coroutine>
#include <exception>

template <class Task> struct AwaitedPromise {
  int result = 0;
  std::coroutine_handle<> waiting;
  Task get_return_object() { return {std::coroutine_handle<AwaitedPromise>::from_promise(*this)}; }
  std::suspend_always initial_suspend() { return {}; }
  struct Back {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<AwaitedPromise> ended) noexcept {
      return ended.promise().waiting ? ended.promise().waiting : std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };
  Back final_suspend() noexcept { return {}; }
  void return_value(int value) { result = value; }
  void unhandled_exception() { std::terminate(); }
};
