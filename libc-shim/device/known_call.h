//===-- libc-shim/device/known_call.h - Functions known by name ---*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulator's --check=uninit knows some functions by name and parameters:
// memory from malloc() is undefined, memory sent to the host is read. The
// attribute makes link-time optimisation keep their names and parameters.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_KNOWN_CALL_H
#define GPUEXEC_LIBC_KNOWN_CALL_H

#ifdef __AMDGPU__
#define KNOWN_CALL __attribute__((noinline, used))
#else
#define KNOWN_CALL __attribute__((noinline))
#endif

#endif // GPUEXEC_LIBC_KNOWN_CALL_H
