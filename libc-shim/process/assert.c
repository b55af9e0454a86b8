//===-- libc-shim/process/assert.c - A failed assertion -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes glibc's message to stderr in one piece, then calls abort().
//===----------------------------------------------------------------------===//
#include "libc-shim/process/process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void __assert_fail(const char *expression, const char *file,
                             unsigned line, const char *function) {
  const char *name = program_invocation_short_name;
  fprintf(stderr, "%s%s%s:%u: %s%sAssertion `%s' failed.\n", name,
          *name ? ": " : "", file, line, function ? function : "",
          function ? ": " : "", expression);
  abort();
}

_Noreturn void __assert_perror_fail(int number, const char *file, unsigned line,
                                    const char *function) {
  const char *name = program_invocation_short_name;
  fprintf(stderr, "%s%s%s:%u: %s%sUnexpected error: %s.\n", name,
          *name ? ": " : "", file, line, function ? function : "",
          function ? ": " : "", strerror(number));
  abort();
}

/// The name that newlib's headers use.
_Noreturn void __assert_func(const char *file, int line, const char *function,
                             const char *expression) {
  __assert_fail(expression, file, (unsigned)line, function);
}
