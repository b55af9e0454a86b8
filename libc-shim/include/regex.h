// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/regex.h - Regular expressions ---------*- C -*-===*/
#ifndef GPUEXEC_REGEX_H
#define GPUEXEC_REGEX_H

#include <sys/types.h>

typedef int regoff_t;

/* Several threads may match with one compiled expression at once. */
typedef struct {
  size_t re_nsub;  /* parenthesised groups */
  void *__program; /* regcomp's, freed by regfree */
} regex_t;

typedef struct {
  regoff_t rm_so; /* bytes from the string's begin to the match's, or -1 */
  regoff_t rm_eo; /* to its end */
} regmatch_t;

/* For regcomp */
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8

/* For regexec */
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_STARTEND 4 /* the text is pmatch[0]'s part of the string */

/* What regcomp and regexec return */
typedef int reg_errcode_t;
#define REG_ENOSYS (-1)
#define REG_NOERROR 0
#define REG_NOMATCH 1
#define REG_BADPAT 2
#define REG_ECOLLATE 3
#define REG_ECTYPE 4
#define REG_EESCAPE 5
#define REG_ESUBREG 6
#define REG_EBRACK 7
#define REG_EPAREN 8
#define REG_EBRACE 9
#define REG_BADBR 10
#define REG_ERANGE 11
#define REG_ESPACE 12
#define REG_BADRPT 13
#define REG_EEND 14
#define REG_ESIZE 15
#define REG_ERPAREN 16

#define RE_DUP_MAX 0x7fff

#ifdef __cplusplus
extern "C" {
#endif

int regcomp(regex_t *__restrict__ __compiled,
            const char *__restrict__ __expression, int __flags);
int regexec(const regex_t *__restrict__ __compiled,
            const char *__restrict__ __string, size_t __count,
            regmatch_t *__restrict__ __matches, int __flags);
size_t regerror(int __error, const regex_t *__restrict__ __compiled,
                char *__restrict__ __text, size_t __size);
void regfree(regex_t *__compiled);

#ifdef __cplusplus
}
#endif

#endif
