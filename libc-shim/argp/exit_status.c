//===-- libc-shim/argp/exit_status.c - For programs that do not define it -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exit status after a wrong command line. See version.c.
//===----------------------------------------------------------------------===//
#include <argp.h>
#include <sysexits.h>

error_t argp_err_exit_status = EX_USAGE;
