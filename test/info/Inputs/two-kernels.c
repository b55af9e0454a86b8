// _start uses a stack array and SIZE values at once, _end next to nothing.
#ifndef SIZE
#define SIZE 8
#endif
__attribute__((amdgpu_kernel)) void _start(int n, float *p) {
  volatile float stack[40];
  float values[SIZE];
  for (int i = 0; i < SIZE; ++i)
    values[i] = p[i];
  stack[n & 31] = p[n];
  for (int j = 0; j < n; ++j)
#pragma unroll
    for (int i = 0; i < SIZE; ++i)
      values[i] = values[i] * values[(i + 1) % SIZE] + stack[j & 31] + p[j];
  for (int i = 0; i < SIZE; ++i)
    p[i] = values[i];
}
__attribute__((amdgpu_kernel)) void _end(int *p) { *p = 1; }
