// Nobody catches: no destructor runs, the message and the status are as natively. So are those of what may not throw.
// RUN: for how in thrown own_type destructor promised handler again unwinding pure global; do %python %S/inputs/as_natively.py --stderr %s -o %t-$how --flags="-std=c++17 -D$how" --levels=-O1 --gpucxx '%gpucxx' --run '%run' || { echo "failed: $how" >&2; exit 1; }; done
#include <exception>
#include <stdexcept>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct Said {
  int id;
  ~Said() { printf("-%d\n", id); }
};
struct Fails {
  bool always;
  ~Fails() noexcept(false) {
    if (always)
      throw 3;
  }
};
struct Pure {
  Pure() { call(); }
  void call() { function(); }
  virtual void function() = 0;
};
struct Real : Pure {
  void function() override {}
};

static void raise() {
  Said said{1};
  throw std::runtime_error("nobody");
}
static void promise() noexcept {
  Said said{2};
  raise();
}
static void may_call(bool really) {
  if (really)
    raise();
}

#ifdef global
static int early = (printf("before main\n"), fflush(stdout), throw 4, 5);
#endif

int main(int argc, char **) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  Said said{0};
  printf("begin\n");
#if defined(thrown)
  raise();
#elif defined(own_type)
  struct Own {};
  throw Own();
#elif defined(destructor)
  try {
    struct Bad { Said said{5}; ~Bad() { raise(); } } bad;
  } catch (...) {
    printf("not here\n");
  }
#elif defined(promised)
  try {
    promise();
  } catch (...) {
    printf("not here\n");
  }
#elif defined(handler)
  std::set_terminate([] {
    try {
      throw;
    } catch (const std::exception &error) {
      printf("handler: %s\n", error.what());
    }
    _Exit(9);
  });
  may_call(argc);
#elif defined(again)
  try {
    raise();
  } catch (const std::logic_error &) {
    printf("not here\n");
  } catch (int) {
  }
#elif defined(unwinding)
  try {
    Fails fails{true};
    throw 1;
  } catch (int number) {
    printf("not here %d\n", number);
  }
#elif defined(pure)
  Real real;
#endif
  printf("end\n");
}
