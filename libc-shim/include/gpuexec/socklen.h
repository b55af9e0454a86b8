/*===-- libc-shim/include/gpuexec/socklen.h - socklen_t -----------*- C -*-===*/
#ifndef GPUEXEC_SOCKLEN_H
#define GPUEXEC_SOCKLEN_H

typedef unsigned socklen_t;

#endif
