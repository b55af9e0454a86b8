//===-- libc-shim/posix/memory_map.c - mmap and its like ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See sys/mman.h: a mapping is a block of the heap. Mappings form a list. Files
// are read and written without holding the list's lock.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/lock.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE ((size_t)4096)

typedef struct mapping {
  struct mapping *next;
  char *memory;
  size_t size;    ///< bytes, a multiple of PAGE
  size_t left;    ///< bytes that are not unmapped yet
  _Bool cleared;  ///< false: of PROT_NONE, and not yet set to zeros
  char *original; ///< the file's bytes; null when changes are not written back
  int fd;         ///< a copy of the descriptor, with `original`
  off_t offset;
} mapping;

static mapping *list;
static uint32_t list_lock;

#define WITH_LIST ONE_LANE_WITH(&list_lock)

//===-- The file behind a mapping -----------------------------------------===//

/// Reads `size` bytes, or up to the end of the file. Returns 0 or an errno
/// value.
static int fill(char *to, size_t size, int fd, off_t offset) {
  for (size_t at = 0; at < size;) {
    const ssize_t count = pread(fd, to + at, size - at, offset + (off_t)at);
    if (count < 0)
      return errno == ESPIPE || errno == EISDIR ? ENODEV : errno;
    if (!count)
      break;
    at += (size_t)count;
  }
  return 0;
}

/// Writes the changed pages of [from, to) to the file, but not beyond its end.
/// Returns 0 or an errno value.
static int write_back(mapping *m, size_t from, size_t to) {
  struct stat file;
  if (!m->original)
    return 0;
  if (fstat(m->fd, &file))
    return errno;
  const off_t bytes = file.st_size - m->offset;
  const size_t end = bytes < 0 ? 0 : (size_t)bytes < to ? (size_t)bytes : to;
  for (size_t at = from; at < end; at += PAGE) {
    const size_t size = end - at < PAGE ? end - at : PAGE;
    if (!memcmp(m->memory + at, m->original + at, size))
      continue;
    if (pwrite(m->fd, m->memory + at, size, m->offset + (off_t)at) !=
        (ssize_t)size)
      return errno;
    memcpy(m->original + at, m->memory + at, size);
  }
  return 0;
}

static void write_back_all(void) {
  for (mapping *m = list; m; m = m->next)
    write_back(m, 0, m->size);
}

/// Copies the mapping's bytes and the descriptor for write_back(). Returns 0 or
/// an errno value.
static int keep_file(mapping *m, int fd) {
  static uint32_t registered;
  m->original = malloc(m->size);
  m->fd = m->original ? dup(fd) : -1;
  if (m->fd < 0)
    return m->original ? errno : ENOMEM;
  memcpy(m->original, m->memory, m->size);
  if (!__scoped_atomic_exchange_n(&registered, 1, __ATOMIC_RELAXED,
                                  __MEMORY_SCOPE_DEVICE))
    atexit(write_back_all);
  return 0;
}

static void discard(mapping *m) {
  if (m->original)
    close(m->fd);
  free(m->original);
  free(m->memory);
  free(m);
}

//===-- mmap --------------------------------------------------------------===//

/// Does mmap() support these arguments? Returns 0 or an errno value.
static int check(int protection, int flags, int fd) {
  if ((flags & MAP_FIXED) || (protection & PROT_EXEC))
    return ENOTSUP;
  if (flags & MAP_ANONYMOUS)
    return 0;
  const int mode = fcntl(fd, F_GETFL);
  if (mode < 0)
    return errno;
  const _Bool writes = (flags & MAP_SHARED) && (protection & PROT_WRITE);
  const int access = mode & O_ACCMODE;
  return access == O_WRONLY || (writes && access != O_RDWR) ? EACCES : 0;
}

static void *failed(int error) {
  errno = error;
  return MAP_FAILED;
}

void *mmap(void *address, size_t size, int protection, int flags, int fd,
           off_t offset) {
  (void)address; // a hint, which is ignored
  const int sharing = flags & (MAP_SHARED | MAP_PRIVATE);
  if (!size || offset < 0 || offset % (off_t)PAGE ||
      (sharing != MAP_SHARED && sharing != MAP_PRIVATE))
    return failed(EINVAL);
  if (size > SIZE_MAX - PAGE)
    return failed(ENOMEM);
  int error = check(protection, flags, fd);
  if (error)
    return failed(error);
  const size_t whole = (size + PAGE - 1) & ~(PAGE - 1);
  mapping *m = calloc(1, sizeof *m);
  char *memory = aligned_alloc(PAGE, whole);
  if (!m || !memory) {
    free(m), free(memory);
    return failed(ENOMEM);
  }
  m->cleared = protection != PROT_NONE || !(flags & MAP_ANONYMOUS);
  if (m->cleared)
    memset(memory, 0, whole);
  m->memory = memory;
  m->size = m->left = whole;
  m->offset = offset;
  if (!(flags & MAP_ANONYMOUS)) {
    error = fill(memory, whole, fd, offset);
    if (!error && sharing == MAP_SHARED && (protection & PROT_WRITE))
      error = keep_file(m, fd);
  }
  if (error) {
    discard(m);
    return failed(error);
  }
  WITH_LIST {
    m->next = list;
    list = m;
  }
  return memory;
}

