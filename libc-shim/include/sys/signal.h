// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/signal.h - The other name of signal.h - C -*-===*/
#include <signal.h>
