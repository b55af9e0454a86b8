//===-- libc-shim/posix/memory_map.c - mmap and its like ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See sys/mman.h: a mapping lies in a block of the heap. Mappings form a list.
// Files are read and written without holding the list's lock.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/lock.h"
#include "libc-shim/posix/memory_locks.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE ((size_t)4096)

/// A block of the heap, in which mappings lie.
typedef struct {
  char *memory;
  unsigned mappings;
} block;

/// The file behind mappings whose changes are written back.
typedef struct {
  int fd;         ///< a copy of the descriptor
  char *begin;    ///< where in memory the file's part begins
  char *original; ///< the bytes of that part, as the file has them
  off_t offset;   ///< of that part in the file
  dev_t device;   ///< which file it is, by device and number
  ino_t number;
  unsigned mappings;
} source;

typedef struct mapping {
  struct mapping *next;
  char *memory;
  size_t size; ///< bytes, a multiple of PAGE
  block *in;
  source *of;    ///< null when changes are not written back
  _Bool cleared; ///< false: of PROT_NONE, and not yet set to zeros
} mapping;

enum { MOST_MAPPINGS = 65530 }; // Linux's vm.max_map_count

static mapping *list;
static unsigned mappings; ///< how many there are
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
static int write_back(source *of, char *from, char *to) {
  struct stat file;
  off_t bytes = -1; // of the file behind `offset`; unknown
  for (char *at = from; of && at < to; at += PAGE) {
    char *const original = of->original + (at - of->begin);
    if (!memcmp(at, original, PAGE))
      continue;
    if (bytes < 0) {
      if (fstat(of->fd, &file))
        return errno;
      bytes = file.st_size > of->offset ? file.st_size - of->offset : 0;
    }
    const off_t left = bytes - (at - of->begin);
    if (left <= 0)
      break;
    const size_t size = left < (off_t)PAGE ? (size_t)left : PAGE;
    if (pwrite(of->fd, at, size, of->offset + (at - of->begin)) !=
        (ssize_t)size)
      return errno;
    memcpy(original, at, PAGE);
  }
  return 0;
}

static void write_back_all(void) {
  for (mapping *m = list; m; m = m->next)
    write_back(m->of, m->memory, m->memory + m->size);
}

/// Copies the mapping's bytes and the descriptor for write_back(). Returns 0 or
/// an errno value.
static int keep_file(mapping *m, int fd, off_t offset) {
  static uint32_t registered;
  source *of = calloc(1, sizeof *of);
  char *original = malloc(m->size);
  struct stat status;
  const int copy = of && original && !fstat(fd, &status) ? dup(fd) : -1;
  if (copy < 0) {
    free(of), free(original);
    return ENOMEM;
  }
  *of = (source){copy,          m->memory,     original, offset,
                 status.st_dev, status.st_ino, 1};
  memcpy(original, m->memory, m->size);
  m->of = of;
  if (!__scoped_atomic_exchange_n(&registered, 1, __ATOMIC_RELAXED,
                                  __MEMORY_SCOPE_DEVICE))
    atexit(write_back_all);
  return 0;
}

/// One mapping of the file less; null: none.
static void leave_file(source *of) {
  _Bool last = 0;
  WITH_LIST { last = of && !--of->mappings; }
  if (!last)
    return;
  close(of->fd);
  free(of->original);
  free(of);
}

/// Writes back what mappings have changed of the file, before it is mapped once
/// more.
static void write_back_file(int fd) {
  struct stat file;
  if (!__atomic_load_n(&mappings, __ATOMIC_RELAXED) || fstat(fd, &file))
    return;
  for (unsigned index = 0;; ++index) {
    mapping found = {0};
    WITH_LIST {
      unsigned left = index;
      for (mapping *m = list; m && !found.of; m = m->next)
        if (m->of && m->of->device == file.st_dev &&
            m->of->number == file.st_ino && !left--)
          found = *m;
      if (found.of)
        ++found.of->mappings;
    }
    if (!found.of)
      return;
    write_back(found.of, found.memory, found.memory + found.size);
    leave_file(found.of);
  }
}

/// Frees a mapping that is in no list, and what was its alone.
static void discard(mapping *m) {
  _Bool last = 0;
  WITH_LIST { last = !--m->in->mappings; }
  leave_file(m->of);
  __atomic_sub_fetch(&mappings, 1, __ATOMIC_RELAXED);
  if (last) {
    free(m->in->memory);
    free(m->in);
  }
  free(m);
}

//===-- Operations on ranges ----------------------------------------------===//

static _Bool is_aligned(const void *address) {
  return (uintptr_t)address % PAGE == 0;
}

/// A part of a mapping.
typedef struct {
  mapping *of; ///< null: none
  char *from, *to;
} part;

/// The first part of [from, to) that is mapped.
static part first_part(char *from, char *to) {
  part found = {0};
  WITH_LIST {
    char *lowest = to;
    for (mapping *m = list; m; m = m->next) {
      char *const end = m->memory + m->size;
      char *const start = from > m->memory ? from : m->memory;
      if (start < lowest && start < end) {
        lowest = start;
        found = (part){m, start, to < end ? to : end};
      }
    }
  }
  return found;
}

/// A mapping of what is mapped at [from, to) of `m`. Null: there is no memory.
static mapping *slice_of(const mapping *m, char *from, char *to) {
  mapping *slice = malloc(sizeof *slice);
  if (!slice)
    return NULL;
  *slice = *m;
  slice->memory = from;
  slice->size = (size_t)(to - from);
  __atomic_add_fetch(&mappings, 1, __ATOMIC_RELAXED);
  ++m->in->mappings;
  if (m->of)
    ++m->of->mappings;
  return slice;
}

