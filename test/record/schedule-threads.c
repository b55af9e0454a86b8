// REQUIRES: emulator
// Threads count without a mutex, and add to a list without a lock; addresses of memory are printed.
// RUN: %gpucc -O1 %s -o %t
// RUN: %python %inputs/reproduce.py "%run" --with= --with=--stats %t | FileCheck %s
// CHECK: 8 seeds: {{[2-8]}} different ends
// CHECK-NEXT: replayed 3 of 3
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 6, ROUNDS = 40 };
struct node {
  struct node *next;
  int value;
};
static struct node *volatile list;
static volatile int counter, ready;

static void *work(void *number) {
  ready = ready + 1; // racy as well: nobody waits for it to be exact
  while (ready == 1)
    ;
  for (int i = 0; i < ROUNDS; ++i) {
    struct node *node = malloc(sizeof *node);
    node->value = (int)(long)number * 100 + i;
    node->next = list;
    list = node;
    counter = counter + 1;
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; ++i)
    if (pthread_create(&threads[i], NULL, work, (void *)i))
      return 1;
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], NULL);
  int length = 0;
  unsigned long hash = 0;
  for (struct node *each = list; each; each = each->next, ++length)
    hash = hash * 31 + (unsigned)each->value;
  printf("counter %d, list of %d from %p, %lx\n", counter, length, (void *)list, hash);
  return counter & 127;
}
