/*===-- libc-shim/include/pthread.h - Link errors -----------------*- C -*-===*/
#ifndef GPUEXEC_PTHREAD_H
#define GPUEXEC_PTHREAD_H

#include <gpuexec/unavailable.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
int pthread_create(unsigned long *, const void *, void *(*)(void *), void *)
    __GPUEXEC_NO_THREADS(pthread_create);
int pthread_join(unsigned long, void **) __GPUEXEC_NO_THREADS(pthread_join);
#ifdef __cplusplus
}
#endif
#endif
