//===-- offload/blas/operands/pages.c - See pages.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "offload/blas/operands/pages.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Of Linux 6.7; the headers of older distributions do not have them.
typedef struct {
  uint64_t begin, end, categories;
} page_region;
typedef struct {
  uint64_t size, flags, begin, end, walk_end, regions, region_count, most_pages,
      inverted, all_of, any_of, returned;
} scan_argument;
_Static_assert(sizeof(scan_argument) == 96, "struct pm_scan_arg of the kernel");
#define PAGES_SCAN _IOWR('f', 16, scan_argument)
enum {
  FEATURE_WP_ASYNC = 1 << 15,
  IS_WRITTEN = 1 << 1,
  IS_FILE = 1 << 2,
  IS_PRESENT = 1 << 3,
  PROTECT_MATCHING = 1 << 0,
  CHECK_ASYNC = 1 << 1, // EPERM where a part of the range is not registered
  REGIONS = 256,
};
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

static uintptr_t page_size(void) { return (uintptr_t)sysconf(_SC_PAGESIZE); }

static void whole_pages(const void *address, size_t size, uint64_t *begin,
                        uint64_t *end) {
  const uint64_t mask = page_size() - 1;
  *begin = (uintptr_t)address & ~mask;
  *end = ((uintptr_t)address + size + mask) & ~mask;
}

const char *pages_open(pages *p) {
  p->pagemap = -1;
  // The kind that the kernel allows to users other than root: it would hold
  // writes of user mode alone. In asynchronous mode it holds none.
  p->userfault = (int)syscall(SYS_userfaultfd,
                              O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
  if (p->userfault < 0)
    return "userfaultfd is not permitted";
  struct uffdio_api api = {.api = UFFD_API, .features = FEATURE_WP_ASYNC};
  const char *error = NULL;
  if (ioctl(p->userfault, UFFDIO_API, &api) != 0)
    error = "the kernel is older than Linux 6.7";
  else if ((p->pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) < 0)
    error = "/proc/self/pagemap cannot be opened";
  if (error) {
    close(p->userfault);
    p->userfault = -1;
  }
  return error;
}

/// Registers the mappings that the range touches, each as a whole: a mapping
/// that was split could no longer be moved or resized by one mremap().
static int register_mappings(int userfault, uint64_t begin, uint64_t end) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps)
    return errno;
  char line[512];
  int error = ENOMEM; // nothing is mapped there
  while (fgets(line, sizeof line, maps)) {
    unsigned long from, to, inode;
    char flags[5];
    if (sscanf(line, "%lx-%lx %4s %*x %*x:%*x %lu", &from, &to, flags,
               &inode) != 4 ||
        to <= begin || from >= end)
      continue;
    // Other processes can write shared memory and files where we do not see it.
    if (inode != 0 || flags[3] != 'p') {
      error = ENOTSUP;
      break;
    }
    struct uffdio_register mapping = {.range = {from, to - from},
                                      .mode = UFFDIO_REGISTER_MODE_WP};
    error = ioctl(userfault, UFFDIO_REGISTER, &mapping) == 0 ? 0 : errno;
    if (error)
      break;
  }
  fclose(maps);
  return error;
}

/// Protects what is not protected, and reports it. The kernel does both at once
/// for each page.
static int protect(const pages *p, uint64_t begin, uint64_t end,
                   pages_written *written, void *context) {
  page_region regions[REGIONS];
  while (begin < end) {
    scan_argument scan = {.size = sizeof scan,
                          .flags = PROTECT_MATCHING | CHECK_ASYNC,
                          .begin = begin,
                          .end = end,
                          .regions = (uintptr_t)regions,
                          .region_count = REGIONS,
                          .all_of = IS_WRITTEN,
                          .returned = IS_WRITTEN};
    const int count = ioctl(p->pagemap, PAGES_SCAN, &scan);
    if (count < 0)
      return errno;
    for (int i = 0; i < count; ++i)
      written(context, regions[i].begin, regions[i].end);
    if (scan.walk_end <= begin)
      return EIO;
    begin = scan.walk_end;
  }
  return 0;
}

int pages_watch(pages *p, const void *address, size_t size,
                pages_written *written, void *context) {
  if (p->userfault < 0)
    return ENOSYS;
  uint64_t begin, end;
  whole_pages(address, size, &begin, &end);
  int error = protect(p, begin, end, written, context);
  if (error != EPERM)
    return error;
  error = register_mappings(p->userfault, begin, end);
  return error ? error : protect(p, begin, end, written, context);
}

int pages_unchanged(const pages *p, const void *address, size_t size) {
  if (p->userfault < 0)
    return 0;
  page_region region;
  // A page that is not there was discarded (madvise) or swapped out; one of a
  // file can be written elsewhere. A mapping that is new is not registered.
  scan_argument scan = {.size = sizeof scan,
                        .flags = CHECK_ASYNC,
                        .regions = (uintptr_t)&region,
                        .region_count = 1,
                        .most_pages = 1,
                        .inverted = IS_PRESENT,
                        .any_of = IS_WRITTEN | IS_FILE | IS_PRESENT,
                        .returned = IS_WRITTEN | IS_FILE | IS_PRESENT};
  whole_pages(address, size, &scan.begin, &scan.end);
  return ioctl(p->pagemap, PAGES_SCAN, &scan) == 0;
}
