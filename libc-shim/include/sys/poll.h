// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/poll.h - As poll.h ------------------*- C -*-===*/
#include <poll.h>
