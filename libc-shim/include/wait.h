// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/wait.h - The other name of sys/wait.h ---*- C -*-===*/
#include <sys/wait.h>
