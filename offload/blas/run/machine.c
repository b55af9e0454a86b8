//===-- offload/blas/run/machine.c - See machine.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/run/machine.h"
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

void describe_machine(char *line, size_t size, const offload_settings *told,
                      const char *library) {
  char cpu[128];
  cpu_name(cpu, sizeof cpu);
  cpu_set_t set;
  const int cpus =
      sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
  snprintf(line, size,
           "gpuexec blas 3; %s; %d processors; threads %s %s; %s; GPU %d of %s",
           cpu, cpus, or_dash(getenv("OPENBLAS_NUM_THREADS")),
           or_dash(getenv("OMP_NUM_THREADS")), library, told->device,
           or_dash(getenv("CUDA_VISIBLE_DEVICES")));
}
