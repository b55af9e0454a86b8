// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/unistd.h - As unistd.h --------------*- C -*-===*/
#include <unistd.h>
