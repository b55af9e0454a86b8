//===-- services/common/fuzz/memory.c - See memory.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/common/fuzz/memory.h"
#include <sys/mman.h>

#undef malloc
#undef free

enum { PAGE = 4096, MOST_MEMORY = 1 << 22, MOST_ENDS = 64 };
static struct {
  char *map;
  size_t size;
} ends[MOST_ENDS];
static unsigned end_count;

void *fuzz_malloc(size_t size) {
  if (size > MOST_MEMORY || end_count == MOST_ENDS)
    return NULL;
  const size_t pages = (size + PAGE - 1) / PAGE * PAGE;
  char *map = mmap(NULL, pages + 2 * PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED || mprotect(map + pages, PAGE, PROT_READ) ||
      mprotect(map + pages + PAGE, PAGE, PROT_NONE))
    abort();
  ends[end_count].map = map;
  ends[end_count++].size = pages + 2 * PAGE;
  return map + pages - size;
}

void fuzz_free(void *memory) {
  for (unsigned i = 0; i < end_count; ++i)
    if ((char *)memory >= ends[i].map &&
        (char *)memory < ends[i].map + ends[i].size)
      return;
  free(memory);
}

void fuzz_free_all(void) {
  while (end_count)
    --end_count, munmap(ends[end_count].map, ends[end_count].size);
}
