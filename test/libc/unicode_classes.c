// What every number up to 0x10ffff is as a wide character, its other cases and its width, in the locale C.UTF-8: as glibc has it, except for what Unicode
// has changed since glibc's version.
// RUN: %hostcc -fno-builtin %s -o %t.host && %t.host %t.expected && cp /usr/share/unicode/DerivedAge.txt %t.ages
// RUN: %gpucc %lanes -O2 -w %s -o %t
// RUN: rm -f %t.out && %run --threads 256 --blocks 17 %t %t.out
// RUN: %python %S/inputs/compare_characters.py %t.expected %t.out %t.ages | FileCheck %s
// CHECK: 1114112 characters, 4489 of them new in Unicode 15.0; others that differ: 10
// Alphabetic or Lowercase, or no longer, since Unicode 15.0.
// CHECK-NEXT: 0xc04 0xf82 0xf83 0x10fc 0xa7f2 0xa7f3 0xa7f4 0xab69 0x11080 0x11081
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#ifdef __gpuexec__
#include <gpuintrin.h>
#endif

enum { GROUP = 256, GROUPS = 0x110000 / GROUP };

typedef struct {
  uint32_t bits, cases;
} facts;

static facts facts_of(wint_t c, const wctype_t more[2], wctrans_t title) {
  int (*const tests[])(wint_t) = {iswalnum, iswalpha, iswblank, iswcntrl, iswdigit, iswgraph, iswlower, iswprint, iswpunct, iswspace, iswupper, iswxdigit};
  uint32_t bits = (uint32_t)(wcwidth((wchar_t)c) + 1);
  for (unsigned i = 0; i < sizeof tests / sizeof *tests; ++i)
    bits |= (uint32_t)(tests[i](c) != 0) << (2 + i);
  for (unsigned i = 0; i < 2; ++i)
    bits |= (uint32_t)(iswctype(c, more[i]) != 0) << (14 + i);
  return (facts){bits, ((uint32_t)towupper(c) * 31 + (uint32_t)towlower(c)) * 31 + (uint32_t)towctrans(c, title)};
}

static int write_group(int fd, unsigned group) {
  facts all[GROUP];
  const wctype_t more[] = {wctype("combining"), wctype("combining_level3")};
  const wctrans_t title = wctrans("totitle");
  for (unsigned i = 0; i < GROUP; ++i)
    all[i] = facts_of(group * GROUP + i, more, title);
  return pwrite(fd, all, sizeof all, (off_t)group * (off_t)sizeof all) == sizeof all;
}

int main(int argc, char **argv) {
  const int fd = open(argv[1], O_WRONLY | O_CREAT, 0666);
  if (!setlocale(LC_ALL, "C.UTF-8") || fd < 0)
    return 1;
#ifdef __gpuexec__
  return !write_group(fd, __gpu_block_id_x() * __gpu_num_threads_x() + __gpu_thread_id_x());
#else
  for (unsigned group = 0; group < GROUPS; ++group)
    if (!write_group(fd, group))
      return 1;
  return 0;
#endif
}
