// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/syslog.h ----------------------------*- C -*-===*/
#include <syslog.h>
