// Memory of devices: there is one, the program's own. (Not in libomp: hosts have it in libomptarget.)
// RUN: %gpucc -fopenmp -O2 %s -o %t
// RUN: %run --threads 64 %t | FileCheck %s
#include <omp.h>
#include <stdio.h>

int main(void) {
  const int device = omp_get_initial_device();
  int wrong = 0;
  char *memory = omp_target_alloc(100, device);
  for (int i = 0; i < 100; ++i)
    memory[i] = (char)i;
  char copy[10], square[3][5] = {{0}};
  wrong += omp_target_memcpy(copy, memory, 10, 0, 20, device, device) != 0 || copy[9] != 29;
  // Rows 1 and 2, columns 2 to 4, of 5 rows of 20.
  const size_t volume[] = {2, 3}, to[] = {1, 1}, from[] = {1, 2}, to_size[] = {3, 5}, from_size[] = {5, 20};
  wrong += omp_target_memcpy_rect(square, memory, 1, 2, volume, to, from, to_size, from_size, device, device) != 0;
  wrong += square[0][1] != 0 || square[1][0] != 0 || square[1][1] != 22 || square[2][3] != 44 || square[2][4] != 0;
  wrong += omp_target_memcpy_rect(NULL, NULL, 1, 2, volume, to, from, to_size, from_size, device, device) < 2; // dimensions
  wrong += !omp_target_is_present(memory, device) || omp_get_mapped_ptr(memory, device) != memory;
  wrong += omp_target_associate_ptr(memory, memory, 100, 0, device) == 0 || omp_target_disassociate_ptr(memory, device) == 0;
  wrong += !omp_target_is_accessible(memory, 100, device);
  omp_depend_t none;
  char later[10] = {0};
  wrong += omp_target_memcpy_async(later, memory, 10, 0, 30, device, device, 0, &none) != 0;
  wrong += omp_target_memcpy_rect_async(square, memory, 1, 2, volume, from, from, to_size, from_size, device, device, 0, &none) != 0;
#pragma omp taskwait
  wrong += later[9] != 39 || square[1][2] != 22 || square[2][4] != 44;
  omp_target_free(memory, device);
  printf("%d wrong\n", wrong);
  return 0;
}
// CHECK: {{^}}0 wrong
