/*===-- libc-shim/include/crypt.h - A link error ------------------*- C -*-===*/
#ifndef GPUEXEC_CRYPT_H
#define GPUEXEC_CRYPT_H

#include <unistd.h>

#endif