//===-- Operations on ranges ----------------------------------------------===//

/// A part of a mapping.
typedef struct {
  mapping *of; ///< null: none
  size_t from, to;
} part;

/// The first part of [from, to) that is mapped.
static part first_part(uintptr_t from, uintptr_t to) {
  part found = {0};
  uintptr_t lowest = to;
  WITH_LIST {
    for (mapping *m = list; m; m = m->next) {
      const uintptr_t begin = (uintptr_t)m->memory, end = begin + m->size;
      const uintptr_t start = from > begin ? from : begin;
      if (start < lowest && start < end) {
        lowest = start;
        found = (part){m, start - begin, (to < end ? to : end) - begin};
      }
    }
  }
  return found;
}

/// Unmaps the part; frees the mapping when no part of it is left.
static void unmap(part p) {
  _Bool last = 0;
  WITH_LIST {
    p.of->left -= p.to - p.from;
    last = p.of->left == 0;
    if (last) {
      mapping **link = &list;
      while (*link != p.of)
        link = &(*link)->next;
      *link = p.of->next;
    }
  }
  if (last)
    discard(p.of);
}

static int for_range(void *address, size_t size, _Bool unmaps, _Bool *any) {
  const uintptr_t begin = (uintptr_t)address;
  const uintptr_t end = (begin + size + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
  int error = 0;
  *any = 0;
  for (uintptr_t at = begin; at < end;) {
    const part p = first_part(at, end);
    if (!p.of)
      break;
    *any = 1;
    at = (uintptr_t)p.of->memory + p.to;
    const int failed = write_back(p.of, p.from, p.to);
    error = error ? error : failed;
    if (unmaps)
      unmap(p);
  }
  return error;
}

static _Bool is_aligned(const void *address) {
  return (uintptr_t)address % PAGE == 0;
}

int munmap(void *address, size_t size) {
  _Bool any;
  if (!is_aligned(address) || !size)
    return fail_with(EINVAL);
  for_range(address, size, 1, &any); // as Linux, reports no error of a write
  return 0;
}
int msync(void *address, size_t size, int flags) {
  _Bool any;
  if (!is_aligned(address) || (flags & ~(MS_ASYNC | MS_SYNC | MS_INVALIDATE)) ||
      ((flags & MS_ASYNC) && (flags & MS_SYNC)))
    return fail_with(EINVAL);
  const int error = for_range(address, size, 0, &any);
  if (error || (size && !any))
    return fail_with(error ? error : ENOMEM);
  return 0;
}

/// Sets a mapping that was made with PROT_NONE to zeros.
static void clear(mapping *m) {
  if (!m->cleared)
    memset(m->memory, 0, m->size);
  m->cleared = 1;
}

int mprotect(void *address, size_t size, int protection) {
  if (!is_aligned(address))
    return fail_with(EINVAL);
  if (protection != (PROT_READ | PROT_WRITE))
    return fail_with(ENOTSUP);
  const uintptr_t begin = (uintptr_t)address, end = begin + size;
  for (uintptr_t at = begin; at < end;) {
    const part p = first_part(at, end);
    if (!p.of)
      break;
    clear(p.of);
    at = (uintptr_t)p.of->memory + p.to;
  }
  return 0;
}
int posix_madvise(void *address, size_t size, int advice) {
  (void)size;
  return !is_aligned(address) || advice < POSIX_MADV_NORMAL ||
                 advice > POSIX_MADV_DONTNEED
             ? EINVAL
             : 0;
}
int madvise(void *address, size_t size, int advice) {
  if (posix_madvise(address, size, advice))
    return fail_with(EINVAL);
  return advice == MADV_DONTNEED ? fail_with(ENOTSUP) : 0;
}
int mincore(void *address, size_t size, unsigned char *pages) {
  const uintptr_t begin = (uintptr_t)address;
  const size_t count = (size + PAGE - 1) / PAGE;
  if (!is_aligned(address))
    return fail_with(EINVAL);
  for (size_t page = 0; page < count; ++page) {
    const uintptr_t at = begin + page * PAGE;
    if (!first_part(at, at + PAGE).of)
      return fail_with(ENOMEM);
    pages[page] = 1;
  }
  return 0;
}
