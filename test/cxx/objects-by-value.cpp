// Objects passed by value: the function has the object itself, not a copy of its bytes, so that it stays at its place, is made
// once and destroyed once. By all kinds of calls, and of classes of all kinds.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run' --flags=-std=c++20
#include <coroutine>
#include <cstdarg>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

static int made, copied, moved, destroyed, elsewhere;

static void report(const char *what, int result) {
  printf("%-24s %5d: %d made, %d copied, %d moved, %d destroyed, %d elsewhere\n", what, result, made, copied, moved, destroyed,
         elsewhere);
  made = copied = moved = destroyed = elsewhere = 0;
}

/// Knows where it is.
struct Object {
  int number;
  const Object *self = this;
  Object(int number) : number(number) { ++made; }
  Object(const Object &other) : number(other.number) { ++copied, elsewhere += other.self != &other; }
  Object(Object &&other) noexcept : number(std::exchange(other.number, -1)) { ++moved, elsewhere += other.self != &other; }
  ~Object() { ++destroyed, elsewhere += self != this; }
  int get() const {
    elsewhere += self != this;
    return number;
  }
};
struct Plain {
  int values[5];
};
struct Pinned { // neither copies nor moves
  const Pinned *self = this;
  Pinned() = default;
  Pinned(const Pinned &) = delete;
};
struct Empty {
  Empty() { ++made; }
  Empty(const Empty &) { ++copied; }
  ~Empty() { ++destroyed; }
};
union Either {
  int number;
  Object object;
  Either(int value) : object(value) {}
  Either(const Either &other) : object(other.object) {}
  ~Either() { object.~Object(); }
};
struct [[clang::trivial_abi]] Handle { // this one is passed as bytes, and the function destroys it
  int number;
  Handle(int number) : number(number) { ++made; }
  Handle(const Handle &other) : number(other.number) { ++copied; }
  ~Handle() { ++destroyed; }
};
template <typename T> struct Box {
  T inside;
};
struct Derived : Object {
  using Object::Object;
  virtual ~Derived() {}
};

#define APART __attribute__((noinline))
APART static int take(Object object) { return object.get(); }
APART static int change(Object object) { return std::exchange(object.number, 0); }
APART static int steal(Object object) { return Object(std::move(object)).get(); }
APART static int mixed(int before, Plain plain, Object one, Plain other, Object two) {
  plain.values[1] += before;
  return one.get() * 100 + two.get() * 10 + plain.values[1] + other.values[1];
}
APART static int pinned(Pinned object) { return object.self == &object; }
APART static int empty(Empty) { return 1; }
APART static int either(Either either) { return either.object.get(); }
APART static int handle(Handle handle) { return handle.number; }
APART static int derived(Derived object) { return object.get(); }
APART static int throws(Object object) { throw object.get(); }
APART static int counted(Object object, int first, ...) {
  va_list list;
  va_start(list, first);
  const int sum = object.get() + first + va_arg(list, int);
  va_end(list);
  return sum;
}
template <typename T> APART static int boxed(Box<T> box) { return static_cast<int>(sizeof box) * 0 + 1; }
template <typename... T> APART static int sum(T... objects) { return (objects.get() + ...); }
APART static Object returned(Object object) { return object; }
APART static std::string joined(std::string one, std::string two) { return std::move(one) + two; }
APART static int owned(std::unique_ptr<int> pointer) { return *std::unique_ptr<int>(std::move(pointer)); }

struct First {
  virtual int number(Object) { return 0; }
  virtual First *self(Object) { return this; }
  virtual ~First() {}
  int of_first = 0;
};
struct Second {
  virtual int second(Object, Plain) = 0;
  virtual Second *other(Object) { return this; }
  virtual ~Second() {}
  int of_second = 0;
};
struct Both : First, virtual Second {
  int own = 100;
  int number(Object object) override { return object.get() + own; }
  int second(Object object, Plain plain) override { return object.get() + plain.values[0] + own; }
  Both *other(Object object) override { return object.get() ? this : nullptr; }
};
struct Keeps {
  Object kept;
  int extra;
  Keeps(Object object, int extra) : kept(std::move(object)), extra(extra) {}
};
struct Inherits : Keeps {
  using Keeps::Keeps;
};

