// Exceptions of each kind: what is thrown and caught, in which order objects are destroyed, and what is left to a thread or a caller.
// RUN: %python %S/inputs/as_natively.py %s -o %t --gpucxx '%gpucxx' --run '%run'
#include <exception>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <new>
#include <setjmp.h>
#include <stdexcept>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <typeinfo>
#include <vector>

struct Said {
  int id;
  explicit Said(int i) : id(i) { printf("+%d ", id); }
  Said(const Said &other) : id(other.id) { printf("c%d ", id); }
  ~Said() { printf("-%d%s ", id, std::uncaught_exceptions() ? "!" : ""); }
};
struct Base { virtual ~Base() {} virtual const char *name() const { return "Base"; } };
struct Left : virtual Base { const char *name() const override { return "Left"; } };
struct Right : virtual Base {};
struct Both : Left, Right { const char *name() const override { return "Both"; } };
struct Hidden : private Base {};
struct Twice1 : Base {};
struct Twice2 : Base {};
struct Twice : Twice1, Twice2 {};

template <typename THROW> static void which(const char *what, THROW raise) {
  printf("%s: ", what);
  try {
    Said said(1);
    raise();
  } catch (int &number) {
    printf("int %d", number);
  } catch (long) {
    printf("long");
  } catch (const Left &left) {
    printf("Left %s %s", left.name(), typeid(left).name());
  } catch (Base *base) {
    printf("pointer %s", base ? base->name() : "null");
  } catch (const Base &base) {
    printf("Base %s", base.name());
  } catch (const std::string &text) {
    printf("string %s", text.c_str());
  } catch (const void *) {
    printf("void *");
  } catch (const std::exception &error) {
    printf("exception %s", error.what());
  } catch (...) {
    printf("something");
  }
  printf("\n");
}

static void kinds() {
  static Both both;
  which("int", [] { throw 3; });
  which("short", [] { throw short(3); });
  which("long", [] { throw 3L; });
  which("enumeration", [] { enum E { ONE }; throw ONE; });
  which("Both", [] { throw Both(); });
  which("Right", [] { throw Right(); });
  which("hidden base", [] { throw Hidden(); });
  which("two bases", [] { throw Twice(); });
  which("pointer to Both", [] { throw &both; });
  which("pointer to const", [] { throw (const Both *)&both; });
  which("nullptr", [] { throw nullptr; });
  which("text", [] { throw "text"; });
  which("string", [] { throw std::string("text"); });
  which("function", [] { throw &kinds; });
  which("lambda", [] { throw [] {}; });
  which("out_of_range", [] { std::vector<int>(3).at(3); });
  which("map", [] { std::map<int, int>().at(1); });
  which("bad_alloc", [] { volatile size_t much = size_t(-1) / 4; free(new char[much]); });
  which("length", [] { std::string().resize(std::string().max_size() + 1); });
  which("bad_cast", [] { Base base; (void)dynamic_cast<Left &>(base); });
  which("bad_typeid", [] { Base *base = nullptr; (void)typeid(*base); });
  which("bad_function", [] { std::function<void()>()(); });
}

struct Member {
  Said first{10}, second;
  explicit Member(int n) try : second(11) {
    if (n)
      throw n;
  } catch (int number) {
    printf("in constructor %d ", number);
  }
};
struct Delegating {
  Said said{20};
  Delegating() {}
  explicit Delegating(int n) : Delegating() { throw n; }
  ~Delegating() { printf("~Delegating "); }
};
struct Third {
  static int made;
  Said said;
  Third() : said(30 + made) {
    if (++made == 3)
      throw made;
  }
};
int Third::made;
struct Fails {
  Said said{40};
  ~Fails() noexcept(false) { throw 41; }
};

static int in_function() try {
  Said said(50);
  throw 51;
} catch (int number) {
  return number;
}

static Said returned(bool fails) {
  Said local(60);
  if (fails)
    throw 61;
  return local;
}

static void rethrow() {
  try {
    throw;
  } catch (int number) {
    printf("again %d ", number);
    throw number + 1;
  }
}

static void objects() {
  for (auto make : {+[] { Member member(12); }, +[] { Delegating delegating(21); }, +[] { Third third[5]; }, +[] { delete[] new Third[2]; },
                    +[] { Fails fails; }, +[] { printf("%d ", in_function()); }, +[] { returned(false); returned(true); },
                    +[] { Said a(70); Said b = returned(true); }, +[] { try { throw 80; } catch (...) { Said s(81); rethrow(); } },
                    +[] { auto pair = std::make_pair(std::make_unique<Said>(90), std::make_shared<Said>(92)); throw 91; }}) {
    Third::made = 0;
    try {
      make();
      printf("nothing");
    } catch (int number) {
      printf("caught %d", number);
    }
    printf("\n");
    if (Third::made < 0)
      abort();
  }
}

static void pointers() {
  std::exception_ptr kept;
  try {
    Said said(1);
    throw std::runtime_error("kept");
  } catch (...) {
    kept = std::current_exception();
  }
  for (int i = 0; i < 2; ++i)
    try {
      std::rethrow_exception(kept);
    } catch (const std::exception &error) {
      printf("%s %d ", error.what(), std::uncaught_exceptions());
    }
  try {
    try {
      try {
        throw std::logic_error("inner");
      } catch (...) {
        std::throw_with_nested(std::runtime_error("outer"));
      }
    } catch (...) {
      std::throw_with_nested(std::domain_error("outermost"));
    }
  } catch (const std::exception &error) {
    std::function<void(const std::exception &)> show = [&](const std::exception &e) {
      printf("%s > ", e.what());
      try {
        std::rethrow_if_nested(e);
      } catch (const std::exception &inner) {
        show(inner);
      }
    };
    show(error);
  }
  printf("%d\n", std::current_exception() == nullptr);
  std::promise<int> promise;
  promise.set_exception(std::make_exception_ptr(std::out_of_range("promised")));
  try {
    promise.get_future().get();
  } catch (const std::out_of_range &error) {
    printf("%s\n", error.what());
  }
}

static int compare(const void *, const void *) { throw std::string("from qsort"); }

static int guarded(bool fails) {
  static int tries = 0;
  static Said once = [&] {
    ++tries;
    if (fails)
      throw tries;
    return Said(100);
  }();
  return tries;
}

static void callers() {
  int numbers[] = {3, 1, 2};
  try {
    qsort(numbers, 3, sizeof *numbers, compare);
  } catch (const std::string &text) {
    printf("%s\n", text.c_str());
  }
  for (bool fails : {true, true, false, true})
    try {
      printf("guard %d\n", guarded(fails));
    } catch (int tries) {
      printf("failed %d\n", tries);
    }
  jmp_buf back;
  volatile int jumps = 0;
  if (setjmp(back) < 3) {
    try {
      jumps = jumps + 1;
      try {
        throw 1;
      } catch (int) {
        printf("before jump %d ", jumps);
      }
      longjmp(back, jumps);
    } catch (...) {
      printf("a jump is no exception\n");
    }
  }
  printf("jumped %d\n", jumps);
  const auto promises = [](auto call) { return noexcept(call()); };
  printf("%d %d\n", promises([]() noexcept {}), promises([] {}));
}

static int depth(int n) {
  Said *said = n % 25 ? nullptr : new Said(n);
  std::unique_ptr<Said> owner(said);
  if (n == 0)
    throw std::runtime_error("deep");
  return depth(n - 1) + 1;
}

int main() {
  kinds();
  objects();
  pointers();
  callers();
  try {
    depth(100);
  } catch (const std::runtime_error &error) {
    printf("%s\n", error.what());
  }
}
