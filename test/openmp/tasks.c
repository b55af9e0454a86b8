// Tasks: recursive ones, many of a loop, in the barrier of another thread, of all threads at once; undeferred and final ones;
// taskwait, taskgroup, taskloop; reductions of tasks; events that complete tasks.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %run --threads 64 --blocks 2 %t.0 | FileCheck %s
// RUN: %run --threads 1 %t.2 | FileCheck %s
// RUN: %run --threads 128 --blocks 4 %t.2 | FileCheck %s
// RUN: %run --threads 32 --blocks 3 %t.2 | FileCheck %s
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static long fib(int n) {
  long a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a) firstprivate(n)
  a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n) if (n > 3)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static long fib_of_groups(int n) {
  long a = 0, b = 0;
  if (n < 2)
    return n;
#pragma omp taskgroup
  {
#pragma omp task shared(a)
    a = fib_of_groups(n - 1);
#pragma omp task shared(b)
    b = fib_of_groups(n - 2);
  }
  return a + b;
}

struct node {
  int value;
  struct node *next;
};

static int sum_list(struct node *list) {
  int sum = 0;
  for (; list; list = list->next) {
#pragma omp task firstprivate(list) shared(sum)
    {
#pragma omp atomic
      sum += list->value;
    }
  }
#pragma omp taskwait
  return sum;
}

static int count_tree(int depth) {
  int count = 0;
#pragma omp task shared(count) final(depth < 4)
  {
    const int final = omp_in_final();
    count = 1 + (depth ? count_tree(depth - 1) + count_tree(depth - 1) : 0);
    if (final != (depth < 4))
      count = -100000;
  }
#pragma omp taskwait
  return count;
}

int main(void) {
  const int n = omp_get_max_threads();
  long first = 0, second = 0;
#pragma omp parallel
#pragma omp single
  {
    first = fib(11);
    second = fib_of_groups(9);
  }
  printf("fib: %ld %ld %ld\n", first, second, fib(6));
  // CHECK: fib: 89 34 8

  // Many, which the barrier executes; more than the queue has places for.
  static int done[20000];
  int total = 0;
#pragma omp parallel shared(done)
  {
#pragma omp single
    for (int i = 0; i < 20000; ++i) {
#pragma omp task firstprivate(i)
      done[i] += i;
    }
    int mine = 0;
#pragma omp for
    for (int i = 0; i < 20000; ++i)
      mine += done[i] == i;
#pragma omp atomic
    total += mine;
  }
  printf("many: %d\n", total);
  // CHECK: many: 20000

  // All threads make tasks, which use what their makers have.
  int wrong = 0, sum = 0;
  for (int round = 0; round < 5; ++round)
#pragma omp parallel reduction(+ : wrong, sum)
  {
    struct node nodes[3];
    for (int i = 0; i < 3; ++i)
      nodes[i] = (struct node){omp_get_thread_num() + i, i < 2 ? &nodes[i + 1] : NULL};
    wrong += sum_list(nodes) != 3 * omp_get_thread_num() + 3;
    int local = 1;
#pragma omp task shared(local)
    local = 2;
#pragma omp taskwait
    sum += local;
  }
  printf("all: %d wrong, %d\n", wrong, sum == 10 * n);
  // CHECK: all: 0 wrong, 1

  int tree = 0;
#pragma omp parallel
#pragma omp master
  tree = count_tree(6);
  printf("tree: %d\n", tree);
  // CHECK: tree: 127

  int loop[300] = {0}, last = 0, strided = 0;
  long reduced = 0, product = 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(7) lastprivate(last)
    for (int i = 0; i < 300; ++i) {
      loop[i] += i;
      last = i;
    }
#pragma omp taskloop num_tasks(4) reduction(+ : reduced)
    for (long i = 100; i > 0; i -= 3)
      reduced += i;
#pragma omp taskloop collapse(2) shared(strided) if (n > 100)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 7; ++j) {
#pragma omp atomic
        strided += i * j;
      }
#pragma omp taskgroup task_reduction(* : product)
    for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(* : product)
      {
        product *= 2;
#pragma omp task in_reduction(* : product)
        product *= 3;
      }
    }
  }
  for (int i = 0; i < 300; ++i)
    wrong += loop[i] != i;
  printf("taskloop: %d wrong, %d %ld %d %ld\n", wrong, last, reduced, strided, product);
  // CHECK: taskloop: 0 wrong, 299 1717 210 60466176

  int modified = 0;
#pragma omp parallel reduction(task, + : modified)
  {
    modified += 1;
#pragma omp task in_reduction(+ : modified)
    modified += 10;
  }
  printf("reduction(task): %d\n", modified == 11 * n);
  // CHECK: reduction(task): 1

  int after = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
    int order = 0;
#pragma omp task detach(event) depend(out : order) shared(order)
    order = 1;
#pragma omp task depend(in : order) shared(after, order)
    after = order + 1;
#pragma omp task shared(order)
    omp_fulfill_event(event);
#pragma omp taskwait
  }
  printf("detach: %d\n", after);
  // CHECK: detach: 2
  return 0;
}
