// Recursion that is deeper than a thread's stack goes on in the heap: a function that calls itself, functions that call each
// other, structs as parameters and results, addresses of local variables, a recursive-descent parser, loops around calls.
// RUN: %hostcc -w %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 1 2 s; do %gpucc -O$level -w %s -o %t.$level && %run --stack-size 16K %t.$level > %t.output.$level && diff %t.expected %t.output.$level || { echo "failed: -O$level" >&2; exit 1; }; done
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long sum(const int *start, int n) {
  if (n == 0)
    return *start;
  long here = 3L * n;
  return sum(start, n - 1) * 7 + here;
}

static double mean(int n, double value, float small, char letter) {
  if (!n)
    return value + small + letter;
  double below = mean(n - 1, value * 0.5 + n, small + 1, (char)(letter + 1));
  return below * 0.25 + mean(0, below, small, letter);
}

static int odd(int n, unsigned char *seen);
static int even(int n, unsigned char *seen) {
  seen[n % 64]++;
  return n ? odd(n - 1, seen) + (n % 3 == 0) : 1;
}
static int odd(int n, unsigned char *seen) {
  unsigned char mine[8] = {(unsigned char)n};
  seen[n % 32] ^= mine[0];
  return n ? even(n - 1, seen) + mine[n % 2] : 0;
}

typedef struct {
  long values[6];
  char name[20];
} large;
typedef struct {
  short x, y;
  float z;
} small;
static large fold(int n, large given, small step) {
  if (!n)
    return given;
  given.values[n % 6] += step.x * n;
  given.name[n % 19] = (char)('a' + n % 26);
  step.y++;
  large deeper = fold(n - 1, given, step);
  deeper.values[(n + 1) % 6] ^= step.y + given.values[0];
  return deeper;
}
static small halve(small value, int n) {
  if (n <= 0)
    return value;
  value.x ^= n;
  value.z += n;
  small deeper = halve(value, n - 1);
  deeper.y += value.x;
  return deeper;
}
typedef struct {
  long low, high;
} pair;
static pair fibonacci(int n) {
  if (!n)
    return (pair){0, 1};
  pair before = fibonacci(n - 1);
  return (pair){before.high, (before.low + before.high) % 1000000007};
}

// A caller's variable that the called function changes.
static void append(int n, int *count, int **last) {
  int mine = n;
  **last += *count;
  *last = &mine;
  ++*count;
  if (n)
    append(n - 1, count, last);
  mine += *count;
  if (n % 1000 == 0)
    *count += mine & 7;
}

// ((1+(2*3))-4): text of any depth
static const char *at;
static long expression(void);
static long factor(void) {
  if (*at == '(') {
    ++at;
    long value = expression();
    ++at;
    return value;
  }
  if (*at == '-') {
    ++at;
    return -factor();
  }
  return strtol(at, (char **)&at, 10);
}
static long term(void) {
  long value = factor();
  while (*at == '*' || *at == '/')
    value = *at++ == '*' ? value * factor() % 1000003 : value / (factor() | 1);
  return value;
}
static long expression(void) {
  long value = term();
  while (*at == '+' || *at == '-')
    value = *at++ == '+' ? value + term() : value - term();
  return value;
}
static long parse_nested(int depth) {
  char *text = malloc(4 * (size_t)depth + 16), *end = text;
  for (int i = 0; i < depth; ++i)
    *end++ = '(', *end++ = (char)('1' + i % 9), *end++ = "+-*"[i % 3];
  *end++ = '7';
  for (int i = 0; i < depth; ++i)
    *end++ = ')';
  *end = 0;
  at = text;
  long value = expression();
  free(text);
  return value;
}

typedef struct node {
  struct node *left, *right;
  int value;
} node;
static node *grow(int n) {
  node *made = calloc(1, sizeof *made);
  made->value = n;
  if (n)
    *(n % 5 ? &made->left : &made->right) = grow(n - 1);
  return made;
}
static long visit(node *tree, int depth) {
  long total = 0;
  for (int side = 0; side < 2; ++side) {
    node *child = side ? tree->right : tree->left;
    if (child)
      total += visit(child, depth + 1) * (side + 2);
  }
  total = (total + tree->value) % 1000003;
  free(tree);
  return total;
}

static int ackermann(int m, int n) {
  return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
  int start = 5;
  printf("sum %ld\n", sum(&start, 50000));
  printf("mean %.6f\n", mean(20000, 1.5, 2.5f, 'a'));
  unsigned char seen[64] = {0};
  printf("even %d", even(40000, seen));
  for (int i = 0; i < 64; ++i)
    printf(" %d", seen[i]);
  large folded = fold(3000, (large){{1, 2, 3}, "name"}, (small){3, 4, 5});
  for (int i = 0; i < 6; ++i)
    printf(" %ld", folded.values[i]);
  small halved = halve((small){1, 2, 3}, 20000);
  printf(" %s\n%d %d %f\n", folded.name, halved.x, halved.y, halved.z);
  pair numbers = fibonacci(30000);
  printf("fibonacci %ld %ld\n", numbers.low, numbers.high);
  int count = 0, first = 0, *last = &first;
  append(30000, &count, &last);
  printf("append %d %d\n", count, first);
  printf("nested %ld\n", parse_nested(30000));
  printf("visit %ld\n", visit(grow(30000), 0));
  printf("ackermann %d\n", ackermann(2, 300));
  return 0;
}
