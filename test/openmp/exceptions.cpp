// Exceptions in files that are compiled with -fopenmp: each thread of a region throws and catches its own, objects are destroyed,
// and what would leave a region, or a loop's iteration, ends the program at the throw. clang leaves throw and try out of code
// for devices.
// RUN: %hostcxx -fopenmp -w %s -o %t.host && %t.host > %t.expected
// RUN: for level in 0 2; do %gpucc -fopenmp -O$level %s -o %t.$level && %run --threads 64 --blocks 2 %t.$level > %t.out && diff %t.expected %t.out || { echo "failed: level=$level" >&2; exit 1; }; done
// RUN: %run --threads 64 --blocks 2 %t.2 leave > %t.out 2> %t.errors; test $? = 134
// RUN: FileCheck %s < %t.errors
// CHECK: terminate called after throwing an instance of 'std::runtime_error'
// CHECK: what(): left
#include <omp.h>
#include <stdexcept>
#include <stdio.h>
#include <string>

static int destroyed[1024];
struct Counter {
  const int place;
  explicit Counter(int place) : place(place) {}
  ~Counter() {
#pragma omp atomic
    ++destroyed[place];
  }
};

__attribute__((noinline)) static int check(int i) {
  Counter counter(i);
  if (i % 3 == 0)
    throw std::runtime_error("three " + std::to_string(i));
  if (i % 5 == 0)
    throw i;
  return i;
}

static int again(int i) {
  try {
    return check(i);
  } catch (const std::exception &) {
    throw;
  } catch (int n) {
    throw std::string(n % 10, 'x');
  }
}

int main(int argc, char **argv) {
  long sum = 0, failed = 0, length = 0;
#pragma omp parallel for reduction(+ : sum, failed, length) num_threads(4)
  for (int i = 0; i < 200; ++i) {
    Counter counter(1000);
    try {
      sum += again(i);
    } catch (const std::runtime_error &error) {
      failed += error.what()[0] == 't';
    } catch (const std::string &text) {
      length += text.size();
    }
  }
  printf("for: %ld %ld %ld\n", sum, failed, length);

  int inside = 0, tasks = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp single
    for (int i = 1; i <= 10; ++i) {
#pragma omp task firstprivate(i) shared(tasks)
      {
        int value = 100;
        try {
          value = again(i);
        } catch (...) {
        }
#pragma omp atomic
        tasks += value;
      }
    }
#pragma omp critical
    {
      try {
        again(omp_get_thread_num() * 3);
      } catch (std::runtime_error &) {
        ++inside;
      }
    }
  }
  printf("tasks: %d, critical: %d\n", tasks, inside);

  try {
    throw argc > 100 ? throw 1 : std::runtime_error("outside");
  } catch (const std::exception &error) {
    printf("%s\n", error.what());
  }
  long all = 0;
  for (int count : destroyed)
    all += count;
  printf("%ld destroyed\n", all);

  if (argc > 1) {
#pragma omp parallel num_threads(4)
    if (omp_get_thread_num() == 1)
      throw std::runtime_error("left");
  }
  return 0;
}
