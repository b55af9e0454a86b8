// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ssp/poll.h - Checks of poll.h -----------*- C -*-===*/
#ifndef GPUEXEC_SSP_POLL_H
#define GPUEXEC_SSP_POLL_H

#include <ssp/ssp.h>
#if __SSP_FORTIFY_LEVEL > 0
__FORTIFY(int, poll, (struct pollfd * __list, nfds_t __count, int __timeout),
          (struct pollfd *, nfds_t, int, size_t),
          (__list, __count, __timeout, __MEMBER_BYTES(__list)))
#endif
#endif
