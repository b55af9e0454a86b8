//===-- libc-shim/posix/system_state.c - sysinfo --------------------------===//
// See sys/sysinfo.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { PAGE = 4096 };

/// Reads the beginning of a file. False when that is not allowed.
static bool read_text(const char *path, char *to, size_t size) {
  const int fd = open(path, O_RDONLY);
  if (fd < 0)
    return false;
  const ssize_t got = read(fd, to, size - 1);
  close(fd);
  to[got > 0 ? got : 0] = 0;
  return got > 0;
}

/// A line "NAME: N kB" of /proc/meminfo, in bytes.
static unsigned long size_of(const char *text, const char *name) {
  const char *at = strstr(text, name);
  return at ? strtoul(at + strlen(name), NULL, 10) * 1024 : 0;
}

int sysinfo(struct sysinfo *to) {
  char text[2048];
  *to = (struct sysinfo){.mem_unit = 1};
  if (!read_text("/proc/meminfo", text, sizeof text))
    return fail_with(ENOSYS);
  to->totalram = size_of(text, "MemTotal:");
  to->freeram = size_of(text, "MemFree:");
  to->sharedram = size_of(text, "Shmem:");
  to->bufferram = size_of(text, "Buffers:");
  to->totalswap = size_of(text, "SwapTotal:");
  to->freeswap = size_of(text, "SwapFree:");
  if (read_text("/proc/uptime", text, sizeof text))
    to->uptime = strtol(text, NULL, 10);
  if (read_text("/proc/loadavg", text, sizeof text)) {
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

long get_phys_pages(void) {
  struct sysinfo all;
  return sysinfo(&all) ? -1 : (long)(all.totalram / PAGE);
}
long get_avphys_pages(void) {
  struct sysinfo all;
  return sysinfo(&all) ? -1 : (long)(all.freeram / PAGE);
}
