/* Kernels of the AMD GPU below, for tests of libcuda alone: a module's image may be a code object of it. */
#define GLOBAL __attribute__((address_space(1)))
__attribute__((visibility("default"))) GLOBAL int scale = 3;

__attribute__((amdgpu_kernel)) void add(const GLOBAL int *a, const GLOBAL int *b, GLOBAL int *sum, int n) {
  int i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  if (i < n)
    sum[i] = a[i] + b[i];
}

__attribute__((amdgpu_kernel)) void multiply(GLOBAL int *values) {
  values[__builtin_amdgcn_workitem_id_x()] *= scale;
}

__attribute__((amdgpu_kernel)) void fault(GLOBAL int *values) { values[__builtin_amdgcn_workitem_id_x()] = 1; }
