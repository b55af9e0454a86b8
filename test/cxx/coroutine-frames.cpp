// Frames of coroutines that LLVM could put on a stack: of one that never waits, of one whose whole life a function sees, and of one that
// another coroutine awaits.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --flags=-std=c++20
#include "inputs/awaited.h"
#include <coroutine>
#include <cstdio>

struct Immediate {
  struct promise_type {
    int value = 0;
    Immediate get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_value(int result) { printf("returns %d\n", result); }
    void unhandled_exception() const noexcept {}
  };
  std::coroutine_handle<promise_type> handle;
};
static Immediate immediate(int value) {
  char text[16];
  snprintf(text, sizeof text, "<%d>", value);
  printf("%s ", text);
  co_return value + 1;
}

struct [[clang::coro_await_elidable]] Task {
  using promise_type = AwaitedPromise<Task>;
  std::coroutine_handle<promise_type> handle;
  Task(std::coroutine_handle<promise_type> of) : handle(of) {}
  Task(const Task &) = delete;
  ~Task() { handle.destroy(); }
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> from) {
    handle.promise().waiting = from;
    return handle;
  }
  int await_resume() { return handle.promise().result; }
};
static Task square(int value) {
  int copy[4] = {value, value, 0, 0};
  copy[2] = copy[0] * copy[1];
  co_return copy[2];
}
static Task squares(int count) {
  int sum = 0;
  for (int i = 1; i <= count; ++i)
    sum += co_await square(i);
  co_return sum;
}

int main(int argc, char **) {
  immediate(argc);
  immediate(argc * 10);
  Task task = squares(4);
  task.handle.resume();
  printf("%d %d\n", task.handle.done(), task.handle.promise().result);
  Task alone = square(argc + 6);
  alone.handle.resume();
  printf("%d\n", alone.handle.promise().result);
}
