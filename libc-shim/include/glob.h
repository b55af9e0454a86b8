// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/glob.h - Names that match a pattern -----*- C -*-===*/
#ifndef GPUEXEC_GLOB_H
#define GPUEXEC_GLOB_H

#include <stddef.h>
#include <sys/features.h>

struct dirent;
struct stat;
typedef struct {
  size_t gl_pathc;
  char **gl_pathv;
  size_t gl_offs;
  int gl_flags;
  /* In place of closedir(), readdir(), opendir(), lstat() and stat(). */
  void (*gl_closedir)(void *);
  struct dirent *(*gl_readdir)(void *);
  void *(*gl_opendir)(const char *);
  int (*gl_lstat)(const char *__restrict, struct stat *__restrict);
  int (*gl_stat)(const char *__restrict, struct stat *__restrict);
} glob_t;

#define GLOB_ERR (1 << 0)
#define GLOB_MARK (1 << 1)
#define GLOB_NOSORT (1 << 2)
#define GLOB_DOOFFS (1 << 3)
#define GLOB_NOCHECK (1 << 4)
#define GLOB_APPEND (1 << 5)
#define GLOB_NOESCAPE (1 << 6)
#define GLOB_PERIOD (1 << 7)
#define GLOB_MAGCHAR (1 << 8)
#define GLOB_ALTDIRFUNC (1 << 9) /* the functions of glob_t are used */
#define GLOB_BRACE (1 << 10)
#define GLOB_NOMAGIC (1 << 11)
#define GLOB_TILDE (1 << 12)
#define GLOB_ONLYDIR (1 << 13)
#define GLOB_TILDE_CHECK (1 << 14) /* an unknown user: GLOB_NOMATCH */
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3
#define GLOB_NOSYS 4
#if __GNU_VISIBLE
#define GLOB_ABEND GLOB_ABORTED
#endif

#ifdef __cplusplus
extern "C" {
#endif
int glob(const char *__restrict, int, int (*)(const char *, int),
         glob_t *__restrict);
void globfree(glob_t *);
#if __GNU_VISIBLE
/* 1 if the pattern has wildcards; a backslash quotes, if `quotes`. */
int glob_pattern_p(const char *, int __quotes);
#endif
#ifdef __cplusplus
}
#endif
#endif
