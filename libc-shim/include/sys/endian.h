// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/endian.h - BSD's name of endian.h ---*- C -*-===*/
#include <endian.h>
