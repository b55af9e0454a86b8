// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/netdb.h - Names of machines -------------*- C -*-===*/
/* The host resolves. Numbers are glibc's. Under --sandbox: EAI_SYSTEM, EPERM.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_NETDB_H
#define GPUEXEC_NETDB_H

#include <netinet/in.h>

struct addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  struct sockaddr *ai_addr;
  char *ai_canonname;
  struct addrinfo *ai_next;
};
#define AI_PASSIVE 0x0001
#define AI_CANONNAME 0x0002
#define AI_NUMERICHOST 0x0004
#define AI_V4MAPPED 0x0008
#define AI_ALL 0x0010
#define AI_ADDRCONFIG 0x0020
#define AI_NUMERICSERV 0x0400
#define EAI_BADFLAGS (-1)
#define EAI_NONAME (-2)
#define EAI_AGAIN (-3)
#define EAI_FAIL (-4)
#define EAI_NODATA (-5)
#define EAI_FAMILY (-6)
#define EAI_SOCKTYPE (-7)
#define EAI_SERVICE (-8)
#define EAI_MEMORY (-10)
#define EAI_SYSTEM (-11)
#define EAI_OVERFLOW (-12)
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_NOFQDN 4
#define NI_NAMEREQD 8
#define NI_DGRAM 16
#define NI_MAXHOST 1025
#define NI_MAXSERV 32

struct hostent {
  char *h_name;
  char **h_aliases;
  int h_addrtype;
  int h_length;
  char **h_addr_list;
#define h_addr h_addr_list[0]
};
struct servent {
  char *s_name;
  char **s_aliases;
  int s_port; /* in network order */
  char *s_proto;
};
struct protoent {
  char *p_name;
  char **p_aliases;
  int p_proto;
};
#define HOST_NOT_FOUND 1
#define TRY_AGAIN 2
#define NO_RECOVERY 3
#define NO_DATA 4
#define NO_ADDRESS NO_DATA

#ifdef __cplusplus
extern "C" {
#endif
int getaddrinfo(const char *__restrict, const char *__restrict,
                const struct addrinfo *__restrict,
                struct addrinfo **__restrict);
void freeaddrinfo(struct addrinfo *);
int getnameinfo(const struct sockaddr *__restrict, socklen_t,
                char *__restrict, socklen_t, char *__restrict, socklen_t, int);
const char *gai_strerror(int);
/* These return memory that the next call of any thread overwrites. */
struct hostent *gethostbyname(const char *);
struct hostent *gethostbyaddr(const void *, socklen_t, int);
/* Connections to a name server are not kept. */
void sethostent(int);
void endhostent(void);
struct servent *getservbyname(const char *, const char *);
struct servent *getservbyport(int, const char *);
struct protoent *getprotobyname(const char *);
struct protoent *getprotobynumber(int);
#if __MISC_VISIBLE
/* As the functions above, with memory of the caller's. 0, with null in the
   result where there is no entry (for machines the number has why), ERANGE
   where the memory is too small, or another errno. */
#define NETDB_INTERNAL (-1)
#define NETDB_SUCCESS 0
struct hostent *gethostbyname2(const char *, int __family);
int gethostbyname_r(const char *__restrict, struct hostent *__restrict,
                    char *__restrict, size_t, struct hostent **__restrict,
                    int *__restrict);
int gethostbyname2_r(const char *__restrict, int, struct hostent *__restrict,
                     char *__restrict, size_t, struct hostent **__restrict,
                     int *__restrict);
int gethostbyaddr_r(const void *__restrict, socklen_t, int,
                    struct hostent *__restrict, char *__restrict, size_t,
                    struct hostent **__restrict, int *__restrict);
int getservbyname_r(const char *__restrict, const char *__restrict,
                    struct servent *__restrict, char *__restrict, size_t,
                    struct servent **__restrict);
int getservbyport_r(int, const char *__restrict, struct servent *__restrict,
                    char *__restrict, size_t, struct servent **__restrict);
int getprotobyname_r(const char *__restrict, struct protoent *__restrict,
                     char *__restrict, size_t, struct protoent **__restrict);
int getprotobynumber_r(int, struct protoent *__restrict, char *__restrict,
                       size_t, struct protoent **__restrict);
#endif
int *__h_errno_location(void);
#define h_errno (*__h_errno_location())
const char *hstrerror(int);
void herror(const char *);
#ifdef __cplusplus
}
#endif
#endif
