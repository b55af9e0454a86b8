/*===-- libc-shim/include/sys/signal.h - The other name of signal.h - C -*-===*/
#include <signal.h>
