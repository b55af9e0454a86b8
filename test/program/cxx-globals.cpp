// Global C++ objects: built in order before main, by templates and virtual functions too, destroyed in reverse after it.
// RUN: %gpucc -O2 %s -o %t
// RUN: %run %t | FileCheck %s
// CHECK:      1 first
// CHECK-NEXT: 2 second
// CHECK-NEXT: 3 third (uses first=7)
// CHECK-NEXT: main: 7 10 square 16
// CHECK-NEXT: ~local static
// CHECK-NEXT: ~third
// CHECK-NEXT: ~second
// CHECK-NEXT: ~first
// CHECK-NOT: {{.}}
#include <stdio.h>

static int order;

struct Shape {
  virtual const char *name() const = 0;
  virtual int area() const = 0;
};
template <int Side> struct Square : Shape {
  const char *name() const override { return "square"; }
  int area() const override { return Side * Side; }
};

struct Noisy {
  const char *name;
  int value;
  Noisy(const char *name, int value) : name(name), value(value) { printf("%d %s\n", ++order, name); }
  ~Noisy() { printf("~%s\n", name); }
};
struct Later {
  int value;
  explicit Later(const Noisy &other) : value(other.value + 3) { printf("%d third (uses first=%d)\n", ++order, other.value); }
  ~Later() { puts("~third"); }
};

Noisy first("first", 7);
Noisy second("second", 8);
Later third(first);
struct Quiet { const char *name; ~Quiet() { printf("~%s\n", name); } };

int main() {
  static Quiet local{"local static"};
  Square<4> square;
  const Shape *shape = &square;
  printf("main: %d %d %s %d\n", first.value, third.value, shape->name(), shape->area());
}
