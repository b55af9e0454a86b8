// Virtual functions, type information and dynamic_cast, also through virtual bases; a deep recursion of virtual functions.
// RUN: %hostcxx %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -O0 %s -o %t.0 && %run %t.0 | diff %t.expected -
// RUN: %gpucxx -O2 %s -o %t.2 && %run %t.2 | diff %t.expected -
#include <cstdio>
#include <cstring>
#include <typeinfo>

struct Shape {
  virtual ~Shape() {}
  virtual int area(int depth) const = 0;
};
struct Named : virtual Shape {
  virtual const char *name() const { return "named"; }
};
struct Square : Named {
  int area(int depth) const override { return depth ? 1 + area(depth - 1) : 4; }
};
struct Other : virtual Shape {
  int area(int) const override { return 7; }
};
struct Both : Named, Other {
  int area(int depth) const override { return Other::area(depth); }
  const char *name() const override { return "both"; }
};

static void show(const Shape *shape) {
  const Named *named = dynamic_cast<const Named *>(shape);
  const Other *other = dynamic_cast<const Other *>(shape);
  printf("%s %d %s %d %d\n", typeid(*shape).name(), shape->area(3), named ? named->name() : "-", other != nullptr,
         dynamic_cast<const void *>(shape) == (named ? dynamic_cast<const void *>(named) : dynamic_cast<const void *>(other)));
}

int main() {
  Square square;
  Other other;
  Both both;
  const Shape *const shapes[] = {&square, &other, &both};
  for (const Shape *shape : shapes)
    show(shape);
  printf("%d %d %d\n", typeid(square) == typeid(Square), typeid(*shapes[2]) == typeid(Other), typeid(int) == typeid(const int));
  printf("%d\n", shapes[0]->area(20000));
}
