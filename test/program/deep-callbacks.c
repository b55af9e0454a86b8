// Recursion through pointers to functions, through qsort and bsearch of the C library, and by functions of variable
// arguments, with calls in between that recurse themselves.
// RUN: %hostcc -w %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 2; do %gpucc -O$level -w %s -o %t.$level && %run --stack-size 32K %t.$level > %t.output.$level && diff %t.expected %t.output.$level || { echo "failed: -O$level" >&2; exit 1; }; done
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// An interpreter of a tree whose nodes have functions, each of which calls those of the nodes below.
typedef struct node node;
struct node {
  long (*value)(const node *);
  const node *left, *right;
  long number;
};
static long number(const node *n) { return n->number; }
static long add(const node *n) { return (n->left->value(n->left) + n->right->value(n->right)) % 1000003; }
static long multiply(const node *n) { return n->left->value(n->left) * n->right->value(n->right) % 1000003; }
static long negate(const node *n) { return -n->left->value(n->left); }
static long build_and_run(int depth) {
  node *nodes = malloc(sizeof(node) * (size_t)(2 * depth + 1)), *below = nodes;
  *below = (node){number, 0, 0, 7};
  for (int i = 0; i < depth; ++i) {
    node *leaf = nodes + 2 * i + 1, *top = leaf + 1;
    *leaf = (node){number, 0, 0, i};
    *top = i % 11 == 0   ? (node){negate, below}
           : i % 3 == 0 ? (node){multiply, leaf, below}
                        : (node){add, below, leaf};
    below = top;
  }
  long value = below->value(below);
  free(nodes);
  return value;
}

// A comparison that recurses, some levels deep.
static int digits(int value) { return value < 10 ? value : value % 10 + digits(value / 10); }
static int by_digits(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  int difference = digits(x) - digits(y);
  return difference ? difference : (x > y) - (x < y);
}
static long sort_deep(int depth) {
  int values[8];
  for (int i = 0; i < 8; ++i)
    values[i] = depth * 7919 % (1009 + i);
  if (depth % 50 == 0)
    qsort(values, 8, sizeof *values, by_digits);
  long below = depth ? sort_deep(depth - 1) : 0;
  return (below * 3 + values[depth % 8]) % 1000003;
}

// A callback that calls the function that called it.
typedef long visitor(long, void *);
static long walk(long n, visitor *visit, void *data) { return n ? visit(n, data) : 1; }
static long step(long n, void *data) {
  ++*(long *)data;
  return walk(n - 1, step, data) + n % 3;
}

static long total(int count, ...) {
  va_list list;
  va_start(list, count);
  long result = 0;
  for (int i = 0; i < count; ++i)
    result += va_arg(list, int);
  va_end(list);
  return result;
}
static long varying(int n) { return n ? (varying(n - 1) * 5 + total(3, n, 2, n % 7)) % 1000003 : total(1, 4); }

// Text that grows on the way back.
static int print(char *to, int n) {
  if (!n)
    return 0;
  int length = print(to, n - 1);
  return length + sprintf(to + length, "%d%.1f ", n % 10, n * 0.5);
}

int main(void) {
  printf("tree %ld\n", build_and_run(20000));
  printf("sort %ld\n", sort_deep(5000));
  long visited = 0;
  printf("walk %ld", walk(20000, step, &visited));
  printf(" %ld\n", visited);
  printf("varying %ld\n", varying(20000));
  char *text = malloc(1 << 20);
  int length = print(text, 5000);
  printf("print %d %s\n", length, text + length - 40);
  return 0;
}
