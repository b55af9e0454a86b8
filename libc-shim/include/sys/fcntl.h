// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/fcntl.h - As fcntl.h ----------------*- C -*-===*/
#include <fcntl.h>
