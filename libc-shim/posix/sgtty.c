//===-- libc-shim/posix/sgtty.c - gtty() and stty() -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <errno.h>
#include <sgtty.h>

int gtty(int fd, struct sgttyb *to) { return fail_with(ENOSYS); }
int stty(int fd, const struct sgttyb *from) { return fail_with(ENOSYS); }
