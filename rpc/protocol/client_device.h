//===-- rpc/protocol/client_device.h - What the client needs of a GPU ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lanes act together, where a wave is in its grid, and memory order: what
// <gpuintrin.h> and clang's scoped atomics lack or do too slowly. Only client.h
// includes this file.
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

/// Reads an object that the loader fills in before the kernel starts. It does
/// not change while a kernel runs, so the compiler may keep it in registers and
/// load it once for a whole wave.
#ifdef __AMDGPU__
#define RPC_FILLED_IN(object)                                                  \
  (*(const __attribute__((                                                     \
      address_space(4))) __typeof__(object) *)(uintptr_t)&(object))
#else
#define RPC_FILLED_IN(object) (*(const __typeof__(object) *)&(object))
#endif

/// The mask of the lanes that are active here. They need not agree on a value:
/// see rpc_lanes_of().
RPC_INLINE uint64_t rpc_lane_mask(void) {
#ifdef __NVPTX__
  // ptxas assumes that the result of activemask is the same in all lanes that
  // ever meet. But groups of lanes with different masks can meet, for example
  // in a loop; a group would then use another's mask (seen on an H200 with CUDA
  // 13.0). An AND with all lanes, computed in each lane from its own number,
  // hides this from ptxas and leaves the mask as it is.
  return __gpu_lane_mask() & (__nvvm_read_ptx_sreg_lanemask_le() |
                              __nvvm_read_ptx_sreg_lanemask_gt());
#else
  return __gpu_lane_mask();
#endif
}

/// The mask of the active lanes that hold the same `value`. On AMD GPUs these
/// are all active lanes: the caller passes the same value in all of them. On
/// NVIDIA GPUs lanes that came here from different calls, with different
/// values, may meet in this code.
RPC_INLINE uint64_t rpc_lanes_of(uint64_t value) {
#ifdef __NVPTX__
  return __gpu_match_any_u64(rpc_lane_mask(), value);
#else
  (void)value;
  return rpc_lane_mask();
#endif
}

// Memory order. For NVPTX, Clang 22 widens scoped fences to the whole system,
// where a fence waits for all writes on their way over the bus, and it drops
// the order of read-modify-writes; therefore the instructions are written in
// PTX here. A fence is a release, which waits for earlier writes, and an
// acquire, which empties the first-level cache; an operation that needs only
// one of them uses an instruction with that order instead of a fence. Fences
// within one block are almost free, and many programs have only one block.
#if defined(__NVPTX__) && __CUDA_ARCH__ >= 700
#define RPC_PTX_ORDER 1
#else
#define RPC_PTX_ORDER 0
#endif

RPC_INLINE bool rpc_one_block(void) {
  return __gpu_num_blocks_x() * __gpu_num_blocks_y() * __gpu_num_blocks_z() ==
         1;
}

/// Orders this wave against the program's other waves. The inline assembly is
/// for LLVM's GlobalsAA, which would assume that a function with only a fence
/// leaves the program's static variables alone: other threads change them.
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

/// Takes a lock between the program's waves: one lane takes it for its group.
/// The group's lanes meet (__gpu_sync_lane) after this acquire and before
/// rpc_store_release(); that orders the accesses of all its lanes.
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
  uint32_t number;  ///< of this wave in the grid, from 0 on
  uint32_t count;   ///< of waves in the grid
  uint32_t thread;  ///< this lane's thread number in its block
  uint32_t threads; ///< number of threads in the block
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
