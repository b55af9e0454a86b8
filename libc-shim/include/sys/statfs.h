/*===-- libc-shim/include/sys/statfs.h - As sys/vfs.h -------------*- C -*-===*/
#include <sys/vfs.h>
