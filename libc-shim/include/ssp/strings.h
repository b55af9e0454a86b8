// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ssp/strings.h - Checks of strings.h -----*- C -*-===*/
#ifndef GPUEXEC_SSP_STRINGS_H
#define GPUEXEC_SSP_STRINGS_H

#include <ssp/ssp.h>
#if __SSP_FORTIFY_LEVEL > 0
#if __BSD_VISIBLE || __POSIX_VISIBLE <= 200112
__FORTIFIED void bcopy(const void *__from, void *__to, size_t __size) {
  if (__size > __OBJECT_BYTES(__to))
    __chk_fail();
  __builtin_memmove(__to, __from, __size);
}
__FORTIFIED void bzero(void *__to, size_t __size) {
  if (__size > __OBJECT_BYTES(__to))
    __chk_fail();
  __builtin_memset(__to, 0, __size);
}
#endif
#if __BSD_VISIBLE
__FORTIFY(void, explicit_bzero, (void *__to, size_t __size),
          (void *, size_t, size_t), (__to, __size, __OBJECT_BYTES(__to)))
#endif
#endif
#endif
