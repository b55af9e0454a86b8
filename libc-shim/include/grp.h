/*===-- libc-shim/include/grp.h - Groups of the host --------------*- C -*-===*/
#ifndef GPUEXEC_GRP_H
#define GPUEXEC_GRP_H

#include <stddef.h>
#include <sys/types.h>

struct group {
  char *gr_name;
  char *gr_passwd;
  gid_t gr_gid;
  char **gr_mem;
};

#ifdef __cplusplus
extern "C" {
#endif
/* In a sandbox there are no groups. What the first two return is one for all
   threads. */
struct group *getgrnam(const char *);
struct group *getgrgid(gid_t);
int getgrnam_r(const char *, struct group *, char *, size_t, struct group **);
int getgrgid_r(gid_t, struct group *, char *, size_t, struct group **);
#ifdef __cplusplus
}
#endif

#endif
