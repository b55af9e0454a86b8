// --check=uninit finds every one of these mistakes, says what depends on the undefined value, and names the function.
// REQUIRES: emulator
// RUN: %gpucc -O1 -g %s -o %t -I%S/inputs
// RUN: %python %S/inputs/each_case.py %s bugs %run --check=uninit %t
// RUN: %gpucc -O0 -g %s -o %t.plain -I%S/inputs
// RUN: %python %S/inputs/each_case.py %s bugs %run --check=uninit %t.plain
#include "cases.h"
#include <unistd.h>

struct padded {
  char tag;
  int value;
  char last;
};
struct fields {
  unsigned a : 3, b : 5, c : 24;
};
struct node {
  struct node *next;
  int value;
};

CASE(malloc_into_branch) { // branch
  int *p = hide(malloc(40));
  return p[3] == 7 ? puts("seven") : puts("other");
}
CASE(local_by_pointer) { // branch
  int local;
  int *p = hide(&local);
  return *p > 3 ? puts("more") : puts("less");
}
CASE(member_skipped) { // branch
  struct padded *p = hide(malloc(sizeof *p));
  p->tag = 1;
  p->last = 2;
  return p->value ? puts("yes") : puts("no");
}
CASE(element_skipped) { // branch
  int *p = hide(malloc(16 * sizeof(int))), sum = 0;
  for (int i = 0; i < 16; ++i)
    if (i != 9)
      p[i] = i;
  hide(p);
  for (int i = 0; i < 16; ++i)
    sum += p[i];
  return sum > 100 ? puts("large") : puts("small");
}
CASE(partial_copy) { // branch
  char *to = hide(malloc(32)), *from = hide(calloc(1, 32));
  memcpy(to, from, 31);
  return memcmp(to, from, 32) ? puts("differ") : puts("same");
}
CASE(copied_from_undefined) { // branch
  char *to = hide(calloc(1, 100)), *from = hide(malloc(100));
  memset(from, 0, 50);
  memcpy(to, from, 100);
  return ((char *)hide(to))[77] == 'x' ? puts("x") : puts("not x");
}
CASE(copied_three_times) { // branch
  char *a = hide(malloc(64)), *b = hide(malloc(64)), *c = hide(malloc(64));
  memcpy(b, a, 64);
  memmove(c, b, 64);
  int value;
  memcpy(&value, hide(c + 5), sizeof value);
  return value < 0 ? puts("negative") : puts("positive");
}
CASE(bit_field) { // branch
  struct fields *f = hide(malloc(sizeof *f));
  f->a = 1;
  f->c = 2;
  hide(f);
  return f->b == 4 ? puts("four") : puts("not four");
}
CASE(one_bit) { // branch
  unsigned *p = hide(malloc(4));
  *p |= 0xfffffffe;
  hide(p);
  return *p & 1 ? puts("odd") : puts("even");
}
CASE(switch_on_it) { // branch
  int *p = hide(malloc(4));
  switch (*p) {
  case 1: return puts("one");
  case 5: return puts("five");
  case 900: return puts("many");
  default: return puts("else");
  }
}
CASE(float_compared) { // branch
  float *p = hide(malloc(8));
  p[0] = 1;
  hide(p);
  return p[0] < p[1] ? puts("less") : puts("more");
}
CASE(double_summed) { // branch
  double *p = hide(malloc(4 * sizeof(double))), sum = 0;
  p[0] = p[1] = p[3] = 1;
  hide(p);
  for (int i = 0; i < 4; ++i)
    sum += p[i] * 0.5;
  return sum == 2 ? puts("two") : puts("not two");
}
CASE(loop_bound) { // branch
  int *n = hide(malloc(4)), count = 0;
  for (int i = 0; i < (*n & 7); ++i)
    count += hide_int(i);
  return count;
}
CASE(while_condition) { // branch
  char *p = hide(malloc(16)), *q = p;
  memset(p, 'a', 8);
  hide(p);
  while (*q == 'a')
    ++q;
  return (int)(q - p);
}
CASE(index_of_array) { // address
  int *i = hide(malloc(4)), *table = hide(calloc(16, sizeof(int)));
  return table[*i & 15];
}
CASE(pointer_followed) { // address
  struct node *n = hide(malloc(sizeof *n));
  n->value = 1;
  hide(n);
  return n->next->value;
}
CASE(store_through_it) { // address
  int **p = hide(malloc(8));
  **p = 3;
  return 0;
}
CASE(atomic_through_it) { // address
  int **p = hide(malloc(8));
  return __atomic_fetch_add(*p, 1, __ATOMIC_RELAXED);
}
CASE(function_pointer) { // jump_or_branch (with masks, a loop over the targets of all lanes)
  int (**f)(const char *) = hide(malloc(8));
  return (*f)("text");
}
CASE(printed_number) { // output
  int *p = hide(malloc(4));
  return printf("%d\n", *p) < 0;
}
CASE(printed_double) { // output
  double *p = hide(malloc(8));
  return printf("%f\n", *p) < 0;
}
CASE(printed_text) { // branch
  char *p = hide(malloc(8));
  memset(p, 'x', 7);
  hide(p);
  return printf("%s\n", p) < 0;
}
CASE(short_write) { // output
  char *p = hide(malloc(10));
  memset(p, 'x', 9);
  return write(1, p, 10) != 10;
}
CASE(long_write) { // output
  char *p = hide(malloc(100000));
  memset(p, 'x', 99999);
  return write(1, p, 100000) != 100000;
}
CASE(padding_written) { // output
  struct padded *p = hide(malloc(sizeof *p));
  p->tag = 'a';
  p->value = 0x62626262;
  p->last = 'c';
  return fwrite(p, sizeof *p, 1, stdout) != 1;
}
CASE(long_fwrite) { // output
  char *p = hide(malloc(30000));
  memset(p, 'x', 29999);
  return fwrite(p, 30000, 1, stdout) != 1;
}
CASE(unterminated) { // branch
  char *p = hide(malloc(16));
  memset(p, 'x', 16);
  char *q = hide(malloc(16));
  memset(q, 'y', 11);
  return strlen(hide(q)) > 20;
}
static int order(const void *a, const void *b) {
  return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b);
}
CASE(sorted) { // branch
  int *p = hide(malloc(8 * sizeof(int)));
  for (int i = 0; i < 7; ++i)
    p[i] = 7 - i;
  qsort(hide(p), 8, sizeof(int), order);
  return p[0];
}
CASE(new_part_of_realloc) { // branch
  char *p = hide(malloc(100));
  memset(p, 1, 100);
  p = hide(realloc(p, 1000));
  return p[500] ? puts("set") : puts("clear");
}
CASE(freed_and_given_again) { // branch
  for (int i = 0; i < 4; ++i) {
    int *p = hide(malloc(200));
    memset(p, 0, 200);
    free(p);
  }
  int *q = hide(malloc(200));
  return q[20] ? puts("set") : puts("clear");
}
CASE(variable_length) { // branch
  int n = hide_int(12);
  int list[n];
  list[0] = 1;
  int *p = hide(list);
  return p[5] == 5 ? puts("five") : puts("not five");
}
CASE(allocated_on_the_stack) { // branch
  char *p = hide(__builtin_alloca((unsigned)hide_int(64)));
  p[1] = 1;
  hide(p);
  return p[2] ? puts("set") : puts("clear");
}
static __attribute__((noinline)) void fills_its_stack(void) {
  int list[64];
  int *p = hide(list);
  for (int i = 0; i < 64; ++i)
    p[i] = i;
  hide(p);
}
static __attribute__((noinline)) int reads_its_stack(void) {
  int list[64];
  int *p = hide(list);
  return p[40];
}
CASE(stack_of_an_earlier_call) { // branch
  fills_its_stack();
  return reads_its_stack() == 40 ? puts("forty") : puts("other");
}
CASE(shifted) { // branch
  uint64_t *p = hide(malloc(8));
  *(uint32_t *)p = 1;
  hide(p);
  return (*p >> 28 & 0xfff) < (uint64_t)hide_int(5) ? puts("less") : puts("more");
}
CASE(multiplied) { // branch
  unsigned *p = hide(malloc(4));
  return *p * 12 > 1000 ? puts("more") : puts("less");
}
CASE(divided) { // branch
  unsigned *p = hide(malloc(4));
  return 1000u / (*p | 1) > 10 ? puts("more") : puts("less");
}
CASE(selected) { // branch
  int *p = hide(malloc(8));
  p[0] = 1;
  hide(p);
  int x = hide_int(1) ? p[1] : p[0];
  return hide_int(x) == 2 ? puts("two") : puts("other");
}
CASE(byte_of_a_word) { // branch
  unsigned char *p = hide(malloc(4));
  p[0] = p[1] = p[3] = 0;
  uint32_t word = *(uint32_t *)hide(p);
  return word & 0xff0000 ? puts("set") : puts("clear");
}
CASE(returned_structure) { // branch
  struct padded a, *p = hide(&a);
  p->tag = 1;
  struct padded b = *(struct padded *)hide(p);
  return ((struct padded *)hide(&b))->value ? puts("set") : puts("clear");
}
CASE(global_from_undefined) { // branch
  static int global[4];
  int *p = hide(malloc(16));
  memcpy(hide(global), p, 16);
  return ((int *)hide(global))[2] ? puts("set") : puts("clear");
}
CASE(parsed) { // branch
  char *p = hide(malloc(8));
  p[0] = '1';
  return 1 + atoi(hide(p));
}

