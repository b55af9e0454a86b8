// longjmp leaves functions with handlers and variables behind, as glibc's does; exceptions pass a setjmp that they are not for.
// RUN: %hostcxx -std=c++17 %s -o %t.host && %t.host > %t.expected
// RUN: %gpucxx -std=c++17 -O0 %s -o %t.0 && %run %t.0 | diff %t.expected -
// RUN: %gpucxx -std=c++17 -O2 %s -o %t.2 && %run %t.2 | diff %t.expected -
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <exception>
static jmp_buf buf;
struct S { const char *n; ~S() { printf("~%s ", n); } };
__attribute__((noinline)) static void leap(int n) { S s{"leap"}; if (n == 1) longjmp(buf, 7); if (n == 2) throw 5; printf("stays "); }
__attribute__((noinline)) static void mid(int n) { try { S s{"mid"}; leap(n); } catch (const char *) { printf("no "); } catch (...) { printf("all "); throw; } }
__attribute__((noinline)) static void jumps(int n) {
  switch (setjmp(buf)) {
  case 0: mid(n); printf("back\n"); break;
  case 7: printf("jumped\n"); break;
  }
}
static void both() {
  volatile int round = 0;
  try {
    S s{"both"};
    int r = setjmp(buf);
    round = round + 1;
    printf("r%d round%d ", r, (int)round);
    if (round < 3) leap(1);
    leap(2);
  } catch (int n) { printf("caught %d round %d\n", n, (int)round); }
}
int main() {
  for (int n = 0; n < 3; ++n)
    try { jumps(n); } catch (int e) { printf("int %d\n", e); }
  both();
  for (int i = 0; i < 3; ++i)
    try { jumps(1); jumps(2); } catch (...) { printf("%d\n", std::uncaught_exceptions()); }
}
