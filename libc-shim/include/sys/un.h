// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/un.h - Addresses of Unix sockets ----*- C -*-===*/
#ifndef GPUEXEC_SYS_UN_H
#define GPUEXEC_SYS_UN_H

#include <string.h>
#include <sys/socket.h>

struct sockaddr_un {
  sa_family_t sun_family;
  char sun_path[108];
};
#define SUN_LEN(address)                                                       \
  (__builtin_offsetof(struct sockaddr_un, sun_path) +                          \
   strlen((address)->sun_path))

#endif
