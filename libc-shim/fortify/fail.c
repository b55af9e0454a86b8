//===-- libc-shim/fortify/fail.c - The end after a failed check -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages are glibc's.
//===----------------------------------------------------------------------===//
#include <ssp/ssp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>

_Noreturn void __fortify_fail(const char *what) {
  fprintf(stderr, "*** %s ***: terminated\n", what);
  abort();
}

_Noreturn void __chk_fail(void) { __fortify_fail("buffer overflow detected"); }

_Noreturn void __stack_chk_fail(void) {
  __fortify_fail("stack smashing detected");
}

/// The index of the word of an fd_set that has the bit of a descriptor. Ends
/// the program if the set has no such bit.
long __fdelt_chk(long descriptor) {
  if (descriptor < 0 || descriptor >= FD_SETSIZE)
    __fortify_fail("bit out of range 0 - FD_SETSIZE on fd_set");
  return descriptor / NFDBITS;
}
