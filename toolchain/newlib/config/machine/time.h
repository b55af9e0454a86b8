// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* POSIX's value. */
#ifndef _MACHTIME_H_
#define _MACHTIME_H_
#define _CLOCKS_PER_SEC_ 1000000
#endif
