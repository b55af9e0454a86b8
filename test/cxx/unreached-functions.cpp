// Virtual functions that no call of the program can reach are not in it; those that one can reach are called as on the host: by bases,
// through pointers to members, of classes that are visible to others, and by code whose calls gpucc has not seen.
// RUN: %hostcxx -w %s -DCALLER -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -O2 -w %s -DCALLER -o %t.2 && %run %t.2 | diff %t.expected -
// RUN: grep -q 'circle is called' %t.2 && not grep -q 'is not called' %t.2
// RUN: %gpucxx -O0 -w -fvisibility=default %s -DCALLER -o %t.0 && %run %t.0 | diff %t.expected -
// RUN: %hostcxx -w %s -DCALLER -DPOINTERS -o %t.host && %t.host > %t.pointers
// RUN: %gpucxx -O2 -w %s -DCALLER -DPOINTERS -o %t.3 && %run %t.3 | diff %t.pointers -
// The caller is bitcode without notes, and machine code:
// RUN: %gpucxx -O2 -w -c %s -o %t.o
// RUN: %gpucxx -O2 -w -fno-lto -S -emit-llvm -DCALLER=2 %s -o %t.ll
// RUN: %gpucxx %t.o %t.ll -o %t.plain && %run %t.plain | diff %t.expected -
// RUN: %hostcxx -w -fno-rtti %s -DCALLER -o %t.host && %t.host > %t.untyped
// RUN: %gpucxx -O2 -w -fno-rtti -fno-exceptions -c %s -o %t.o
// RUN: %gpucxx -O2 -w -fno-rtti -fno-exceptions -S -emit-llvm -flto -DCALLER=2 %s -o %t.ll && %gpucxx -fno-lto -c %t.ll -o %t.native.o
// RUN: %gpucxx -nostdlib++ %t.o %t.native.o -o %t.native && %run %t.native | diff %t.untyped -
// What iostreams bring for dates and money is in no hello:
// RUN: %gpucc -x c++ --arch=sm_90 --emit-ptx -O2 %S/inputs/hello.cpp -o %t.ptx
// RUN: grep -q 'func.*basic_ostream' %t.ptx && not grep -q 'func.*money_get.*do_get' %t.ptx
#include <cstdio>

struct Shape {
  virtual ~Shape() {}
  virtual const char *name() const { return "shape is called"; }
  virtual const char *unused() const { return "shape is not called"; }
  virtual Shape *itself() { return this; }
  virtual const char *pointed() { return "shape is pointed to"; }
  virtual const char *shown() const { return "shape is shown"; }
};
struct Tagged {
  virtual const char *tag() const { return "tagged"; }
  virtual const char *untagged() const { return "untagged is not called"; }
};
struct Circle : Tagged, virtual Shape {
  const char *name() const override { return "circle is called"; }
  const char *unused() const override { return "circle is not called"; }
  Circle *itself() override { return this; }
  const char *pointed() noexcept override { return "circle is pointed to"; }
  const char *tag() const override { return "circle"; }
  const char *shown() const override { return "circle is shown"; }
};
struct __attribute__((visibility("default"))) Visible {
  virtual const char *name() const { return "visible"; }
};
struct Seen : Visible {
  const char *name() const override { return "seen"; }
};

Shape *make(int which);
int show(Shape *shape);

#if CALLER != 2
namespace {
struct Local : Circle {
  const char *name() const override { return "local is called"; }
  const char *pointed() noexcept override { return "local is pointed to"; }
  virtual const char *own() { return "own"; }
};
struct Idle : Shape { // never made
  const char *name() const override { return "idle is not called"; }
};
} // namespace

Shape *make_idle() { return new Idle; }
Shape *make(int which) {
  return which == 2 ? new Local : which == 1 ? new Circle : new Shape;
}

#ifdef POINTERS
const char *(Local::*volatile own)() = &Local::own;
const char *(Shape::*volatile pointed)() = &Shape::pointed;
Shape *(Shape::*volatile itself)() = &Shape::itself;
#endif
Visible *volatile visible = new Seen;
#endif

#ifdef CALLER
int show(Shape *shape) {
  puts(shape->shown());
  return 0;
}
#endif

#if CALLER != 2
int main(int argc, char **) {
  for (int i = 0; i < 3; ++i) {
    Shape *shape = make(i + argc - 1);
    puts(shape->name());
    show(shape);
#ifdef POINTERS
    puts((shape->*pointed)());
    printf("%d\n", (shape->*itself)() == shape);
#endif
#ifdef __cpp_rtti
    if (auto *circle = dynamic_cast<Circle *>(shape)) {
      const Tagged *tagged = circle;
      puts(tagged->tag());
    }
#endif
#ifdef POINTERS
    if (auto *local = dynamic_cast<Local *>(shape))
      puts((local->*own)());
#endif
    delete shape;
  }
  puts(visible->name());
}
#endif
