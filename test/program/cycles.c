// Variables that refer to each other or to themselves have their values before the constructors of the program run.
// RUN: %gpucc -O2 %s -o %t
// RUN: %run %t > %t.out
// RUN: FileCheck %s < %t.out
// CHECK: early 1
// CHECK: first 1 second 2 first 2
// CHECK: self 5 self 6 self 7
// CHECK: 1 1 1
#include <stdio.h>
struct node { const char *name; struct node *next; int value; };
extern struct node second;
static struct node self = {"self", &self, 5};
struct node first = {"first", &second, 1};
struct node second = {"second", &first, 2};
extern const struct row { int number; const void *all[3]; } table[2];
const struct row table[2] = {{1, {0, &table[1], 0}}, {2, {table, 0, &table[1].number}}};
__attribute__((constructor(101))) static void early(void) {
  printf("early %d\n", second.next == &first && self.next == &self);
}
static void show(struct node *at) {
  for (int i = 0; i < 3; ++i, at = at->next)
    printf("%s %d ", at->name, at->value++);
  puts("");
}
int main(int argc, char **argv) {
  show(&first);
  show(&self);
  volatile int i = argc;
  printf("%d %d %d\n", table[i].all[0] == table, table[i].all[2] == &table[i].number, table[i - 1].all[1] == &table[i]);
}
