// Machine code made before the link cannot throw or catch, and says so. What only destroys variables is compiled, but
// no exception can pass through it.
// RUN: not %gpucxx -fno-lto -DTHROWS -c %s -o %t.o 2>&1 | FileCheck --check-prefix=THROWS %s
// RUN: not %gpucxx -fno-lto -DCATCHES -c %s -o %t.o 2>&1 | FileCheck --check-prefix=CATCHES %s
// RUN: %gpucxx -fno-lto -c %s -o %t.o
// RUN: not %gpucxx -DMAIN -DTHROWS %s %t.o -o %t 2>&1 | FileCheck --check-prefix=LINK %s
// THROWS: error: throw needs link-time optimisation: compile '{{.*}}no-lto.cpp' without -fno-lto and -S
// CATCHES: error: catch needs link-time optimisation: compile '{{.*}}no-lto.cpp' without -fno-lto and -S
// LINK: error: an exception may have to pass through '_Z6middlePFvvE', which was compiled without link-time optimisation
#include <cstdio>

void middle(void (*)());
#ifdef MAIN
static void called() {
  puts("called");
#ifdef THROWS
  throw 1;
#endif
}
int main() { middle(called); }
#else
struct Said {
  ~Said() { puts("destroyed"); }
};
void middle(void (*call)()) {
  Said said;
  call();
#ifdef THROWS
  throw 1;
#endif
#ifdef CATCHES
  try {
    call();
  } catch (int n) {
    printf("%d\n", n);
  }
#endif
}
#endif
