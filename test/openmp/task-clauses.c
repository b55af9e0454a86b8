// Clauses of tasks that the other tests lack: priority, affinity, mergeable, untied, if, final, depobj, iterators, inoutset, all memory,
// taskyield, taskwait nowait, taskloop with grainsize, num_tasks, strict, nogroup and reductions of all kinds, combined directives.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %run --threads 64 --blocks 2 %t.0 | FileCheck %s
// RUN: %run --threads 1 %t.2 | FileCheck %s
// RUN: %run --threads 64 --blocks 3 %t.2 | FileCheck %s
// RUN: %run --threads 100 --blocks 2 %t.2 | FileCheck %s
#include <omp.h>
#include <stdio.h>

enum { SIZE = 120 };

static void clauses(int n) {
  int sum = 0, copied = 5, order[2] = {0}, undeferred = 0, finals = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; ++i) {
#pragma omp task priority(i) affinity(order[0 : 2]) mergeable untied firstprivate(copied) shared(sum)
      {
        copied += i;
#pragma omp taskyield
#pragma omp atomic
        sum += copied;
      }
    }
#pragma omp task if (0) shared(undeferred)
    undeferred = 1;
    order[0] = undeferred;
#pragma omp task final(1) shared(finals)
    {
#pragma omp task shared(finals)
      {
#pragma omp task shared(finals)
        finals += omp_in_final();
        finals *= 2;
      }
      finals *= 3; // the inner ones were executed at once
    }
#pragma omp taskwait
    order[1] = sum;
  }
  printf("clauses: %d %d %d %d\n", order[0], order[1], finals, copied);
}

static void dependences(void) {
  int x = 1, y = 2, z = 0, list[10] = {0}, wrong = 0;
  omp_depend_t object, second;
#pragma omp parallel
#pragma omp single
  {
#pragma omp depobj(object) depend(inout : x)
#pragma omp depobj(second) depend(in : y)
    for (int i = 0; i < 5; ++i) {
#pragma omp task depend(depobj : object) shared(x) firstprivate(i)
      x = x * 3 + i;
    }
#pragma omp depobj(second) update(inout)
#pragma omp task depend(depobj : object, second) shared(x, y)
    y += x;
#pragma omp task depend(iterator(int i = 0 : 10 : 2, int j = 0 : 2), out : list[i + j]) shared(list)
    for (int i = 0; i < 10; ++i)
      list[i] = i;
    for (int i = 0; i < 3; ++i) {
#pragma omp task depend(inoutset : list[3]) depend(in : y) shared(z)
      {
#pragma omp atomic
        z += 10;
      }
    }
#pragma omp task depend(inout : list[3]) shared(z, y, list)
    list[3] += z + y;
#pragma omp task depend(out : omp_all_memory) shared(list, wrong)
    wrong = list[3] != 3 + 30 + y;
#pragma omp taskwait depend(in : list[3], x) nowait
#pragma omp taskwait
#pragma omp depobj(object) destroy
#pragma omp depobj(second) destroy
  }
  printf("dependences: %d %d %d %d %d\n", x, y, z, list[3], wrong);
}

static void loops(void) {
  int marks[SIZE] = {0}, last = 0, chunks = 0, grains = 0, sum = 0, product = 1, outer = 0, tasks = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(strict : 7) shared(marks) firstprivate(outer) lastprivate(last) untied
    for (int i = 0; i < SIZE; ++i) {
      marks[i] += i + outer;
      last = 2 * i;
    }
#pragma omp taskloop num_tasks(strict : 6) private(chunks) reduction(+ : tasks)
    for (int i = 0; i < 6; ++i) {
      chunks = i;
      tasks += chunks == i;
    }
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp taskloop nogroup in_reduction(+ : sum) collapse(2)
      for (int i = 0; i < 10; ++i)
        for (int j = i; j < 10; ++j)
          sum += i * j;
#pragma omp task in_reduction(+ : sum)
      sum += 1000;
    }
#pragma omp taskloop simd reduction(* : product) grainsize(2)
    for (int i = 1; i < 8; ++i)
      product *= i;
#pragma omp taskloop if (0) final(1) priority(3) shared(grains)
    for (int i = 0; i < 10; ++i)
      grains += omp_in_final();
#pragma omp taskloop shared(marks)
    for (int i = 5; i < 5; ++i)
      marks[i] = -1;
  }
  int combined = 0, more = 0;
#pragma omp parallel master taskloop reduction(+ : combined)
  for (int i = 0; i < 50; ++i)
    combined += i;
#pragma omp parallel masked taskloop simd reduction(+ : more)
  for (unsigned long i = 0; i < 50; ++i)
    more += (int)i;
#pragma omp parallel reduction(task, + : outer)
  {
#pragma omp masked taskloop in_reduction(+ : outer)
    for (int i = 0; i < 10; ++i)
      outer += i;
  }
  unsigned hash = 0;
  for (int i = 0; i < SIZE; ++i)
    hash = hash * 31 + (unsigned)marks[i];
  printf("loops: %u %d %d %d %d %d %d %d %d\n", hash, last, tasks, sum, product, grains, combined, more, outer);
}

static void groups(void) {
  int inner = 0, outer = 0, after = 0, many = 0;
#pragma omp parallel
  {
#pragma omp sections reduction(task, + : many)
    {
#pragma omp section
      {
#pragma omp task in_reduction(+ : many)
        many += 5;
      }
#pragma omp section
      many += 1;
    }
#pragma omp single
    {
#pragma omp task shared(outer, inner, after)
      {
#pragma omp taskgroup
        {
#pragma omp task shared(inner)
          {
#pragma omp task shared(inner)
            inner = 1;
          }
        }
        after = inner; // a descendant's
#pragma omp taskwait
        outer = 2;
      }
    }
  }
  printf("groups: %d %d %d %d\n", inner, outer, after, many);
}

int main(void) {
  clauses(20);
  dependences();
  loops();
  groups();
  return 0;
}
// CHECK: clauses: 1 290 6 5
// CHECK: dependences: 301 303 30 336 0
// CHECK: loops: 2985273404 238 6 2155 5040 10 1225 1225 45
// CHECK: groups: 1 2 1 6
