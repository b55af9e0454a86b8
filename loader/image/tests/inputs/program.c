// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU program as small as one with everything that Image reads can be: the three kernels of LLVM's start-up, the RPC
// client's symbol, a constructor and a destructor, LDS, a stack frame, a function that is not inlined.
#if defined(__AMDGPU__)
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected")))
#else
#define KERNEL __attribute__((nvptx_kernel, visibility("protected")))
#endif
#define SHARED __attribute__((address_space(3)))

__attribute__((visibility("protected"))) char __llvm_rpc_client[552] __attribute__((aligned(8)));
__attribute__((visibility("protected"))) int counter = 7;
static SHARED int scratch[33] __attribute__((loader_uninitialized));

__attribute__((constructor(101))) static void first(void) { *(volatile int *)&counter += 1; }
__attribute__((constructor)) static void last(void) { *(volatile int *)&counter *= 2; }
__attribute__((destructor)) static void finish(void) { *(volatile int *)&counter = 3; }

__attribute__((noinline)) int helper(int *values, int n) {
  volatile int frame[4];
  frame[n & 3] = values[n];
  return frame[0] + values[0];
}

#ifdef __NVPTX__
int called(int *values, int n) __asm__("main");
__attribute__((noinline)) int called(int *values, int n) {
  volatile int frame[32];
  frame[n & 31] = values[n];
  return frame[0];
}
#else
#define called(values, n) 0
#endif

KERNEL void _begin(int argc, char **argv, char **envp) { counter += argc; }

KERNEL void _start(int argc, char **argv, char **envp, int *ret) {
  volatile int frame[10];
  frame[argc & 7] = 1;
  scratch[argc & 31] = frame[2];
  *ret = helper(ret, argc) + called(ret, argc) + scratch[frame[1] & 31];
#if defined(__AMDGPU__)
  *ret += __builtin_amdgcn_workgroup_size_x(); // reads a hidden argument
#endif
}

KERNEL void _end(void) { counter = 0; }
