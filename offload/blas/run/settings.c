//===-- offload/blas/run/settings.c - See settings.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/settings.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// A variable's value; NULL where it is not set or empty.
static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/// A copy of the value: programs change their environment, and free its memory.
static const char *kept(const char *name) {
  const char *value = variable(name);
  return value ? strdup(value) : NULL;
}

/// Whether there is NVIDIA's kernel driver (or that of Windows, in WSL).
/// Without it no library is loaded to look for a device.
static int has_driver(void) {
  return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}

/// The number of threads that copy: a quarter of the processors, because the
/// program has threads of its own.
static int copiers(void) {
  cpu_set_t set;
  const char *told = variable("GPUEXEC_BLAS_COPIERS"); // for tests
  return told                                          ? atoi(told)
         : sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) / 4
                                                       : 0;
}

static offload_settings settings;

const offload_settings *told(void) { return &settings; }

void read_settings(void) {
  offload_settings s = {0};
  const char *device = variable("GPUEXEC_BLAS_DEVICE");
  const char *size = variable("GPUEXEC_BLAS_MIN_SIZE");
  s.stats = kept("GPUEXEC_BLAS_STATS");
  s.model = kept("GPUEXEC_BLAS_MODEL");
  s.libcuda = kept("GPUEXEC_BLAS_LIBCUDA");
  s.libcublas = kept("GPUEXEC_BLAS_LIBCUBLAS");
  s.libcusolver = kept("GPUEXEC_BLAS_LIBCUSOLVER");
  const char *worth = variable("GPUEXEC_BLAS_WORTH");
  const char *opening = variable("GPUEXEC_BLAS_OPENING");
  // Opening and closing the device take 0.3 to 0.5 s with an H200.
  s.worth = worth ? atof(worth) : 1;
  s.opening = opening ? atof(opening) : worth ? 0 : 0.5;
  const char *governor = variable("GPUEXEC_BLAS_GOVERNOR");
  s.is_ungoverned = governor && !strcmp(governor, "off");
  s.waits = variable("GPUEXEC_BLAS_WAIT") != NULL;
  s.copiers = copiers();
  s.is_deterministic = variable("GPUEXEC_BLAS_DETERMINISTIC") != NULL;
  s.is_verbose = variable("GPUEXEC_BLAS_VERBOSE") != NULL;
  s.is_off =
      (device && !strcmp(device, "off")) || (!s.libcuda && !has_driver());
  if (device && !strncmp(device, "cuda:", 5))
    s.device = atoi(device + 5);
  if (size) {
    const double n = atof(size);
    s.least_work = n > 1 ? 2 * n * n * n : 1;
  } else if (s.is_deterministic) {
    s.least_work = 2.0 * 1024 * 1024 * 1024;
  }
  settings = s;
}
