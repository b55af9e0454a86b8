// REQUIRES: emulator
// Every kind of report names the line in the source at every level of optimisation, although main and what the C library calls
// are inlined into code without debug information.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %inputs/source_lines.py %s %t "-g -O0" "-g -O1" "-g -O2" "-g -O3" "-g -Os" "-gline-tables-only -O2" -- %gpucc -w -pthread -- %run
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int total(struct node *list) {
  int sum = 0;
  for (; list; list = list->next)
    sum += *(volatile int *)&list->value; // here: fault
  return sum;
}
static int compare(const void *a, const void *b) {
  return **(volatile int *const *)a - **(volatile int *const *)b; // here: callback
}
static void *lock(void *argument) {
  pthread_mutex_lock(&mutex); // here: deadlock
  return argument;
}

int main(int argc, char **argv) {
  struct node node = {argc, (struct node *)(argc * 16l)};
  volatile int *places[] = {&node.value, (int *)(argc * 8l)};
  volatile int never = argc - 2, undefined;
  if (!strcmp(argv[1], "fault"))
    return total(&node);
  if (!strcmp(argv[1], "callback"))
    qsort(places, 2, sizeof *places, compare);
  if (!strcmp(argv[1], "division"))
    return argc / never; // here: division
  if (!strcmp(argv[1], "undefined"))
    if (*(&undefined + never)) // here: undefined
      return 1;
  if (!strcmp(argv[1], "deadlock")) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, lock, NULL);
    pthread_join(thread, NULL);
  }
  while (!never) // here: time-limit
    ;
  return 0;
}
