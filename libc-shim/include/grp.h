// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/grp.h - Groups of the host --------------*- C -*-===*/
#ifndef GPUEXEC_GRP_H
#define GPUEXEC_GRP_H

#include <stddef.h>
#include <stdio.h>
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
/* Of the host's /etc/group. */
void setgrent(void);
void endgrent(void);
struct group *getgrent(void);
struct group *fgetgrent(FILE *);
#if __MISC_VISIBLE
#define NSS_BUFLEN_GROUP 1024
/* As fgetpwent_r(). */
int fgetgrent_r(FILE *__restrict, struct group *__restrict, char *__restrict,
                size_t, struct group **__restrict);
#endif
#if __GNU_VISIBLE
int getgrent_r(struct group *__restrict, char *__restrict, size_t,
               struct group **__restrict);
int putgrent(const struct group *__restrict, FILE *__restrict);
#endif
int getgrouplist(const char *, gid_t, gid_t *, int *);
int getgrnam_r(const char *, struct group *, char *, size_t, struct group **);
/* EPERM: the program cannot change who it is. */
int setgroups(size_t, const gid_t *);
int initgroups(const char *, gid_t);
int getgrgid_r(gid_t, struct group *, char *, size_t, struct group **);
#ifdef __cplusplus
}
#endif

#endif
