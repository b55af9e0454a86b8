/* Optional: lets a program share its work among the threads that gpuexec starts (--threads, --blocks). Compiled for the
   host, or started with one thread, there is one thread and nothing to share. */
#ifndef GRID_H
#define GRID_H

#if defined(__AMDGPU__) || defined(__NVPTX__)
#include <gpuintrin.h>

/* This thread's number in the whole grid, and how many there are. */
static inline unsigned thread_number(void) {
  return __gpu_block_id(0) * __gpu_num_threads(0) + __gpu_thread_id(0);
}
static inline unsigned thread_count(void) { return __gpu_num_blocks(0) * __gpu_num_threads(0); }

/* All threads of the block wait here for each other; what they wrote before is seen by all afterwards. */
static inline void wait_for_block(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __gpu_sync_threads();
}
#else
static inline unsigned thread_number(void) { return 0; }
static inline unsigned thread_count(void) { return 1; }
static inline void wait_for_block(void) {}
#endif

/* True for the last of all threads to come here: what the others did before is done. */
static inline int last_to_arrive(unsigned *arrived) {
  return __atomic_add_fetch(arrived, 1, __ATOMIC_ACQ_REL) == thread_count();
}

#endif
