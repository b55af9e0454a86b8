//===-- cmake/portable/glibc_2_31.c - What glibc 2.31 lacks --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The portable archive (cmake/portable/build.sh) is linked with Debian 11's glibc, version 2.31, from libraries that
// were compiled on Debian 12: libstdc++, libgcc and LLVM. They call functions that glibc got later, and that the
// headers here declare. Here they are, by what 2.31 has. Each is hidden: a program that loads one of our libraries keeps its own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

/// glibc 2.32: whether the process has one thread. libstdc++ then leaves
/// atomic operations out; "no" is always right.
HIDDEN char __libc_single_threaded = 0;

/// glibc 2.36: random bytes that cannot fail.
HIDDEN void arc4random_buf(void *buffer, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t got = getrandom((char *)buffer + at, size - at, 0);
    if (got > 0)
      at += (size_t)got;
    else if (errno != EINTR)
      abort(); // the kernel has no getrandom()
  }
}

HIDDEN uint32_t arc4random(void) {
  uint32_t value;
  arc4random_buf(&value, sizeof value);
  return value;
}

/// glibc 2.33: mallinfo() with wider members. Below 2 GiB both say the same.
HIDDEN struct mallinfo2 mallinfo2(void) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  struct mallinfo narrow = mallinfo();
#pragma clang diagnostic pop
  return (struct mallinfo2){
      .arena = (unsigned)narrow.arena,
      .ordblks = (unsigned)narrow.ordblks,
      .smblks = (unsigned)narrow.smblks,
      .hblks = (unsigned)narrow.hblks,
      .hblkhd = (unsigned)narrow.hblkhd,
      .usmblks = (unsigned)narrow.usmblks,
      .fsmblks = (unsigned)narrow.fsmblks,
      .uordblks = (unsigned)narrow.uordblks,
      .fordblks = (unsigned)narrow.fordblks,
      .keepcost = (unsigned)narrow.keepcost,
  };
}

/// glibc 2.35 (its manual, "Dynamic Linker Introspection"): the object that an
/// address lies in, and its unwind table. libgcc's unwinder asks.
struct search {
  uintptr_t address;
  struct dl_find_object *found;
};

static int holds_address(struct dl_phdr_info *info, size_t size, void *argument) {
  struct search *search = argument;
  uintptr_t low = UINTPTR_MAX, high = 0;
  void *table = NULL;
  int inside = 0;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
    if (segment->p_type == PT_GNU_EH_FRAME)
      table = (void *)begin;
    if (segment->p_type != PT_LOAD)
      continue;
    low = begin < low ? begin : low;
    high = end > high ? end : high;
    inside |= search->address >= begin && search->address < end;
  }
  if (!inside)
    return 0;
  memset(search->found, 0, sizeof *search->found);
  search->found->dlfo_map_start = (void *)low;
  search->found->dlfo_map_end = (void *)high;
  search->found->dlfo_eh_frame = table;
  return 1;
}

HIDDEN int _dl_find_object(void *address, struct dl_find_object *found) {
  struct search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(holds_address, &search) ? 0 : -1;
}
