// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/arpa/inet.h - Addresses as text ---------*- C -*-===*/
#ifndef GPUEXEC_ARPA_INET_H
#define GPUEXEC_ARPA_INET_H

#include <netinet/in.h>

#ifdef __cplusplus
extern "C" {
#endif
in_addr_t inet_addr(const char *);
int inet_aton(const char *, struct in_addr *);
/* The text is in memory of the calling thread. */
char *inet_ntoa(struct in_addr);
/* By the class of the network. */
in_addr_t inet_network(const char *);
struct in_addr inet_makeaddr(in_addr_t, in_addr_t);
in_addr_t inet_netof(struct in_addr);
in_addr_t inet_lnaof(struct in_addr);
int inet_pton(int, const char *__restrict, void *__restrict);
const char *inet_ntop(int, const void *__restrict, char *__restrict, socklen_t);
#ifdef __cplusplus
}
#endif
#endif
