// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program without a library: start-up kernels that write down what they were given. Compiled for each code object
// version by tests/CMakeLists.txt, run by hsa_test.cpp on the emulated device.
#define KERNEL __attribute__((device_kernel, visibility("protected"), used))
#define GLOBAL __attribute__((visibility("protected"), used))
typedef unsigned long u64;

GLOBAL u64 __llvm_rpc_client[69]; // 552 bytes; nothing here asks the host for anything
GLOBAL u64 __llvm_libc_clock_freq = 1;

// What _begin and _start saw; hsa_test.cpp has the same order.
GLOBAL struct {
  u64 begin_argc, begin_argv, begin_envp;
  u64 argc, argv, envp, ret_before;
  u64 groups[3], group_size[3], grid_size[3];
  u64 threads;        // that ran
  u64 first_argument; // the first 8 bytes of argv[1]
  u64 end;            // 1 + what _end was given, or 1
  u64 clock;
} seen;
GLOBAL int has_seen; // nobody changes *ret before

KERNEL void _begin(int argc, char **argv, char **envp) {
  seen.begin_argc = argc;
  seen.begin_argv = (u64)argv;
  seen.begin_envp = (u64)envp;
  seen.clock = __llvm_libc_clock_freq;
}

KERNEL void _start(int argc, char **argv, char **envp, int *ret) {
  if (__atomic_fetch_add(&seen.threads, 1, __ATOMIC_RELAXED) == 0) {
    seen.argc = argc;
    seen.argv = (u64)argv;
    seen.envp = (u64)envp;
    seen.ret_before = *(volatile int *)ret;
    if (argc > 1)
      seen.first_argument = *(u64 *)argv[1];
    seen.group_size[0] = __builtin_amdgcn_workgroup_size_x();
    seen.group_size[1] = __builtin_amdgcn_workgroup_size_y();
    seen.group_size[2] = __builtin_amdgcn_workgroup_size_z();
    seen.grid_size[0] = __builtin_amdgcn_grid_size_x();
    seen.grid_size[1] = __builtin_amdgcn_grid_size_y();
    seen.grid_size[2] = __builtin_amdgcn_grid_size_z();
    for (int i = 0; i < 3; ++i)
      seen.groups[i] = seen.grid_size[i] / seen.group_size[i];
#if __has_builtin(__builtin_amdgcn_implicitarg_ptr) && VERSION >= 5
    // From code object V5 on the counts are arguments too, and must agree.
    const unsigned *counts = (const unsigned *)(const void *)__builtin_amdgcn_implicitarg_ptr();
    for (int i = 0; i < 3; ++i)
      if (counts[i] != seen.groups[i])
        seen.groups[i] = ~0ul;
    if (((const unsigned short *)counts)[32] != 3)
      seen.groups[0] = ~0ul;
#endif
    __atomic_store_n(&has_seen, 1, __ATOMIC_RELEASE);
  }
  while (!__atomic_load_n(&has_seen, __ATOMIC_ACQUIRE))
    ;
  __atomic_fetch_or(ret, 40 | argc, __ATOMIC_RELAXED);
}

#ifdef END_TAKES_STATUS
KERNEL void _end(int status) { seen.end = 1 + (u64)status; }
#else
KERNEL void _end(void) { seen.end = 1; }
#endif

KERNEL void fault(void) { *(volatile int *)0x123456789000 = 1; }
KERNEL void hang(void) {
  while (!*(volatile u64 *)&seen.clock || 1)
    ;
}
