// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/dlfcn.h - Shared libraries: none can be loaded -*- C -*-===*/
#ifndef GPUEXEC_DLFCN_H
#define GPUEXEC_DLFCN_H

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_NOLOAD 4
#define RTLD_DEEPBIND 8
#define RTLD_GLOBAL 0x100
#define RTLD_LOCAL 0
#define RTLD_NODELETE 0x1000
#define RTLD_NEXT ((void *)-1l)
#define RTLD_DEFAULT ((void *)0)

typedef struct {
  const char *dli_fname;
  void *dli_fbase;
  const char *dli_sname;
  void *dli_saddr;
} Dl_info;

#ifdef __cplusplus
extern "C" {
#endif
/* All fail: an image for a GPU is linked as a whole. */
void *dlopen(const char *, int);
void *dlsym(void *__restrict, const char *__restrict);
int dlclose(void *);
int dladdr(const void *, Dl_info *);
/* Why the last of these failed; null when none has since the last dlerror(). */
char *dlerror(void);
#ifdef __cplusplus
}
#endif

#endif
