// An object that a function returns is made where it belongs: in a static variable, in the heap, in a member or an array.
// RUN: %hostcxx -std=c++17 %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -std=c++17 -O0 %s -o %t.0 && %run %t.0 | diff %t.expected -
// RUN: %gpucxx -std=c++17 -O2 %s -o %t.2 && %run %t.2 | diff %t.expected -
#include <cstdio>
#define NOINLINE __attribute__((noinline))

struct Object {
  Object *self = this;
  long number;
  long more[3] = {1, 2, 3};
  explicit Object(long number) : number(number) {}
  Object(const Object &other) : number(other.number + 100) {}
  ~Object() { printf("%d%ld ", self == this, number + more[2]); }
};
NOINLINE static Object make(long number) { return Object(number); }
NOINLINE static Object named(long number) {
  Object object(number);
  object.more[2] = 9;
  return object;
}
NOINLINE static Object passed(long number) { return number % 2 ? make(number) : named(number); }

struct Maker {
  virtual ~Maker() {}
  virtual Object make(long number) const { return passed(number); }
};
struct Other : Maker {
  Object make(long number) const override { return Object(-number); }
};
struct Holder {
  Object member, several[2];
  explicit Holder(const Maker &maker) : member(maker.make(10)), several{maker.make(11), passed(12)} {}
};

static Object global = make(1);
static Object (*volatile through)(long) = named;

int main() {
  static Object local = through(2);
  Object stack = passed(3);
  Object *heap = new Object(named(4));
  const Holder *holders[] = {new Holder(Maker()), new Holder(Other())};
  printf("%d%d%d%d\n", global.self == &global, local.self == &local, stack.self == &stack, heap->self == heap);
  for (const Holder *holder : holders) {
    printf("%d %ld\n", holder->several[1].self == &holder->several[1], holder->member.number);
    delete holder;
  }
  delete heap;
}
