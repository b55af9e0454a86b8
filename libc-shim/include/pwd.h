// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/pwd.h - Users of the host ---------------*- C -*-===*/
#ifndef GPUEXEC_PWD_H
#define GPUEXEC_PWD_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct passwd {
  char *pw_name;
  char *pw_passwd;
  uid_t pw_uid;
  gid_t pw_gid;
  char *pw_gecos;
  char *pw_dir;
  char *pw_shell;
};

#ifdef __cplusplus
extern "C" {
#endif
/* In a sandbox there are no users. What the first two return is one for all
   threads. */
struct passwd *getpwnam(const char *);
struct passwd *getpwuid(uid_t);
/* Of the host's /etc/passwd. */
void setpwent(void);
void endpwent(void);
struct passwd *getpwent(void);
struct passwd *fgetpwent(FILE *);
int putpwent(const struct passwd *, FILE *);
#if __MISC_VISIBLE
#define NSS_BUFLEN_PASSWD 1024
/* In memory of the caller's: 0, ENOENT at the end, ERANGE where it is too
   small; the entry is read again by the next call then. */
int fgetpwent_r(FILE *__restrict, struct passwd *__restrict, char *__restrict,
                size_t, struct passwd **__restrict);
int getpwent_r(struct passwd *__restrict, char *__restrict, size_t,
               struct passwd **__restrict);
#endif
#if __GNU_VISIBLE
int getpw(uid_t, char *); /* the user's line, without bounds: never use it */
#endif
int getpwnam_r(const char *, struct passwd *, char *, size_t, struct passwd **);
int getpwuid_r(uid_t, struct passwd *, char *, size_t, struct passwd **);
#ifdef __cplusplus
}
#endif

#endif
