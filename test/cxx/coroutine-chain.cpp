// Coroutines that go on in each other, in a program without exceptions: the call of the other coroutine had to be a tail call, which LLVM
// cannot make of a call through a pointer for a GPU.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' '--flags=-std=c++20 -fno-exceptions'
#include <coroutine>
#include <cstdio>
struct Task {
  struct promise_type {
    std::coroutine_handle<> next;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept { return h.promise().next ? h.promise().next : std::noop_coroutine(); }
      void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) { handle.promise().next = h; return handle; }
  void await_resume() {}
};
Task leaf(int i) { std::printf("leaf %d\n", i); co_return; }
Task root() { for (int i = 0; i < 3; ++i) co_await leaf(i); }
int main() { Task t = root(); t.handle.resume(); std::printf("%d\n", t.handle.done()); }
