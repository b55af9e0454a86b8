// An exception that nobody catches ends the program where it is thrown, as on the host: no variable is destroyed, and the
// message has its type and what() says. So does one that leaves a function that promised to throw none. The host makes the type's
// name readable, in a sandbox too: a demangler in the program was a third of its code.
// RUN: %hostcxx -std=c++14 -w %s -o %t.host
// RUN: %gpucxx -std=c++14 -w -O0 %s -o %t.0
// RUN: %gpucxx -std=c++14 -w -O2 %s -o %t.2
// RUN: for i in 0 1 2 3 4 5 6 7 8; do %t.host $i > %t.expected 2>&1; echo $? >> %t.expected; for o in 0 2; do \
// RUN:   %run %t.$o $i > %t.out 2>&1; echo $? >> %t.out; grep -v '^gpuexec: .*: aborted$' %t.out | diff %t.expected - || { echo "failed: $o $i" >&2; exit 1; }; done; done
// RUN: FileCheck %s < %t.expected
// RUN: not %run --sandbox %t.2 7 2>&1 | FileCheck %s --check-prefix=SANDBOX
// SANDBOX: instance of 'problems::Problem<problems::Problem<int> >'
// RUN: not grep -a "java resource" %t.2
// CHECK: terminate called after throwing an instance of 'std::bad_alloc'
// CHECK-NEXT: what(): std::bad_alloc
// CHECK-NEXT: 134
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace problems {
template <typename T> struct Problem {
  T number;
};
} // namespace problems
struct Error : std::exception {
  const char *what() const noexcept override { return "it is an error"; }
};
struct Said {
  ~Said() { puts("destroyed"); }
};

__attribute__((noinline)) static void raise(int which) {
  Said said;
  switch (which) {
  case 0:
    throw problems::Problem<unsigned long>{1};
  case 1:
    throw Error();
  case 2:
    throw;
  case 3:
    throw 3;
  case 7:
    throw problems::Problem<problems::Problem<int>>();
  default:
    throw std::bad_alloc();
  }
}
static void promised(int which) noexcept {
  Said said;
  raise(which);
}
static void listed(int which) throw(Error) { raise(which); }
static void ended() {
  puts("my own end");
  fflush(stdout);
  abort();
}

int main(int, char **argv) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  const int which = atoi(argv[1]);
  Said said;
  try {
    if (which == 4)
      promised(1);
    if (which == 5)
      listed(3);
    if (which == 6)
      std::set_terminate(ended);
    raise(which);
  } catch (const char *) {
    puts("not here");
  }
}
