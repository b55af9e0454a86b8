/*===-- libc-shim/include/sys/unistd.h - As unistd.h --------------*- C -*-===*/
#include <unistd.h>
