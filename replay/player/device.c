//===-- replay/player/device.c - Something that can run an image ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/device.h"
#include "gpu/start_up.h"
#include "replay/player/process.h"
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct device *open_device(const char *name, const struct plan *plan) {
  const bool is_amd = plan->is_amd;
  const bool automatic = strcmp(name, "auto") == 0;
  if (!is_amd && (automatic || strcmp(name, "cuda") == 0))
    return open_cuda(true);
  if (is_amd && strcmp(name, "hsa") == 0)
    return open_hsa(plan, true);
  if (is_amd && (automatic || strcmp(name, "emulator") == 0)) {
    struct device *device = automatic ? open_hsa(plan, false) : NULL;
    return device ? device : open_emulator(plan);
  }
  fail(STATUS_NOT_RUNNABLE, "--device %s: the program was recorded for %s GPU",
       name, is_amd ? "an AMD" : "an NVIDIA");
}

void write_recursion_limit(struct device *device, uint64_t bytes) {
  uint64_t address;
  if (bytes && device->find_global(device, GPUEXEC_RECURSION_LIMIT, &address) &&
      device->write(device, address, &bytes, sizeof bytes))
    fail(STATUS_FAILED, "%s: writing the limit of recursion", device->name);
}

void end_by_fault(struct device *device, int signal, const char *report,
                  const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (device->broken)
    device->broken(device->broken_context, signal);
  say("gpu-replay: error: ");
  say(text);
  say("\n");
  say(report);
  _exit(128 + signal);
}

void back_off(uint64_t *since) {
  // As rpc/server/back_off.h, which says why.
  enum {
    LOOK_FOR = 50000,
    YIELD_UNTIL = 300000,
    SHORTEST = 20000,
    LONGEST = 5000000
  };
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const uint64_t now =
      (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
  if (!*since)
    *since = now;
  const uint64_t quiet = now - *since, part = quiet / 500;
  if (quiet >= YIELD_UNTIL) {
    time = (struct timespec){0, (long)(part < SHORTEST  ? SHORTEST
                                       : part > LONGEST ? LONGEST
                                                        : part)};
    nanosleep(&time, NULL);
  } else if (quiet >= LOOK_FOR) {
    sched_yield();
  }
}
