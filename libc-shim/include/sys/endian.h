/*===-- libc-shim/include/sys/endian.h - BSD's name of endian.h ---*- C -*-===*/
#include <endian.h>
