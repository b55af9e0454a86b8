// Destructors of main's thread_local objects run before those of static objects and the functions of atexit(), whichever were first.
// RUN: %hostcxx -O1 %s -o %t.host && %t.host > %t.expected && %gpucxx -O2 %s -o %t && %run %t | diff %t.expected -
// RUN: %run %t exit | diff %t.expected -
#include <cstdio>
#include <cstdlib>

struct Named {
  explicit Named(const char *name) : name(name) { std::printf("+%s\n", name); }
  ~Named() { std::printf("-%s\n", name); }
  const char *name;
};

thread_local Named first("thread 1"), second("thread 2");
Named *use_first = &first;
Named global("global");

int main(int argc, char **) {
  static Named local("local");
  std::atexit([] { std::puts("atexit"); });
  thread_local Named late("late in thread");
  std::printf("%s %s\n", second.name, late.name);
  if (argc > 1)
    std::exit(0);
}
