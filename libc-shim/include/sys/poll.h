/*===-- libc-shim/include/sys/poll.h - As poll.h ------------------*- C -*-===*/
#include <poll.h>
