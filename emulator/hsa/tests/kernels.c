// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for the HSA tests, compiled for gfx942 with debug information. The
// tests name lines of this file: fault_line.
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"))) void
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))

__attribute__((visibility("protected"))) int counter = 40;
__attribute__((visibility("protected"))) const int table[4] = {1, 2, 3, 4};
extern __attribute__((weak, visibility("default"))) int from_host;
__attribute__((visibility("protected"))) int *const pointers[2] = {&counter,
                                                                   &from_host};

static unsigned thread(void) {
  return __builtin_amdgcn_workgroup_id_x() *
             __builtin_amdgcn_workgroup_size_x() +
         __builtin_amdgcn_workitem_id_x();
}

KERNEL fill(GLOBAL unsigned *to, unsigned value) {
  to[thread()] = value + thread();
}

KERNEL use_globals(GLOBAL int *to) {
  to[0] = ++*pointers[0];
  to[1] = table[3];
  to[2] = pointers[1] ? *pointers[1] : -1;
}

// Each block reverses its part through the group segment.
KERNEL reverse(GLOBAL unsigned *data) {
  static LOCAL unsigned copy[256] __attribute__((loader_uninitialized));
  unsigned lane = __builtin_amdgcn_workitem_id_x(),
           size = __builtin_amdgcn_workgroup_size_x();
  copy[lane] = data[thread()];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  data[thread()] = copy[size - 1 - lane];
}

// The block waits, without sleeping, for the host.
KERNEL wait_for_host(GLOBAL unsigned *flag) {
  __atomic_fetch_add(&flag[1], 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(flag, __ATOMIC_SEQ_CST))
    ;
}

// Blocks wait for each other, all of them, in the order of their numbers from
// the last to the first.
KERNEL chain(GLOBAL unsigned *turn) {
  unsigned block = __builtin_amdgcn_workgroup_id_x();
  while (__atomic_load_n(turn, __ATOMIC_SEQ_CST) != block + 1)
    ;
  __atomic_store_n(turn, block, __ATOMIC_SEQ_CST);
}

KERNEL endless(void) {
  for (;;)
    __asm__ volatile("s_nop 0");
}

__attribute__((noinline)) static void store_deep(int *at) {
  *at = 7; // fault_line
}

KERNEL store(int *at, unsigned only) {
  if (thread() == only)
    store_deep(at);
}

KERNEL trap(void) { __builtin_trap(); }

KERNEL count_up(GLOBAL unsigned long *to) {
  __atomic_fetch_add(to, 1, __ATOMIC_RELAXED);
}

// Sums what it reads: of memory that was written, and of memory that was not.
KERNEL sum(GLOBAL const unsigned *from, unsigned count, GLOBAL unsigned *to) {
  unsigned total = 0;
  for (unsigned i = 0; i < count; ++i)
    total += from[i];
  *to = total;
}
