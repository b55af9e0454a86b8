//===-- cooperative_groups.h - Groups of threads that act together --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, tiles of a warp, the threads of a warp that run together, and grids
// of cudaLaunchCooperativeKernel(). Not here: clusters, groups of several
// grids, tiles of more than one warp.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_COOPERATIVE_GROUPS_H
#define GPUEXEC_CUDA_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#ifdef __CUDA__
#define GPUEXEC_DEVICE __device__ __inline__

namespace cooperative_groups {

namespace details {
GPUEXEC_DEVICE unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
GPUEXEC_DEVICE unsigned int lanes_below() {
  return __nvvm_read_ptx_sreg_lanemask_lt();
}
/// The rank of this thread in its block.
GPUEXEC_DEVICE unsigned int thread_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
GPUEXEC_DEVICE unsigned int block_size() {
  return blockDim.x * blockDim.y * blockDim.z;
}
GPUEXEC_DEVICE unsigned int block_in_grid() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
GPUEXEC_DEVICE unsigned int grid_size() {
  return gridDim.x * gridDim.y * gridDim.z;
}

/// Shuffles a value of any size, word by word. `shuffle_word` is the shuffle of
/// an int.
template <class T, class F> GPUEXEC_DEVICE T shuffle(T value, F shuffle_word) {
  constexpr int WORDS = (sizeof(T) + 3) / 4;
  int words[WORDS] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (int i = 0; i < WORDS; ++i)
    words[i] = shuffle_word(words[i]);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

/// The counter of grid_group::sync(): its top bit changes when all blocks have
/// come. A module has one, so two cooperative grids of a module must not run at
/// a time.
static __device__ unsigned int grid_barrier;

/// Waits until each block of the grid has called it.
GPUEXEC_DEVICE void sync_grid() {
  __syncthreads();
  if (thread_in_block() == 0) {
    constexpr unsigned int TOP = 0x80000000;
    // All additions together change the top bit and nothing else.
    const unsigned int share =
        block_in_grid() == 0 ? TOP - (grid_size() - 1) : 1;
    __threadfence();
    const unsigned int before = atomicAdd(&grid_barrier, share);
    while (((before ^ *(volatile unsigned int *)&grid_barrier) & TOP) == 0)
      ;
    __threadfence();
  }
  __syncthreads();
}
} // namespace details

//===-- What all groups have ----------------------------------------------===//

/// A group whose kind is known at run time: a block, or lanes of a warp.
class thread_group {
public:
  GPUEXEC_DEVICE unsigned int size() const {
    return is_block ? details::block_size() : __popc(mask);
  }
  GPUEXEC_DEVICE unsigned int num_threads() const { return size(); }
  GPUEXEC_DEVICE unsigned int thread_rank() const {
    return is_block ? details::thread_in_block()
                    : __popc(mask & details::lanes_below());
  }
  GPUEXEC_DEVICE void sync() const {
    if (is_block)
      __syncthreads();
    else
      __syncwarp(mask);
  }
  GPUEXEC_DEVICE bool is_valid() const { return true; }

protected:
  GPUEXEC_DEVICE thread_group(bool is_block, unsigned int mask)
      : mask(mask), is_block(is_block) {}
  friend GPUEXEC_DEVICE thread_group tiled_partition(const thread_group &group,
                                                     unsigned int size);