struct Task {
  struct promise_type {
    int value = 0;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_value(int result) { value = result; }
    void unhandled_exception() const noexcept {}
  };
  std::coroutine_handle<promise_type> handle;
};
static Task later(Object object, std::string text) { co_return object.get() + static_cast<int>(text.size()); }

int main(int argc, char **) {
  int result;
  const Object object(argc);
  Plain plain = {{1, 2}};
  result = take(object);
  report("object", result);
  result = take(Object(argc + 1));
  report("temporary", result);
  result = take(argc + 2);
  report("converted", result);
  result = change(object) + object.number;
  report("changed", result);
  result = steal(object) + object.number;
  report("stolen", result);
  result = mixed(argc, plain, object, plain, Object(3)) + plain.values[1];
  report("mixed", result);
  result = pinned(Pinned());
  report("pinned", result);
  result = empty(Empty());
  report("empty", result);
  result = either(Either(4));
  report("union", result);
  result = handle(Handle(5));
  report("trivial_abi", result);
  result = derived(Derived(6));
  report("derived", result);
  result = boxed(Box<Object>{object});
  report("box of an object", result);
  result = boxed(Box<int>{1});
  report("box of an int", result);
  result = sum(object, Object(7), object);
  report("pack", result);
  result = returned(object).get();
  report("returned", result);
  result = counted(object, 8, 9);
  report("variable arguments", result);
  try {
    throws(object);
  } catch (int number) {
    report("thrown", number);
  }

  int (*volatile pointer)(Object) = take;
  result = pointer(object);
  report("pointer", result);
  Both both;
  First *volatile first = &both;
  Second *volatile second = &both;
  int (First::*volatile member)(Object) = &First::number;
  int (Second::*volatile thunk)(Object, Plain) = &Second::second;
  result = first->number(object);
  report("virtual", result);
  result = second->second(object, plain);
  report("adjusted", result);
  result = second->other(object) == second;
  report("covariant", result);
  result = (first->*member)(object);
  report("pointer to member", result);
  result = (second->*thunk)(object, plain);
  report("pointer to a thunk", result);
  result = Inherits(object, 1).kept.get();
  report("inherited constructor", result);

  const auto lambda = [](Object object) { return object.get(); };
  int (*volatile invoker)(Object) = lambda;
  result = lambda(object);
  report("lambda", result);
  result = invoker(object);
  report("lambda's address", result);
  struct Local : Object {
    using Object::Object;
  };
  result = [](Local local) { return local.get(); }(Local(9));
  report("local class", result);
  result = [](auto local) { return local.get(); }(Local(10));
  report("generic lambda", result);
  const std::function<int(Object)> function = take;
  result = function(object);
  report("std::function", result);
  result = std::bind(take, object)();
  report("std::bind", result);
  Task task = later(object, "abc");
  task.handle.resume();
  result = task.handle.promise().value;
  task.handle.destroy();
  report("coroutine", result);
  int in_thread = 0;
  std::thread([&in_thread](Object object, std::unique_ptr<int> owned) { in_thread = object.get() + *owned; }, object,
              std::make_unique<int>(11)).join();
  report("std::thread", in_thread);

  printf("%s %d\n", joined("a short one, ", "and another that is too long for its own bytes").c_str(), owned(std::make_unique<int>(12)));
  std::vector<std::unique_ptr<int>> all;
  all.push_back(std::make_unique<int>(13));
  const auto last = [](std::vector<std::unique_ptr<int>> all) { return *all.back(); };
  result = last(std::move(all));
  printf("%d %zu\n", result, all.size());
}
