// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/fts.h - Walks through trees of files ----*- C -*-===*/
#ifndef GPUEXEC_FTS_H
#define GPUEXEC_FTS_H

#include <sys/stat.h>
#include <sys/types.h>

typedef struct __fts FTS;

typedef struct _ftsent {
  struct _ftsent *fts_cycle;  /* the same directory above, for FTS_DC */
  struct _ftsent *fts_parent; /* of fts_level - 1, also of the first files */
  struct _ftsent *fts_link;   /* the next file of the directory */
  long fts_number;            /* for the program, 0 and null at first */
  void *fts_pointer;
  char *fts_accpath; /* what calls of files can take: fts_path */
  char *fts_path;    /* as fts_open() got it, and below */
  char *fts_name;    /* the last part of fts_path */
  int fts_errno;     /* of FTS_DNR, FTS_ERR and FTS_NS */
  unsigned short fts_pathlen, fts_namelen;
  ino_t fts_ino;
  dev_t fts_dev;
  nlink_t fts_nlink;
  short fts_level;
  unsigned short fts_info;  /* FTS_D ... */
  unsigned short fts_instr; /* set by fts_set() */
  struct stat *fts_statp;
} FTSENT;

/* Options. Exactly one of FTS_LOGICAL and FTS_PHYSICAL is usual. */
#define FTS_COMFOLLOW 0x0001 /* follow symbolic links among the first files */
#define FTS_LOGICAL 0x0002   /* follow all symbolic links */
#define FTS_NOCHDIR 0x0004   /* the walk never changes the directory here */
#define FTS_NOSTAT 0x0008    /* stat() only to find directories */
#define FTS_PHYSICAL 0x0010  /* follow none */
#define FTS_SEEDOT 0x0020    /* "." and ".." too */
#define FTS_XDEV 0x0040      /* stay within the file system */
#define FTS_WHITEOUT 0x0080  /* no effect */
#define FTS_OPTIONMASK 0x00ff
#define FTS_NAMEONLY 0x0100 /* for fts_children(): nothing but names */

#define FTS_ROOTPARENTLEVEL -1
#define FTS_ROOTLEVEL 0

#define FTS_D 1       /* a directory, before what is in it */
#define FTS_DC 2      /* a directory that the walk is in already */
#define FTS_DEFAULT 3 /* none of the others */
#define FTS_DNR 4     /* a directory that cannot be read */
#define FTS_DOT 5     /* "." or ".." (FTS_SEEDOT) */
#define FTS_DP 6      /* a directory, after what is in it */
#define FTS_ERR 7     /* an error, see fts_errno */
#define FTS_F 8       /* a regular file */
#define FTS_INIT 9
#define FTS_NS 10     /* stat() failed */
#define FTS_NSOK 11   /* stat() was not wanted */
#define FTS_SL 12     /* a symbolic link */
#define FTS_SLNONE 13 /* a symbolic link to nothing */
#define FTS_W 14

/* Instructions. */
#define FTS_AGAIN 1  /* the same file again */
#define FTS_FOLLOW 2 /* what the symbolic link leads to */
#define FTS_NOINSTR 3
#define FTS_SKIP 4 /* nothing below this directory */

#ifdef __cplusplus
extern "C" {
#endif
/* Files stay valid until the next fts_read(), directories until their FTS_DP.
   Files of a directory come in the order of the function, else unsorted. */
FTS *fts_open(char *const *paths, int options,
              int (*)(const FTSENT **, const FTSENT **));
FTSENT *fts_read(FTS *);
FTSENT *fts_children(FTS *, int);
int fts_set(FTS *, FTSENT *, int);
int fts_close(FTS *);
#ifdef __cplusplus
}
#endif

#endif
