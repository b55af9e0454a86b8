// Threads reach one another's local variables: fixed arrays, structs, arrays of variable length, parameters, variables that share
// a condition with others, and those of a recursion.
// RUN: %hostcc -O1 -w %s -o %t.host -pthread && %t.host > %t.expected
// RUN: %gpucc -O2 -w -pthread %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %gpucc -O0 -w -pthread %s -o %t.0
// RUN: %run %t.0 > %t.out0
// RUN: diff %t.expected %t.out0
// RUN: %gpucc --arch gfx1100 -O2 -w -pthread %s -o %t.rdna
// RUN: %gpucc --arch sm_90 -O2 -w -pthread %s -o %t.cuda
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int *numbers;
  int count;
  long sum;
  char text[32];
} job;

static void *add(void *argument) {
  job *mine = argument;
  mine->sum = 0;
  for (int i = 0; i < mine->count; ++i)
    mine->sum += mine->numbers[i];
  snprintf(mine->text, sizeof mine->text, "sum %ld", mine->sum);
  mine->numbers[0] = -1;
  return mine->text;
}

static void by_value(job it, const char *name) {
  pthread_t thread;
  void *text;
  pthread_create(&thread, NULL, add, &it);
  pthread_join(thread, &text);
  printf("%s: %s\n", name, (char *)text);
}

static void variable_length(int count) {
  for (int round = 1; round < 4; ++round) {
    int numbers[count * round];
    for (int i = 0; i < count * round; ++i)
      numbers[i] = i * round;
    job mine = {numbers, count * round};
    pthread_t thread;
    pthread_create(&thread, NULL, add, &mine);
    pthread_join(thread, NULL);
    printf("%s %d\n", mine.text, numbers[0]);
  }
}

static long recurse(int depth) {
  _Alignas(64) int numbers[3] = {depth, 2 * depth, 3 * depth};
  job mine = {numbers, 3};
  pthread_t thread;
  pthread_create(&thread, NULL, add, &mine);
  long below = depth ? recurse(depth - 1) : 0;
  pthread_join(thread, NULL);
  return below + mine.sum + ((unsigned long)numbers & 63);
}

static void choose(int which) {
  int first[4] = {1, 2, 3, 4}, second[4] = {10, 20, 30, 40};
  int *chosen = which ? first : second;
  job mine = {chosen, 4};
  pthread_t thread;
  pthread_create(&thread, NULL, add, &mine);
  pthread_join(thread, NULL);
  printf("%ld %d %d\n", mine.sum, first[0], second[0]);
}

static job make(int *numbers, int count) { return (job){numbers, count}; }

int main(int argc, char **argv) {
  int numbers[100];
  for (int i = 0; i < 100; ++i)
    numbers[i] = i;
  enum { THREADS = 10 };
  job jobs[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    jobs[i] = make(numbers + 10 * i, 10);
    pthread_create(&threads[i], NULL, add, &jobs[i]);
  }
  for (int i = 0; i < THREADS; ++i) {
    void *text;
    pthread_join(threads[i], &text);
    printf("%s %d\n", (char *)text, numbers[10 * i]);
  }
  by_value(jobs[3], "by value");
  variable_length(5 + argc);
  printf("%ld\n", recurse(50));
  choose(argc > 1);
  choose(argc == 1);
  // As often as the memory would be used up if it were not given back.
  long total = 0;
  for (int i = 0; i < 300; ++i)
    total += recurse(3);
  printf("%ld\n", total);
  return 0;
}
