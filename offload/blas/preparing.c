//===-- offload/blas/preparing.c - What is known before a device is opened ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model of this machine, and what this program gained before. From them
// follows whether the device is worth opening.
//===----------------------------------------------------------------------===//
#include "offload/blas/history.h"
#include "offload/blas/next.h"
#include "offload/blas/state.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void cpu_name(char *name, size_t size) {
  snprintf(name, size, "unknown");
  FILE *in = fopen("/proc/cpuinfo", "re");
  char line[256];
  while (in && fgets(line, sizeof line, in))
    if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
      line[strcspn(line, "\n")] = '\0';
      snprintf(name, size, "%s", strchr(line, ':') + 2);
      break;
    }
  if (in)
    fclose(in);
}

static const char *or_dash(const char *text) { return text ? text : "-"; }

/// What the model depends on, but for the GPU, which is not known before it is
/// opened: the model says whose it is.
static void make_key(void) {
  char cpu[128];
  cpu_name(cpu, sizeof cpu);
  cpu_set_t set;
  const int cpus =
      sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
  snprintf(blas.model_key, sizeof blas.model_key,
           "gpuexec blas 3; %s; %d processors; threads %s %s; %s; GPU %d of %s",
           cpu, cpus, or_dash(getenv("OPENBLAS_NUM_THREADS")),
           or_dash(getenv("OMP_NUM_THREADS")), blas_next_library(),
           blas.settings.device, or_dash(getenv("CUDA_VISIBLE_DEVICES")));
  model_file_name(blas.model_file, sizeof blas.model_file, blas.settings.model,
                  blas.model_key, "model");
  model_file_name(blas.history_file, sizeof blas.history_file,
                  blas.settings.model, blas.model_key, "history");
}

int blas_gains(uint64_t key) {
  static const double LEAST = 0.97; // runs are never quite the same
  history_entry e;
  if (!history_find(blas.history_file, key, &e))
    return -1;
  const int is_slower =
      e.with > 0 && e.without > 0 && (double)e.with > LEAST * (double)e.without;
  return (double)e.gain >= blas.settings.worth && !is_slower;
}

void blas_prepare(void) {
  if (blas.is_prepared)
    return;
  blas.is_prepared = 1;
  if (blas.settings.least_work > 0)
    return; // nothing is decided by time
  make_key();
  model_load(&blas.model, blas.model_file, blas.model_key);
  blas.program = find_history_keys();
  const int run_gains = blas_gains(blas.program.run);
  if (run_gains > 0) {
    __atomic_store_n(&blas.is_worth_it, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&blas.is_known_gain, 1, __ATOMIC_RELAXED);
  }
  blas.has_gained = run_gains < 0 && blas_gains(blas.program.program) > 0;
}
