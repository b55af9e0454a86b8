/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* For bench/signals: gives a program a handler, before main. */
#include <signal.h>

static void ignore_it(int number) { (void)number; }
__attribute__((constructor)) static void set_handler(void) { signal(SIGUSR1, ignore_it); }
