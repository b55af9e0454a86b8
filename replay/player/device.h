//===-- replay/player/device.h - Something that can run an image ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One device, one image, one thread. Whatever fails ends the process with a
// message, except where a function says otherwise.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_PLAYER_DEVICE_H
#define GPUEXEC_REPLAY_PLAYER_DEVICE_H

#include "replay/player/plan.h"
#include "replay/player/process.h"

/// Memory that both sides see, zeroed.
struct host_memory {
  uint8_t *host;
  uint64_t address; ///< on the device
};

struct device {
  const char *name; ///< "cuda", "hsa", "emulator"
  /// launch() may be called while a kernel runs.
  bool queues;
  void (*load)(struct device *, const struct plan *, struct bytes image);
  /// Finds a variable of the image. False: it has none of that name.
  bool (*find_global)(struct device *, const char *name, uint64_t *address);
  struct host_memory (*allocate_host)(struct device *, uint64_t size);
  /// Allocates device memory for the program, also while it runs; 0: there is
  /// none. `alignment` is a power of two.
  uint64_t (*allocate)(struct device *, uint64_t size, uint64_t alignment);
  /// False: nothing was allocated there.
  bool (*free)(struct device *, uint64_t address);
  /// Whether the program may read, or if `writes` write, the whole range.
  bool (*holds)(struct device *, uint64_t address, uint64_t size, bool writes);
  /// Copies; errno or 0. The addresses come from the program and may be
  /// invalid.
  int (*read)(struct device *, void *to, uint64_t from, uint64_t size);
  int (*write)(struct device *, uint64_t to, const void *from, uint64_t size);
  uint64_t (*clock_frequency)(struct device *); ///< 0: the image knows it
  /// Launches a kernel, which runs after those that were launched before.
  void (*launch)(struct device *, const struct kernel *, const struct grid *,
                 const void *arguments);
  /// Whether a kernel still runs. If one has broken, calls `broken` with the
  /// signal that a native program would get, and ends the process.
  bool (*runs)(struct device *);
  void (*broken)(void *context, int signal); ///< set by the caller
  void *broken_context;
};

/// Open a device; NULL if there is no such driver or device. `forced`: fail()
/// with the reason instead.
struct device *open_cuda(bool forced);
struct device *open_hsa(const struct plan *plan, bool forced);
struct device *open_emulator(const struct plan *plan);

/// Opens the device with that name, or for "auto" one that suits the image.
struct device *open_device(const char *name, const struct plan *plan);

/// Tells a program that recurses how much of the heap a thread's recursion may
/// take, if the user said so when it was recorded.
void write_recursion_limit(struct device *device, uint64_t bytes);

/// Ends the process after a fault of the program, with the status for the
/// signal, after a message and `report`, lines of text.
_Noreturn void end_by_fault(struct device *device, int signal,
                            const char *report, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Call it when there was nothing to do: returns at once at first, later yields
/// the processor, later sleeps. `*since`: when this began; 0 before the first
/// call.
void back_off(uint64_t *since);

#endif // GPUEXEC_REPLAY_PLAYER_DEVICE_H
