/*===-- libc-shim/include/sys/syslog.h ----------------------------*- C -*-===*/
#include <syslog.h>
