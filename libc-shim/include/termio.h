// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/termio.h - Old name of termios.h --------*- C -*-===*/
#ifndef GPUEXEC_TERMIO_H
#define GPUEXEC_TERMIO_H

#include <sys/ioctl.h>
#include <termios.h>

#endif
