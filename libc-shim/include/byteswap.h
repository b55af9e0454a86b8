// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/byteswap.h - Reversed bytes -------------*- C -*-===*/
#ifndef GPUEXEC_BYTESWAP_H
#define GPUEXEC_BYTESWAP_H

#define bswap_16(x) __builtin_bswap16(x)
#define bswap_32(x) __builtin_bswap32(x)
#define bswap_64(x) __builtin_bswap64(x)

#endif
