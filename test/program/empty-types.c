// Structures and unions without bytes, and those with an array of no elements or a flexible one, as parameters, results and through
// pointers to functions.
// RUN: %hostcc -w %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -O0 -w %s -o %t.0
// RUN: %run %t.0 | diff %t.expected -
// RUN: %gpucc -O2 -w %s -o %t.2
// RUN: %run %t.2 | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))

union nothing {
  char none[0];
};
struct none {};
union flexible {
  int kind;
  char text[];
};
struct tail {
  int count;
  union {
    char bytes[0];
    int words[0];
  };
};
struct text {
  int length;
  char letters[];
};

static struct text initialised = {3, "abc"};

NOINLINE union nothing give_nothing(int n) {
  union nothing nothing;
  printf("nothing of %d\n", n);
  return nothing;
}
NOINLINE struct none give_none(void) { return (struct none){}; }
NOINLINE int take(int a, union nothing nothing, int b, struct none none, int c) {
  char *address = nothing.none;
  return address ? a * 100 + b * 10 + c : -1;
}
NOINLINE union flexible give_flexible(int n) { return (union flexible){.kind = n}; }
NOINLINE struct tail give_tail(int n) { return (struct tail){n}; }
NOINLINE int add(union flexible flexible, struct tail tail, struct text text) { return flexible.kind + tail.count + text.length; }
NOINLINE struct none recursive(struct none none, int depth) {
  printf("%d\n", depth);
  return depth ? recursive(none, depth - 1) : none;
}

int main(int argc, char **argv) {
  union nothing (*nothing)(int) = argc > 5 ? 0 : give_nothing;
  struct none (*none)(void) = argc > 5 ? 0 : give_none;
  int (*taker)(int, union nothing, int, struct none, int) = argc > 5 ? 0 : take;
  printf("%d %d\n", taker(1, nothing(4), 2, none(), 3), take(4, give_nothing(5), 5, give_none(), 6));
  union flexible (*flexible)(int) = argc > 5 ? 0 : give_flexible;
  printf("%d %d\n", add(flexible(1), give_tail(2), initialised), (int)sizeof(union nothing));
  recursive(none(), 2);
  struct text *text = malloc(sizeof *text + 6);
  strcpy(text->letters, "hello");
  printf("%s %s\n", text->letters, initialised.letters);
  return 0;
}
