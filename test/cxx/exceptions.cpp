// What is thrown is caught as on the host: by value, by reference, by bases (virtual ones too), by pointers; rethrown,
// nested, kept, and out of every kind of function. Variables are destroyed in the same order.
// RUN: %hostcxx -std=c++17 -w %s -o %t.host
// RUN: %gpucxx -std=c++17 -w -O0 %s -o %t.0
// RUN: %gpucxx -std=c++17 -w -O2 %s -o %t.2
// RUN: %t.host > %t.expected
// RUN: %run %t.0 | diff %t.expected -
// RUN: %run %t.2 | diff %t.expected -
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

#define NOINLINE __attribute__((noinline))
static volatile int one = 1;

/// Says when it is made, copied and destroyed.
struct Said {
  const char *name;
  explicit Said(const char *name) : name(name) { printf("+%s ", name); }
  Said(const Said &other) : name(other.name) { printf("=%s ", name); }
  ~Said() { printf("-%s ", name); }
};

struct A {
  int a = 1;
  virtual ~A() {}
};
struct B : A {
  int b = 2;
};
struct Padding {
  long padding[3] = {7, 8, 9};
  virtual ~Padding() {}
};
struct C : Padding, B {
  int c = 3;
};
struct V {
  int v = 4;
  virtual ~V() {}
};
struct L : virtual V {};
struct R : virtual V {};
struct D : L, R {
  int d = 5;
};
struct Private : private A {};

template <typename T> NOINLINE void raise(T value) {
  Said local("raise");
  if (one)
    throw value;
  puts("not here");
}

template <typename T> NOINLINE void attempt(const char *what, T value) {
  printf("%s: ", what);
  try {
    Said outer("outer");
    try {
      Said inner("inner");
      raise(value);
    } catch (char c) {
      printf("char %c", c);
    } catch (const B &b) {
      printf("B %d %d", b.a, b.b);
    } catch (A &a) {
      printf("A %d", a.a);
    } catch (V v) {
      printf("V %d", v.v);
    } catch (const V *v) {
      printf("V* %d", v ? v->v : -1);
    } catch (void *p) {
      printf("void* %d", *(int *)p);
    } catch (int (*f)(int)) {
      printf("function %d", f(3));
    } catch (int A::*member) {
      printf("member %d", A().*member);
    }
  } catch (int n) {
    printf("int %d", n);
  } catch (const char *text) {
    printf("text %s", text);
  } catch (decltype(nullptr)) {
    printf("null");
  } catch (...) {
    printf("something");
  }
  puts("");
}
static int triple(int n) { return 3 * n; }

static void types() {
  int number = 42;
  static D d;
  attempt("char", 'x');
  attempt("int", 5);
  attempt("unsigned", 5u);
  attempt("A", A());
  attempt("B", B());
  attempt("C", C());
  attempt("D", D());
  attempt("V*", (V *)&d);
  attempt("const D*", (const D *)&d);
  attempt("int*", &number);
  attempt("const int*", (const int *)&number);
  attempt("text", "text");
  attempt("null", nullptr);
  attempt("function", &triple);
  attempt("member", &A::a);
  attempt("private", Private());
  attempt("long double", 1.0L);
}

//===-- Again -------------------------------------------------------------===//

NOINLINE static void rethrow() {
  try {
    raise(7);
  } catch (...) {
    printf("[again] ");
    throw;
  }
}
static void again() {
  for (int i = 0; i < 3; ++i)
    try {
      rethrow();
    } catch (int n) {
      printf("%d\n", n + i);
    }
  try { // a handler throws another
    try {
      raise(Said("first"));
    } catch (Said &first) {
      printf("[%s] ", first.name);
      raise(Said("second"));
    }
  } catch (const Said &second) {
    printf("[%s] ", second.name);
  }
  puts("");
  try { // the object is changed in between
    try {
      try {
        throw 1;
      } catch (int &n) {
        n += 10;
        throw;
      }
    } catch (int &n) {
      n += 100;
      throw;
    }
  } catch (int n) {
    printf("%d\n", n);
  }
  // A handler in a handler.
  try {
    throw 1;
  } catch (int outer) {
    try {
      throw 2;
    } catch (int inner) {
      printf("%d in %d, ", inner, outer);
    }
    try {
      throw;
    } catch (int same) {
      printf("%d again\n", same);
    }
  }
}

//===-- While others are destroyed ----------------------------------------===//

struct Careful {
  ~Careful() {
    printf("(%d", std::uncaught_exceptions());
    try {
      Said local("careful");
      throw 'c';
    } catch (char) {
      printf(" %d", std::uncaught_exceptions());
    }
    printf(") ");
  }
};
struct Throws {
  ~Throws() noexcept(false) {
    printf("[throws] ");
    throw 3.5;
  }
};
static void destroyed() {
  try {
    Careful one, two;
    raise(1);
  } catch (int) {
    printf("%d\n", std::uncaught_exceptions());
  }
  try {
    Said before("before");
    Throws it;
    Said after("after");
  } catch (double d) {
    printf("%g\n", d);
  }
  printf("%d %d\n", std::uncaught_exception(), !std::current_exception());
}

