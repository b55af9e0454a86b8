// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/net/if.h - Network interfaces -----------*- C -*-===*/
#ifndef GPUEXEC_NET_IF_H
#define GPUEXEC_NET_IF_H

#define IF_NAMESIZE 16
#define IFNAMSIZ IF_NAMESIZE

struct if_nameindex {
  unsigned if_index; /* 0 in the last one */
  char *if_name;     /* null in the last one */
};

#ifdef __cplusplus
extern "C" {
#endif
/* The host's interfaces, as its folder /sys/class/net has them: with --sandbox
   none, unless that is allowed. */
unsigned if_nametoindex(const char *);
char *if_indextoname(unsigned, char *);
/* Unsorted; for if_freenameindex(). */
struct if_nameindex *if_nameindex(void);
void if_freenameindex(struct if_nameindex *);
#ifdef __cplusplus
}
#endif

#endif
