// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/mntent.h - Tables of mounted file systems -*- C -*-===*/
#ifndef GPUEXEC_MNTENT_H
#define GPUEXEC_MNTENT_H

#include <stdio.h>

#define MNTTAB "/etc/fstab"
#define MOUNTED "/etc/mtab"
#define _PATH_MNTTAB MNTTAB
#define _PATH_MOUNTED MOUNTED
#define MNTTYPE_IGNORE "ignore"
#define MNTTYPE_NFS "nfs"
#define MNTTYPE_SWAP "swap"
#define MNTOPT_DEFAULTS "defaults"
#define MNTOPT_RO "ro"
#define MNTOPT_RW "rw"
#define MNTOPT_SUID "suid"
#define MNTOPT_NOSUID "nosuid"
#define MNTOPT_NOAUTO "noauto"

struct mntent {
  char *mnt_fsname;
  char *mnt_dir;
  char *mnt_type;
  char *mnt_opts;
  int mnt_freq;
  int mnt_passno;
};

#ifdef __cplusplus
extern "C" {
#endif
FILE *setmntent(const char *, const char *);
/* The entry is in memory of the whole program. */
struct mntent *getmntent(FILE *);
/* In memory of the caller's: `size` bytes for the texts, to which a line is cut. */
struct mntent *getmntent_r(FILE *__restrict, struct mntent *__restrict,
                           char *__restrict __text, int __size);
/* Writes the entry at the end of the table; 0, or 1 where that fails. */
int addmntent(FILE *__restrict, const struct mntent *__restrict);
char *hasmntopt(const struct mntent *, const char *);
int endmntent(FILE *);
#ifdef __cplusplus
}
#endif
#endif
