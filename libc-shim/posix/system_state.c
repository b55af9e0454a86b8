//===-- libc-shim/posix/system_state.c - sysinfo --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See sys/sysinfo.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/posix/system_text.h"
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

int sysinfo(struct sysinfo *to) {
  char text[2048];
  *to = (struct sysinfo){.mem_unit = 1};
  if (!__system_text("/proc/meminfo", text, sizeof text))
    return fail_with(ENOSYS);
  to->totalram = __memory_size(text, "MemTotal:");
  to->freeram = __memory_size(text, "MemFree:");
  to->sharedram = __memory_size(text, "Shmem:");
  to->bufferram = __memory_size(text, "Buffers:");
  to->totalswap = __memory_size(text, "SwapTotal:");
  to->freeswap = __memory_size(text, "SwapFree:");
  if (__system_text("/proc/uptime", text, sizeof text))
    to->uptime = strtol(text, NULL, 10);
  if (__system_text("/proc/loadavg", text, sizeof text)) {
    char *at = text;
    for (int i = 0; i < 3; ++i)
      to->loads[i] = (unsigned long)(strtod(at, &at) * (1 << SI_LOAD_SHIFT));
    const char *all = strchr(at, '/'); // running/all
    to->procs = all ? (unsigned short)strtoul(all + 1, NULL, 10) : 0;
  }
  return 0;
}

int get_nprocs(void) { return 1; }
int get_nprocs_conf(void) { return 1; }