//===-- Constructors and arrays -------------------------------------------===//

static int made;
struct Counted {
  int number;
  Counted() : number(made++) {
    if (number == 3) {
      printf("[3 fails] ");
      throw number;
    }
    printf("+%d ", number);
  }
  ~Counted() { printf("-%d ", number); }
};
struct Base {
  Said said{"base"};
  explicit Base(int n) {
    if (n == 1)
      throw 1;
  }
};
struct Derived : Base {
  Said member{"member"};
  explicit Derived(int n) try : Base(n) {
    Said local("body");
    if (n == 2)
      throw 2;
    printf("made ");
  } catch (int caught) {
    printf("[function try %d] ", caught);
  }
};
static void constructors() {
  made = 0;
  try {
    Counted several[5];
  } catch (int n) {
    printf("%d\n", n);
  }
  made = 1;
  try {
    delete[] new Counted[4];
  } catch (int n) {
    printf("%d\n", n);
  }
  made = 2;
  try {
    Counted grid[2][2];
  } catch (int n) {
    printf("%d\n", n);
  }
  for (int n = 0; n < 3; ++n)
    try {
      Derived derived(n);
      printf("ok ");
    } catch (int caught) {
      printf("out %d ", caught);
    }
  puts("");
}
static int function_try(int n) try {
  raise(n);
  return 0;
} catch (int caught) {
  return caught + 1;
}

/// The first call fails; the second makes it.
static Counted &local_static() {
  static Counted it;
  return it;
}
static void statics() {
  made = 3;
  for (int i = 0; i < 3; ++i)
    try {
      printf("static %d\n", local_static().number);
    } catch (int n) {
      printf("no static %d\n", n);
    }
}

//===-- Exceptions as values ----------------------------------------------===//

struct Named : std::exception {
  const char *what() const noexcept override { return "named"; }
};
static void kept() {
  std::exception_ptr first, second;
  try {
    throw Said("kept");
  } catch (...) {
    first = std::current_exception();
  }
  second = first;
  printf("%d ", first == second);
  first = nullptr;
  for (int i = 0; i < 2; ++i)
    try {
      std::rethrow_exception(second);
    } catch (Said &said) {
      printf("[%s %d] ", said.name, std::uncaught_exceptions());
    }
  second = nullptr;
  puts("");
  second = std::make_exception_ptr(Named());
  try {
    std::rethrow_exception(second);
  } catch (const std::exception &e) {
    printf("%s %d\n", e.what(), second == std::current_exception());
  }
  try {
    try {
      throw 1;
    } catch (int) {
      std::throw_with_nested(Named());
    }
  } catch (const std::exception &e) {
    try {
      std::rethrow_if_nested(e);
    } catch (int n) {
      printf("%s of %d\n", e.what(), n);
    }
  }
  try {
    A *none = nullptr;
    printf("%s\n", typeid(*none).name());
  } catch (const std::bad_typeid &) {
    puts("bad_typeid");
  }
  try {
    A a;
    puts(dynamic_cast<B &>(a).b ? "B" : "");
  } catch (const std::bad_cast &) {
    puts("bad_cast");
  }
}

//===-- Through C, loops and out of depth ---------------------------------===//

static int compare(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  if (x == 13 || y == 13)
    throw "unlucky";
  return x - y;
}
static int deep(int n) {
  Said *said = n == 3 ? new Said("deep") : nullptr;
  struct Delete {
    Said *said;
    ~Delete() { delete said; }
  } scope{said};
  if (n == 0)
    throw n;
  return deep(n - 1) + 1;
}
static void ways() {
  int numbers[] = {5, 3, 9, 13, 1, 2, 8};
  try {
    qsort(numbers, 7, sizeof *numbers, compare);
  } catch (const char *text) {
    puts(text);
  }
  try {
    deep(100);
  } catch (int n) {
    printf("deep %d\n", n);
  }
  int sum = 0;
  for (int i = 0; i < 20; ++i)
    try {
      if (i % 3 == 0)
        continue;
      if (i == 17)
        break;
      if (i % 2)
        throw i;
      sum += 100;
    } catch (int n) {
      sum += n;
      if (n == 11)
        continue;
    }
  printf("%d\n", sum);
  try {
    volatile size_t size = size_t(1) << 60;
    char *volatile memory = new char[size];
    printf("%p\n", (void *)memory);
  } catch (const std::bad_alloc &e) {
    puts(e.what());
  }
}

int main() {
  types();
  again();
  destroyed();
  constructors();
  printf("%d\n", function_try(4));
  statics();
  kept();
  ways();
  return 0;
}