#define ROW(name) {#name, name},
static const struct named_case CASES[] = {
    ROW(malloc_into_branch) ROW(local_by_pointer) ROW(member_skipped)
    ROW(element_skipped) ROW(partial_copy) ROW(copied_from_undefined)
    ROW(copied_three_times) ROW(bit_field) ROW(one_bit) ROW(switch_on_it)
    ROW(float_compared) ROW(double_summed) ROW(loop_bound)
    ROW(while_condition) ROW(index_of_array) ROW(pointer_followed)
    ROW(store_through_it) ROW(atomic_through_it) ROW(function_pointer)
    ROW(printed_number) ROW(printed_double) ROW(printed_text)
    ROW(short_write) ROW(long_write) ROW(padding_written) ROW(long_fwrite)
    ROW(unterminated) ROW(sorted) ROW(new_part_of_realloc)
    ROW(freed_and_given_again) ROW(variable_length)
    ROW(allocated_on_the_stack) ROW(stack_of_an_earlier_call) ROW(shifted)
    ROW(multiplied) ROW(divided) ROW(selected) ROW(byte_of_a_word)
    ROW(returned_structure) ROW(global_from_undefined) ROW(parsed){0, 0}};

int main(int argc, char **argv) {
  int status = run_case(CASES, argv[1]);
  return status == 99 ? 99 : 0;
}
