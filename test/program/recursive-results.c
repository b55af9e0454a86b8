// A recursive function gets its own call's result, not the value that it is going to return itself: a simplifier of terms, whose
// results replace the arguments.
// RUN: %hostcc -O2 %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 g 2 3 s; do %gpucc -O$level %s -o %t.$level && %run %t.$level | diff %t.expected - || { echo "failed: -O$level" >&2; exit 1; }; done
// RUN: for level in 1 2; do %gpucc -O$level -fno-lto %s -o %t.objects && %run %t.objects | diff %t.expected - || { echo "failed: -fno-lto -O$level" >&2; exit 1; }; done
#include <stdio.h>
#include <stdlib.h>

struct term {
  long top;
  struct term *up;
  struct list *arguments;
};
struct list {
  struct list *next;
  struct term *term;
};

static struct term *simplify(struct term *term) {
  while (term->top == 1 && !term->arguments->next) {
    struct term *only = term->arguments->term;
    only->up = term->up;
    term = only;
  }
  if (term->top == 2)
    return term;
  for (struct list *i = term->arguments; i; i = i->next) {
    i->term = simplify(i->term);
    i->term->up = term;
  }
  return term;
}

static struct list *list(struct term *term, struct list *next) {
  struct list *made = malloc(sizeof *made);
  *made = (struct list){next, term};
  return made;
}
static struct term *make(long top, struct list *arguments) {
  struct term *made = malloc(sizeof *made);
  *made = (struct term){top, NULL, arguments};
  return made;
}

int main(void) {
  struct term *whole = make(5, list(make(1, list(make(2, 0), 0)), list(make(7, list(make(2, 0), 0)), 0)));
  whole = simplify(whole);
  for (struct list *i = whole->arguments; i; i = i->next)
    printf("%d %ld %d\n", i->term == whole, i->term->top, i->term->up == whole);
  return 0;
}
