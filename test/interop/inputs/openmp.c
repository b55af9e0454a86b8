// An OpenMP program that offloads to a GPU, for GCC's runtime over gpuexec's HSA library: mapped arrays, a reduction, the
// device's printf, nested data regions.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
static int square(int value) { return value * value; }
static int table[4] = {1, 2, 3, 4};
#pragma omp end declare target

int main(void) {
  enum { COUNT = 1000 };
  static int values[COUNT];
  int on_host = 1, threads = 0, fourth = 0;
  long sum = 0;
  printf("GPUs: %d\n", omp_get_num_devices());
  fflush(stdout);
#pragma omp target map(from : on_host, fourth)
  {
    on_host = omp_is_initial_device();
    table[3] += 38;
    fourth = table[3];
    printf("%s\n", on_host ? "the host says hello" : "the GPU says hello");
  }
#pragma omp target parallel map(from : threads)
#pragma omp single
  threads = omp_get_num_threads();
  for (int i = 0; i < COUNT; ++i)
    values[i] = i;
#pragma omp target data map(tofrom : values)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < COUNT; ++i)
      values[i] = square(values[i]) + 1;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)
    for (int i = 0; i < COUNT; ++i)
      sum += values[i];
  }
  double *heap = omp_target_alloc(COUNT * sizeof(double), 0), last = 0;
#pragma omp target parallel for is_device_ptr(heap)
  for (int i = 0; i < COUNT; ++i)
    heap[i] = i / 4.0;
  if (omp_target_memcpy(&last, heap, sizeof(last), 0, (COUNT - 1) * sizeof(double), omp_get_initial_device(), 0))
    return 1;
  omp_target_free(heap, 0);
  printf("on host: %d, threads: %s, table: %d, sum: %ld, last: %d, heap: %.2f\n", on_host, threads > 1 ? "several" : "one",
         fourth, sum, values[COUNT - 1], last);
  return 0;
}
