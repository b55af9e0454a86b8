// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/statfs.h - As sys/vfs.h -------------*- C -*-===*/
#include <sys/vfs.h>
