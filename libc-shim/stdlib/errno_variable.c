//===-- libc-shim/stdlib/errno_variable.c - extern int errno; -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For programs that declare errno without <errno.h>, see getopt_variables.c.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/own_variable.h"
#include <errno.h>

OWN_VARIABLE(int, errno, __errno)