  unsigned int mask; ///< lanes of the warp, unless it is a block
  bool is_block;
};

class thread_block : public thread_group {
public:
  static GPUEXEC_DEVICE void sync() { __syncthreads(); }
  static GPUEXEC_DEVICE void barrier_sync() { __syncthreads(); }
  static GPUEXEC_DEVICE unsigned int size() { return details::block_size(); }
  static GPUEXEC_DEVICE unsigned int num_threads() { return size(); }
  static GPUEXEC_DEVICE unsigned int thread_rank() {
    return details::thread_in_block();
  }
  static GPUEXEC_DEVICE dim3 group_index() {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
  static GPUEXEC_DEVICE dim3 thread_index() {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  static GPUEXEC_DEVICE dim3 group_dim() {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
  static GPUEXEC_DEVICE dim3 dim_threads() { return group_dim(); }

private:
  GPUEXEC_DEVICE thread_block() : thread_group(true, 0) {}
  friend GPUEXEC_DEVICE thread_block this_thread_block();
};
GPUEXEC_DEVICE thread_block this_thread_block() { return thread_block(); }

/// All blocks of a kernel; sync() needs cudaLaunchCooperativeKernel().
class grid_group {
public:
  GPUEXEC_DEVICE void sync() const { details::sync_grid(); }
  GPUEXEC_DEVICE bool is_valid() const { return true; }
  GPUEXEC_DEVICE unsigned long long size() const {
    return (unsigned long long)details::grid_size() * details::block_size();
  }
  GPUEXEC_DEVICE unsigned long long num_threads() const { return size(); }
  GPUEXEC_DEVICE unsigned long long thread_rank() const {
    return (unsigned long long)details::block_in_grid() *
               details::block_size() +
           details::thread_in_block();
  }
  static GPUEXEC_DEVICE unsigned long long num_blocks() {
    return details::grid_size();
  }
  static GPUEXEC_DEVICE unsigned long long block_rank() {
    return details::block_in_grid();
  }
  static GPUEXEC_DEVICE dim3 group_dim() {
    return dim3(gridDim.x, gridDim.y, gridDim.z);
  }
  static GPUEXEC_DEVICE dim3 dim_blocks() { return group_dim(); }
  static GPUEXEC_DEVICE dim3 block_index() {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
};
GPUEXEC_DEVICE grid_group this_grid() { return grid_group(); }

//===-- Groups in a warp --------------------------------------------------===//

/// Threads of a warp that run together.
class coalesced_group : public thread_group {
public:
  GPUEXEC_DEVICE unsigned int size() const { return __popc(mask); }
  GPUEXEC_DEVICE unsigned int num_threads() const { return size(); }
  GPUEXEC_DEVICE unsigned int thread_rank() const {
    return __popc(mask & details::lanes_below());
  }
  GPUEXEC_DEVICE unsigned long long meta_group_size() const { return groups; }
  GPUEXEC_DEVICE unsigned long long meta_group_rank() const { return rank; }
  GPUEXEC_DEVICE void sync() const { __syncwarp(mask); }
  template <class T> GPUEXEC_DEVICE T shfl(T value, unsigned int from) const {
    return shuffle_from(value, lane_of(from));
  }
  template <class T> GPUEXEC_DEVICE T shfl_up(T value, unsigned int by) const {
    const unsigned int own = thread_rank();
    return shuffle_from(value, lane_of(own < by ? own : own - by));
  }
  template <class T>
  GPUEXEC_DEVICE T shfl_down(T value, unsigned int by) const {
    const unsigned int own = thread_rank();
    return shuffle_from(value, lane_of(own + by < size() ? own + by : own));
  }
  GPUEXEC_DEVICE int any(int yes) const { return __any_sync(mask, yes); }
  GPUEXEC_DEVICE int all(int yes) const { return __all_sync(mask, yes); }
  GPUEXEC_DEVICE unsigned int ballot(int yes) const {
    return ranks_of(__ballot_sync(mask, yes));
  }
  template <class T> GPUEXEC_DEVICE unsigned int match_any(T value) const {
    return ranks_of(__match_any_sync(mask, value));
  }
  template <class T>
  GPUEXEC_DEVICE unsigned int match_all(T value, int &same) const {
    return ranks_of(__match_all_sync(mask, value, &same));
  }
  /// The lanes of the warp. For this header alone.
  GPUEXEC_DEVICE unsigned int lanes() const { return mask; }

protected:
  GPUEXEC_DEVICE explicit coalesced_group(unsigned int mask,
                                          unsigned int rank = 0,
                                          unsigned int groups = 1)
      : thread_group(false, mask), rank(rank), groups(groups) {}
  template <class T>
  GPUEXEC_DEVICE T shuffle_from(T value, unsigned int lane) const {
    const unsigned int lanes = mask;
    return details::shuffle(
        value, [=](int word) { return __shfl_sync(lanes, word, (int)lane); });
  }
  /// The lane of a rank.
  GPUEXEC_DEVICE unsigned int lane_of(unsigned int rank) const {
    return mask == 0xffffffff ? rank : __fns(mask, 0, (int)rank + 1);
  }
  /// The bits of `lanes` that are in the group, packed.
  GPUEXEC_DEVICE unsigned int ranks_of(unsigned int lanes) const {
    if (mask == 0xffffffff)
      return lanes;
    unsigned int packed = 0;
    for (unsigned int left = mask, to = 0; left; left &= left - 1, ++to)
      packed |= (lanes >> (__ffs((int)left) - 1) & 1) << to;
    return packed;
  }
  friend GPUEXEC_DEVICE coalesced_group coalesced_threads();
  template <class G>
  friend GPUEXEC_DEVICE coalesced_group binary_partition(const G &group,
                                                         bool yes);
  template <class G, class T>
  friend GPUEXEC_DEVICE coalesced_group labeled_partition(const G &group,
                                                          T label);

  unsigned int rank, groups; ///< among the groups that a partition has made
};
GPUEXEC_DEVICE coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// SIZE consecutive threads of a block: 1, 2, 4, 8, 16 or 32.
template <unsigned int SIZE, class Parent = void>
class thread_block_tile : public thread_group {
  static_assert(SIZE && SIZE <= 32 && (SIZE & (SIZE - 1)) == 0,
                "tiles of 1, 2, 4, 8, 16 or 32 threads");

public:
  GPUEXEC_DEVICE thread_block_tile() : thread_group(false, own_mask()) {}
  template <class Other>
  GPUEXEC_DEVICE thread_block_tile(const thread_block_tile<SIZE, Other> &)
      : thread_group(false, own_mask()) {}
  static constexpr GPUEXEC_DEVICE unsigned int size() { return SIZE; }
  static constexpr GPUEXEC_DEVICE unsigned int num_threads() { return SIZE; }
  static GPUEXEC_DEVICE unsigned int thread_rank() {
    return details::lane() % SIZE;
  }
  static GPUEXEC_DEVICE unsigned int meta_group_size() {
    return (details::block_size() + SIZE - 1) / SIZE;
  }
  static GPUEXEC_DEVICE unsigned int meta_group_rank() {
    return details::thread_in_block() / SIZE;
  }
  static GPUEXEC_DEVICE void sync() { __syncwarp(own_mask()); }
  template <class T> GPUEXEC_DEVICE T shfl(T value, int from) const {
    return details::shuffle(value, [=](int word) {
      return __shfl_sync(own_mask(), word, from, SIZE);
    });
  }
  template <class T> GPUEXEC_DEVICE T shfl_up(T value, unsigned int by) const {
    return details::shuffle(value, [=](int word) {
      return __shfl_up_sync(own_mask(), word, by, SIZE);
    });
  }
  template <class T>
  GPUEXEC_DEVICE T shfl_down(T value, unsigned int by) const {
    return details::shuffle(value, [=](int word) {
      return __shfl_down_sync(own_mask(), word, by, SIZE);
    });
  }
  template <class T> GPUEXEC_DEVICE T shfl_xor(T value, unsigned int by) const {
    return details::shuffle(value, [=](int word) {
      return __shfl_xor_sync(own_mask(), word, (int)by, SIZE);
    });
  }
  GPUEXEC_DEVICE int any(int yes) const { return __any_sync(own_mask(), yes); }
  GPUEXEC_DEVICE int all(int yes) const { return __all_sync(own_mask(), yes); }
  GPUEXEC_DEVICE unsigned int ballot(int yes) const {
    return __ballot_sync(own_mask(), yes) >> first_lane();
  }
  template <class T> GPUEXEC_DEVICE unsigned int match_any(T value) const {
    return __match_any_sync(own_mask(), value) >> first_lane();
  }
  template <class T>
  GPUEXEC_DEVICE unsigned int match_all(T value, int &same) const {
    return __match_all_sync(own_mask(), value, &same) >> first_lane();
  }
  /// The lanes of the warp. For this header alone.
  static GPUEXEC_DEVICE unsigned int lanes() { return own_mask(); }

private:
  static GPUEXEC_DEVICE unsigned int first_lane() {
    return details::lane() / SIZE * SIZE;
  }
  static GPUEXEC_DEVICE unsigned int own_mask() {
    return SIZE == 32 ? 0xffffffff : ((1u << (SIZE % 32)) - 1) << first_lane();
  }
};

template <unsigned int SIZE, class G>
GPUEXEC_DEVICE thread_block_tile<SIZE, G> tiled_partition(const G &) {
  return thread_block_tile<SIZE, G>();
}
GPUEXEC_DEVICE thread_group tiled_partition(const thread_group &,
                                            unsigned int size) {
  const unsigned int first = details::lane() / size * size;
  const unsigned int lanes = size >= 32 ? 0xffffffff : (1u << size) - 1;
  return thread_group(false, lanes << first);
}

/// The threads for which `yes` is the same.
template <class G>
GPUEXEC_DEVICE coalesced_group binary_partition(const G &group, bool yes) {
  const unsigned int lanes = __ballot_sync(group.lanes(), yes);
  return coalesced_group(yes ? lanes : group.lanes() & ~lanes, yes, 2);
}
/// The threads that have the same label.
template <class G, class T>
GPUEXEC_DEVICE coalesced_group labeled_partition(const G &group, T label) {
  const unsigned int lanes = __match_any_sync(group.lanes(), label);
  // Groups are numbered by their lowest lanes.
  const unsigned int leaders =
      __ballot_sync(group.lanes(), (lanes & details::lanes_below()) == 0);
  const unsigned int first = lanes & -lanes;
  return coalesced_group(lanes, __popc(leaders & (first - 1)), __popc(leaders));
}

//===-- Functions of groups -----------------------------------------------===//

template <class G> GPUEXEC_DEVICE void sync(const G &group) { group.sync(); }
template <class G>
GPUEXEC_DEVICE auto thread_rank(const G &group)
    -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class G>
GPUEXEC_DEVICE auto group_size(const G &group) -> decltype(group.size()) {
  return group.size();
}

/// Calls a function in one thread of the group.
template <class G, class F>
GPUEXEC_DEVICE void invoke_one(const G &group, F &&function) {
  if (group.thread_rank() == 0)
    function();
}

} // namespace cooperative_groups
#undef GPUEXEC_DEVICE
#endif // __CUDA__

#endif
