// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/termios.h - As termios.h ------------*- C -*-===*/
#include <termios.h>
