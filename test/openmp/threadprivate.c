// threadprivate variables of the file, of another file and of a function: each thread has its own from region to region; copyin.
// RUN: %gpucc -fopenmp -O2 -DOTHER -c %s -o %t.o
// RUN: %gpucc -fopenmp -O2 %s %t.o -o %t
// RUN: %gpucc -fopenmp -O0 -DOTHER -c %s -o %t.0.o
// RUN: %gpucc -fopenmp -O0 %s %t.0.o -o %t.0
// RUN: %run --threads 1 %t | FileCheck %s
// RUN: %run --threads 128 --blocks 4 %t | FileCheck %s
// RUN: %run --threads 32 --blocks 3 %t.0 | FileCheck %s
#include <omp.h>
#include <stdio.h>
#include <string.h>

extern int shared_by_files;
#pragma omp threadprivate(shared_by_files)
int add_in_other_file(int n);

#ifdef OTHER
int shared_by_files = 1000;
int add_in_other_file(int n) { return shared_by_files += n; }
#else
struct state {
  int number;
  char text[30];
};
static struct state state = {7, "initial"};
static int counter;
#pragma omp threadprivate(state, counter)

static int next(void) {
  static int calls = 5;
#pragma omp threadprivate(calls)
  return calls++;
}

int main(void) {
  int wrong = 0;
  state.number = 8; // main()'s, which other threads do not get
  counter = 1;
#pragma omp parallel reduction(+ : wrong)
  {
    const int me = omp_get_thread_num();
    wrong += state.number != (me ? 7 : 8) || strcmp(state.text, "initial") || counter != !me;
    counter += me;
    state.number = 100 + me;
    wrong += next() != 5;
    wrong += add_in_other_file(me) != 1000 + me;
  }
  printf("first: %d wrong, %d %d\n", wrong, state.number, counter);
  // CHECK: first: 0 wrong, 100 1
#pragma omp parallel reduction(+ : wrong)
  {
    const int me = omp_get_thread_num();
    wrong += state.number != 100 + me || counter != !me + me || next() != 6 || shared_by_files != 1000 + me;
  }
  printf("second: %d wrong\n", wrong);
  // CHECK: second: 0 wrong
  strcpy(state.text, "copied");
  counter = 4711;
#pragma omp parallel copyin(state, counter) reduction(+ : wrong)
  {
    wrong += state.number != 100 || strcmp(state.text, "copied") || counter != 4711;
    wrong += shared_by_files != 1000 + omp_get_thread_num();
#pragma omp barrier
    int mine = omp_get_thread_num() * 2;
#pragma omp single copyprivate(counter)
    counter = 99;
    wrong += counter != 99 || mine != omp_get_thread_num() * 2;
  }
  printf("copied: %d wrong\n", wrong);
  // CHECK: copied: 0 wrong
  return 0;
}
#endif
