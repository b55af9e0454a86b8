/*===-- libc-shim/include/sys/termios.h - As termios.h ------------*- C -*-===*/
#include <termios.h>
