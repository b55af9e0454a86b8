//===-- emulator/ptx/host/abi.h - What host code and its caller share -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel for the host is a list of regions. Region 0 begins where the kernel
// begins; region n where lanes go on behind meeting n: a barrier, a shuffle. A
// region runs from its beginning to the next meeting or the end of the lane,
// for a range of a group's lanes, one after the other. A group is a warp, or
// the whole block when no lane asks anything of its warp.
//
// Values that live across a meeting are in the group's slots: an array of
// `capacity` elements for each value that differs between lanes, and one word
// for each that does not. The addresses of the slots' arrays are constants of
// the code: slots + offset * capacity + lane * size.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_HOST_ABI_H
#define GPUEXEC_EMULATOR_PTX_HOST_ABI_H

#include <cstddef>
#include <cstdint>

namespace gpuexec::ptx::host {

/// Part of the name of kept files: it counts changes of this file.
constexpr unsigned ABI_VERSION = 1;

/// The symbol of the table of kernels in a library of host code.
constexpr char TABLE[] = "gpuexec_host_table";

constexpr uint32_t WARP_LANES = 32;
constexpr uint32_t MOST_THREADS = 1024; ///< of a block

/// What a region returns: the number of the meeting that all lanes have come
/// to, or one of these.
constexpr uint32_t ENDED = 0xfffe;     ///< all lanes have ended
constexpr uint32_t SCATTERED = 0xffff; ///< `next` has the number of each

/// What a region sees of the block.
struct Context {
  const uint8_t *arguments;
  uint8_t *shared;
  uint64_t shared_bytes; ///< static and dynamic
  uint8_t *slots;        ///< of the group
  uint8_t *frames;       ///< .local of the group's lanes, one behind the other
  uint32_t *next;        ///< where each lane of the group goes on
  void *const *variables;
  uint32_t dynamic_shared;
  uint32_t first; ///< the group's first thread, counted in the block
  uint32_t threads[3], blocks[3], block[3];
};
static_assert(offsetof(Context, variables) == 48 &&
                  offsetof(Context, first) == 60 &&
                  offsetof(Context, block) == 88,
              "compiled code relies on it");

/// Runs lanes [from, to) of the group. `uniform`: the values that are equal in
/// these lanes.
using Region = uint32_t(Context *context, uint32_t from, uint32_t to,
                        uint8_t *uniform);

enum class MeetingKind : uint32_t {
  block,     ///< all threads of the block
  count,     ///< likewise; the result: for how many the argument is not 0
  warp_sync, ///< (mask)
  shuffle,   ///< (value, lane, mask): the value of the lane
  ballot,    ///< (condition, mask): lanes of the mask with it; above, all lanes
  match_any, ///< (u64 value, mask)
  match_all,
  redux_add, ///< (value, mask)
  redux_and,
  redux_or,
  redux_xor,
  redux_min,
  redux_max,
  redux_umin,
  redux_umax,
};
constexpr const char *MEETING_NAMES[] = {
    "block",     "count",     "warp_sync", "shuffle",    "ballot",
    "match_any", "match_all", "redux_add", "redux_and",  "redux_or",
    "redux_xor", "redux_min", "redux_max", "redux_umin", "redux_umax"};

/// Whether it is the whole block's.
constexpr bool is_of_block(MeetingKind kind) {
  return kind == MeetingKind::block || kind == MeetingKind::count;
}

struct Meeting {
  MeetingKind kind;
  uint32_t mask;         ///< offset of the slot of the mask
  uint32_t arguments[2]; ///< offsets of the slots
  uint32_t result;       ///< likewise
};

struct Parameter {
  uint32_t offset, size;
};

struct Kernel {
  const char *name;
  const char *unfit; ///< why it is not fit for the host; null: it is
  Region *const *regions;
  const Meeting *meetings; ///< meetings[n - 1] is before region n
  const Parameter *parameters;
  uint32_t region_count, parameter_count;
  uint32_t parameters_size;
  uint32_t capacity;      ///< lanes of a group at most
  uint32_t slot_bytes;    ///< of a lane
  uint32_t uniform_bytes; ///< of a group
  uint32_t frame_bytes;   ///< .local of a lane
  uint32_t shared_bytes;  ///< static ones
  uint32_t max_threads;   ///< of a block
};

struct Table {
  uint32_t abi_version;
  uint32_t kernel_count, variable_count;
  uint32_t has_unfit; ///< a kernel of the module is not fit
  const Kernel *kernels;
  const char *const *variables; ///< names, in the order of Context::variables
};

} // namespace gpuexec::ptx::host

#endif // GPUEXEC_EMULATOR_PTX_HOST_ABI_H
