// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/stdlib.h - newlib's and additions -------*- C -*-===*/
#ifndef GPUEXEC_STDLIB_H
#define GPUEXEC_STDLIB_H

/* newlib declares these, glibc does not: the names are the program's. */
#pragma push_macro("itoa")
#pragma push_macro("utoa")
#pragma push_macro("atoff")
#pragma push_macro("cfree")
#pragma push_macro("reallocf")
#define itoa __gpuexec_no_itoa
#define utoa __gpuexec_no_utoa
#define atoff __gpuexec_no_atoff
#define cfree __gpuexec_no_cfree
#define reallocf __gpuexec_no_reallocf
#include_next <stdlib.h>
#pragma pop_macro("itoa")
#pragma pop_macro("utoa")
#pragma pop_macro("atoff")
#pragma pop_macro("cfree")
#pragma pop_macro("reallocf")
#undef strtodf
#if __MISC_VISIBLE
#include <sys/types.h> /* as glibc's */
#endif

#ifdef __cplusplus
extern "C" {
#endif
#if __GNU_VISIBLE || __STDC_VERSION__ > 201710L
/* As snprintf() with a format of one %, perhaps a precision, and one of
   aAeEfFgG; any other format ends the program. */
int strfromd(char *__restrict, size_t, const char *__restrict, double);
int strfromf(char *__restrict, size_t, const char *__restrict, float);
int strfroml(char *__restrict, size_t, const char *__restrict, long double);
#endif
#if __MISC_VISIBLE
long long strtoq(const char *__restrict, char **__restrict, int);
unsigned long long strtouq(const char *__restrict, char **__restrict, int);
/* drand48() and its family with a generator of the caller's; all return 0. */
struct drand48_data {
  unsigned short __x[3], __old_x[3], __c, __init;
  unsigned long long __a;
};
int drand48_r(struct drand48_data *__restrict, double *__restrict);
int erand48_r(unsigned short[3], struct drand48_data *__restrict,
              double *__restrict);
int lrand48_r(struct drand48_data *__restrict, long *__restrict);
int nrand48_r(unsigned short[3], struct drand48_data *__restrict,
              long *__restrict);
int mrand48_r(struct drand48_data *__restrict, long *__restrict);
int jrand48_r(unsigned short[3], struct drand48_data *__restrict,
              long *__restrict);
int srand48_r(long, struct drand48_data *);
int seed48_r(unsigned short[3], struct drand48_data *);
int lcong48_r(unsigned short[7], struct drand48_data *);
#endif
#if __MISC_VISIBLE
/* The texts are in memory of the whole program. */
char *ecvt(double, int, int *__restrict, int *__restrict);
char *fcvt(double, int, int *__restrict, int *__restrict);
char *gcvt(double, int, char *);
/* The name is free when it returns; another process may take it then. */
char *mktemp(char *);
int mkstemps(char *, int);
int mkostemp(char *, int);
int mkostemps(char *, int, int);
void *valloc(size_t);
int clearenv(void);
/* Of the host. */
int getloadavg(double *, int);
size_t memalignment(const void *); /* C23 */
#endif
#if __XSI_VISIBLE || __MISC_VISIBLE
#if __GNU_VISIBLE
char *canonicalize_file_name(const char *);
#endif
/* The absolute path without links, "." and "..", in `to`, which has PATH_MAX
   bytes, or in memory that the caller frees. NULL with errno on failure. */
char *realpath(const char *__restrict, char *__restrict);
#if __SSP_FORTIFY_LEVEL > 0
__FORTIFY(char *, realpath,
          (const char *__restrict __path, char *__restrict __to),
          (const char *__restrict, char *__restrict, size_t),
          (__path, __to, __MEMBER_BYTES(__to)))
#endif
#endif
#ifdef __cplusplus
}
#endif
#include <gpuexec/fork.h>
#endif
