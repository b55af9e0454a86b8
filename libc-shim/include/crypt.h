// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/crypt.h - Hashes of passwords -----------*- C -*-===*/
#ifndef GPUEXEC_CRYPT_H
#define GPUEXEC_CRYPT_H

#include <unistd.h>

struct crypt_data {
  char output[384]; /* the hash */
  char initialized;
};

#ifdef __cplusplus
extern "C" {
#endif
/* As crypt(), with memory of the caller's for the hash. */
char *crypt_r(const char *__phrase, const char *__setting,
              struct crypt_data *__data);
#ifdef __cplusplus
}
#endif
#endif
