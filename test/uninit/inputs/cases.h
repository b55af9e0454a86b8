// Cases of bugs.c and sound.c: a function each, chosen by name. each_case.py reads their names from the source.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE(name) static __attribute__((noinline)) int name(void)

// What the compiler must not know.
static inline void *hide(void *p) {
  __asm__ volatile("" : "+v"(p)::"memory");
  return p;
}
static inline int hide_int(int i) {
  __asm__ volatile("" : "+v"(i));
  return i;
}

struct named_case {
  const char *name;
  int (*run)(void);
};
static int run_case(const struct named_case *cases, const char *name) {
  for (; cases->name; ++cases)
    if (!strcmp(cases->name, name))
      return cases->run();
  printf("no such case: %s\n", name);
  return 99;
}
