/*===-- libc-shim/include/sys/fcntl.h - As fcntl.h ----------------*- C -*-===*/
#include <fcntl.h>
