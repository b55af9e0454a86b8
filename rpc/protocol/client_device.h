//===-- rpc/protocol/client_device.h - What the client needs of a GPU ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lanes act together, where a wave is in its grid, and the order in which
// others see what it writes: of that, what <gpuintrin.h> and clang's scoped
// atomics leave open or do too dearly. A part of client.h.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_CLIENT_DEVICE_H
#define GPUEXEC_RPC_CLIENT_DEVICE_H

#include <gpuintrin.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RPC_INLINE static inline __attribute__((unused))

/// What the loader has filled in is the same for as long as a kernel runs, so
/// it may be kept in registers, and be loaded once for a whole wave.
#ifdef __AMDGPU__
#define RPC_FILLED_IN(object)                                                  \
  (*(const __attribute__((                                                     \
      address_space(4))) __typeof__(object) *)(uintptr_t)&(object))
#else
#define RPC_FILLED_IN(object) (*(const __typeof__(object) *)&(object))
#endif

/// The lanes that are active here, to be the mask of what they do together. Not
/// what they have in common: see rpc_lanes_of().
RPC_INLINE uint64_t rpc_lane_mask(void) {
#ifdef __NVPTX__
  // ptxas takes the result of activemask for the same in all lanes that ever
  // meet. But groups of lanes with masks of their own do meet, in a loop, say,
  // and then each would go by another's mask (seen on an H200 with CUDA 13.0).
  // So every lane makes its own of it, in a way that says nothing to ptxas: the
  // lanes up to this one and those after it are all lanes.
  return __gpu_lane_mask() & (__nvvm_read_ptx_sreg_lanemask_le() |
                              __nvvm_read_ptx_sreg_lanemask_gt());
#else
  return __gpu_lane_mask();
#endif
}

/// Those of them that hold the same `value`. All lanes that come here together
/// must do so; but on NVIDIA that says little in code that is shared: lanes
/// that had drifted apart, and came with other values from elsewhere, meet at
/// the instructions that they have in common.
RPC_INLINE uint64_t rpc_lanes_of(uint64_t value) {
#ifdef __NVPTX__
  return __gpu_match_any_u64(rpc_lane_mask(), value);
#else
  (void)value;
  return rpc_lane_mask();
#endif
}

// Order. Clang 22 widens what is scoped to the whole system on NVPTX, where a
// fence waits for what is on its way over the bus, and forgets the order of
// read-modify-writes: there it is written down. A fence is both a release,
// which waits, and an acquire, which empties the first level cache; so what
// needs one of them alone does without a fence. Within a block either is next
// to nothing, and many a program is one block.
#if defined(__NVPTX__) && __CUDA_ARCH__ >= 700
#define RPC_PTX_ORDER 1
#else
#define RPC_PTX_ORDER 0
#endif

RPC_INLINE bool rpc_one_block(void) {
  return __gpu_num_blocks_x() * __gpu_num_blocks_y() * __gpu_num_blocks_z() ==
         1;
}

/// Orders this wave against the program's other waves. The assembly keeps LLVM's
/// GlobalsAA from what it knows of functions with this: that they leave a
/// program's static variables alone. Other threads change these meanwhile.
RPC_INLINE void rpc_device_fence(void) {
#if RPC_PTX_ORDER
  if (rpc_one_block())
    __asm__ volatile("fence.acq_rel.cta;" ::: "memory");
  else
    __asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
#else
  __scoped_atomic_thread_fence(__ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
  __asm__ volatile("" ::: "memory");
#endif
}

/// For a lock between the program's waves, which one lane of a group takes for
/// all: they meet (__gpu_sync_lane) behind this, acquire, and before the other,
/// release; that orders theirs as well.
RPC_INLINE uint32_t rpc_exchange_acquire(uint32_t *word, uint32_t value) {
#if RPC_PTX_ORDER
  uint32_t before;
  if (rpc_one_block())
    __asm__ volatile("atom.relaxed.gpu.exch.b32 %0, [%1], %2;\n\t"
                     "fence.acq_rel.cta;"
                     : "=r"(before)
                     : "l"(word), "r"(value)
                     : "memory");
  else
    __asm__ volatile("atom.acquire.gpu.exch.b32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(word), "r"(value)
                     : "memory");
  return before;
#else
  return __scoped_atomic_exchange_n(word, value, __ATOMIC_ACQUIRE,
                                    __MEMORY_SCOPE_DEVICE);
#endif
}

RPC_INLINE void rpc_store_release(uint32_t *word, uint32_t value) {
#if RPC_PTX_ORDER
  if (rpc_one_block())
    __asm__ volatile("fence.acq_rel.cta;\n\t"
                     "st.relaxed.gpu.b32 [%0], %1;" ::"l"(word),
                     "r"(value)
                     : "memory");
  else
    __asm__ volatile("st.release.gpu.b32 [%0], %1;" ::"l"(word), "r"(value)
                     : "memory");
#else
  __scoped_atomic_store_n(word, value, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
#endif
}

/// Release store to memory that the host reads: once the host sees `value`, it
/// sees all our earlier writes.
RPC_INLINE void rpc_tell_host(uint32_t *word, uint32_t value) {
#if RPC_PTX_ORDER
  __asm__ volatile("st.release.sys.b32 [%0], %1;" ::"l"(word), "r"(value)
                   : "memory");
#else
  __scoped_atomic_store_n(word, value, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
#endif
}

/// Where this wave is in the grid.
typedef struct rpc_wave {
  uint32_t number;  ///< counted over the grid
  uint32_t count;   ///< of the grid's
  uint32_t thread;  ///< this lane's, in its block
  uint32_t threads; ///< of the block
} rpc_wave;

RPC_INLINE rpc_wave rpc_this_wave(void) {
  rpc_wave wave;
  wave.threads =
      __gpu_num_threads_x() * __gpu_num_threads_y() * __gpu_num_threads_z();
  wave.thread =
      __gpu_thread_id_x() +
      __gpu_num_threads_x() *
          (__gpu_thread_id_y() + __gpu_num_threads_y() * __gpu_thread_id_z());
  uint32_t block =
      __gpu_block_id_x() +
      __gpu_num_blocks_x() *
          (__gpu_block_id_y() + __gpu_num_blocks_y() * __gpu_block_id_z());
  uint32_t blocks =
      __gpu_num_blocks_x() * __gpu_num_blocks_y() * __gpu_num_blocks_z();
  uint32_t lanes = __gpu_num_lanes();
  uint32_t per_block = (wave.threads + lanes - 1) / lanes;
  wave.number = block * per_block + wave.thread / lanes;
  wave.count = blocks * per_block;
  return wave;
}

#ifdef __cplusplus
}
#endif

#endif // GPUEXEC_RPC_CLIENT_DEVICE_H
