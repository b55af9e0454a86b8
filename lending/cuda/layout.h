//===-- lending/cuda/layout.h - Memory of a lent CUDA driver ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA program whose libcuda forwards its calls shares one file in memory
// with the worker that carries them out: a ring of calls, places for replies,
// and a staging area for copies, which the worker has registered with the
// driver. The worker makes the file; its size is sealed.
//
// The client writes calls behind each other at `head`; the worker reads up to
// it and moves `tail`. The worker copies a call before it looks at it: the
// client can change all of this memory at any time, and nothing that the worker
// relies on is kept here alone.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_LAYOUT_H
#define GPUEXEC_LENDING_CUDA_LAYOUT_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gpuexec::lent_cuda {

inline constexpr uint32_t RING_SIZE = 1u << 20; ///< a power of two
inline constexpr uint32_t LARGEST_CALL = 16u << 10;
inline constexpr uint32_t REPLY_SLOTS = 64;
inline constexpr uint32_t LARGEST_REPLY = 8u << 10;
inline constexpr uint32_t STAGES = 8;
inline constexpr uint32_t STAGE_SIZE = 1u << 20;
inline constexpr uint32_t CALLBACKS = 32;
inline constexpr uint32_t ATTRIBUTES = 256; ///< numbers below are known
inline constexpr uint16_t NO_REPLY = 0xffff;

/// A word that one side waits for and the other changes. The highest bit says
/// that somebody sleeps (words.h).
using Word = std::atomic<uint32_t>;

struct CallHeader {
  uint32_t size; ///< with this header; a multiple of CALL_STEP
  uint16_t call; ///< a Call; 0: nothing up to the ring's end
  uint16_t slot; ///< of the reply, or NO_REPLY
  uint32_t context;
  uint32_t alone; ///< 1: no other thread of the client has used CUDA so far
};
/// So that what is left at the ring's end always has room for a header.
inline constexpr uint32_t CALL_STEP = 16;
static_assert(sizeof(CallHeader) == CALL_STEP, "both sides of one build");

enum ReplyState : uint32_t { REPLY_NONE = 0, REPLY_THERE = 1 };
struct alignas(64) ReplySlot {
  Word state;
  int32_t result; ///< CUresult
  uint32_t size;
  std::byte bytes[LARGEST_REPLY];
};

/// Whose turn it is with a stage.
enum StageState : uint32_t {
  STAGE_FREE = 0,
  STAGE_CLIENTS = 1, ///< the client fills it, or has asked the worker to
  STAGE_FULL = 2,    ///< the worker has filled it
};
struct alignas(64) Stage {
  Word state;
};

/// A function of the client that a stream has come to.
enum CallbackState : uint32_t {
  CALLBACK_NONE = 0,
  CALLBACK_DUE = 1,
  CALLBACK_DONE = 2,
};
struct alignas(64) Callback {
  Word state;
  int32_t status;  ///< of the stream
  uint64_t number; ///< the client's
  uint64_t order;
};

/// What the client answers by itself.
struct DeviceFacts {
  int32_t driver_version;
  int32_t least_priority, greatest_priority;
  uint64_t memory;
  char name[256];
  char bus_id[32];
  unsigned char uuid[16];
  int32_t attributes[ATTRIBUTES];
  uint8_t has_attribute[ATTRIBUTES];
};

struct Shared {
  alignas(64) std::atomic<uint64_t> head;      ///< bytes written so far
  alignas(64) std::atomic<uint64_t> tail;      ///< bytes read so far
  alignas(64) Word asleep;                     ///< 1: the worker sleeps
  alignas(64) std::atomic<int32_t> late_error; ///< first of calls without reply
  std::atomic<int32_t> sticky; ///< a fault that has ended a context:
  std::atomic<uint32_t> sticky_context;
  alignas(64) Word callback_bell;
  /// Bytes that the device's driver has written to standard output and error,
  /// in files that came with this one; and how many of them the client has
  /// taken.
  alignas(64) std::atomic<uint64_t> printed[2];
  std::atomic<uint64_t> taken[2];
  alignas(64) DeviceFacts facts;
  Callback callbacks[CALLBACKS];
  Stage stages[STAGES];
  ReplySlot replies[REPLY_SLOTS];
  alignas(4096) std::byte ring[RING_SIZE];
  alignas(4096) std::byte staging[STAGES][STAGE_SIZE];
};

/// Kinds of handles. A handle of the interface, as the program sees it, is a
/// number that the client has made.
enum class Kind : uint32_t {
  none,
  context,
  module,
  function,
  stream,
  event,
  array,
  mipmap,
  pool,
};
inline constexpr uint32_t KINDS = 9;
inline constexpr uint32_t MOST_HANDLES = 1u << 20; ///< of a kind at a time

/// Bits of a handle: a mark, kind, generation (12 bits), index (20 bits).
struct Handle {
  static constexpr uint64_t MARK = uint64_t(0x6c) << 40;
  static uint64_t make(Kind kind, uint32_t generation, uint32_t index) {
    return MARK | uint64_t(kind) << 32 | uint64_t(generation & 0xfff) << 20 |
           index;
  }
  static bool is(uint64_t handle, Kind kind) {
    return handle >> 32 == (MARK >> 32 | uint64_t(kind));
  }
  static uint32_t index(uint64_t handle) {
    return uint32_t(handle) & (MOST_HANDLES - 1);
  }
  static uint32_t generation(uint64_t handle) { return uint32_t(handle) >> 20; }
};

/// Where pinned memory is mapped, in client and worker alike.
inline constexpr uint64_t PINNED_BEGIN = uint64_t(0x600000000000);
inline constexpr uint64_t PINNED_END = uint64_t(0x640000000000);

} // namespace gpuexec::lent_cuda

#endif