/// Removes the part from the list; what is left of its mapping on both sides
/// stays. Without memory for that more stays.
static void unmap(part p) {
  mapping *m = p.of;
  _Bool whole = 0;
  WITH_LIST {
    char *const end = m->memory + m->size;
    if (p.from == m->memory && p.to == end) {
      mapping **link = &list;
      while (*link != m)
        link = &(*link)->next;
      *link = m->next;
      whole = 1;
    } else if (p.from == m->memory) {
      m->size = (size_t)(end - p.to);
      m->memory = p.to;
    } else {
      mapping *right = p.to < end ? slice_of(m, p.to, end) : NULL;
      if (right || p.to == end)
        m->size = (size_t)(p.from - m->memory);
      if (right) {
        right->next = list;
        list = right;
      }
    }
  }
  if (whole)
    discard(m);
}

/// Writes back, and with `unmaps` unmaps, what is mapped of a range.
static int for_range(char *begin, size_t size, _Bool unmaps, _Bool *any) {
  char *const end =
      (char *)(((uintptr_t)begin + size + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
  int error = 0;
  *any = 0;
  for (char *at = begin; at < end;) {
    const part p = first_part(at, end);
    if (!p.of)
      break;
    *any = 1;
    at = p.to;
    const int failed = write_back(p.of->of, p.from, p.to);
    error = error ? error : failed;
    if (unmaps)
      unmap(p);
  }
  return error;
}

/// For MAP_FIXED: a mapping in the place of what is mapped at [begin, begin +
/// size). Null if that is not within one mapping, or there is no memory.
static mapping *replace(char *begin, size_t size) {
  const part p = first_part(begin, begin + size);
  mapping *m = NULL;
  if (!p.of || p.from != begin || p.to != begin + size)
    return NULL;
  write_back(p.of->of, p.from, p.to);
  WITH_LIST { m = slice_of(p.of, p.from, p.to); }
  if (!m)
    return NULL;
  unmap(p);
  leave_file(m->of);
  m->of = NULL;
  return m;
}

//===-- mmap --------------------------------------------------------------===//

/// May the file be mapped with these arguments? Returns 0 or an errno value.
static int check(int protection, int flags, int fd) {
  if (protection & PROT_EXEC)
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

/// A mapping of `size` bytes in a block of its own. Null: there is no memory.
static mapping *new_mapping(size_t size) {
  if (__atomic_load_n(&mappings, __ATOMIC_RELAXED) >= MOST_MAPPINGS)
    return NULL;
  mapping *m = calloc(1, sizeof *m);
  block *in = calloc(1, sizeof *in);
  char *memory = aligned_alloc(PAGE, size);
  if (!m || !in || !memory) {
    free(m), free(in), free(memory);
    return NULL;
  }
  __atomic_add_fetch(&mappings, 1, __ATOMIC_RELAXED);
  *in = (block){memory, 1};
  *m = (mapping){.memory = memory, .size = size, .in = in};
  return m;
}

static void *failed(int error) {
  errno = error;
  return MAP_FAILED;
}

void *mmap(void *address, size_t size, int protection, int flags, int fd,
           off_t offset) {
  const int sharing = flags & (MAP_SHARED | MAP_PRIVATE);
  const _Bool fixed = (flags & MAP_FIXED) != 0;
  if (!size || offset < 0 || offset % (off_t)PAGE ||
      (fixed && !is_aligned(address)) ||
      (sharing != MAP_SHARED && sharing != MAP_PRIVATE))
    return failed(EINVAL);
  if (size > SIZE_MAX - PAGE)
    return failed(ENOMEM);
  int error = check(protection, flags, fd);
  if (error)
    return failed(error);
  const size_t whole = (size + PAGE - 1) & ~(PAGE - 1);
  mapping *m = fixed ? replace(address, whole) : new_mapping(whole);
  if (!m)
    return failed(fixed ? ENOTSUP : ENOMEM);
  m->cleared = protection != PROT_NONE || !(flags & MAP_ANONYMOUS) || fixed;
  if (m->cleared)
    memset(m->memory, 0, whole);
  if (!(flags & MAP_ANONYMOUS)) {
    write_back_file(fd);
    error = fill(m->memory, whole, fd, offset);
    if (!error && sharing == MAP_SHARED && (protection & PROT_WRITE))
      error = keep_file(m, fd, offset);
  }
  if (error) {
    discard(m);
    return failed(error);
  }
  WITH_LIST {
    m->next = list;
    list = m;
  }
  return m->memory;
}

//===-- munmap and its like -----------------------------------------------===//

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
  if (flags & MS_INVALIDATE && __gpuexec_memory_is_locked)
    return fail_with(EBUSY);
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
  char *const end = (char *)address + size;
  for (char *at = address; at < end;) {
    const part p = first_part(at, end);
    if (!p.of)
      break;
    clear(p.of);
    at = p.to;
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
  const size_t count = (size + PAGE - 1) / PAGE;
  if (!is_aligned(address))
    return fail_with(EINVAL);
  for (size_t page = 0; page < count; ++page) {
    char *const at = (char *)address + page * PAGE;
    if (!first_part(at, at + PAGE).of)
      return fail_with(ENOMEM);
    pages[page] = 1;
  }
  return 0;
}
