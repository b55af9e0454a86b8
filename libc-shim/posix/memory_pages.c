//===-- libc-shim/posix/memory_pages.c - The host's memory, in pages ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separate from sysinfo(), so that sysconf(), which uses this, does not link
// that.
//===----------------------------------------------------------------------===//
#include "libc-shim/posix/system_text.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

bool __system_text(const char *path, char *to, size_t size) {
  const int fd = open(path, O_RDONLY);
  if (fd < 0)
    return false;
  const ssize_t got = read(fd, to, size - 1);
  close(fd);
  to[got > 0 ? got : 0] = 0;
  return got > 0;
}

unsigned long __memory_size(const char *text, const char *name) {
  const char *at = strstr(text, name);
  return at ? strtoul(at + strlen(name), NULL, 10) * 1024 : 0;
}

/// The number of pages that /proc/meminfo gives for `name`; -1: unknown.
static long pages(const char *name) {
  char text[2048];
  if (!__system_text("/proc/meminfo", text, sizeof text))
    return -1;
  return (long)(__memory_size(text, name) / (unsigned long)getpagesize());
}

long get_phys_pages(void) { return pages("MemTotal:"); }
long get_avphys_pages(void) { return pages("MemFree:"); }
