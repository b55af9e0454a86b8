//===-- libc-shim/argp/version_hook.c - For programs that do not define it ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --version calls this. See version.c.
//===----------------------------------------------------------------------===//
#include <argp.h>

void (*argp_program_version_hook)(FILE *restrict, struct argp_state *restrict);
