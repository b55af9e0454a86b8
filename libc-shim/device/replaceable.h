//===-- libc-shim/device/replaceable.h - A program's own ----------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For a function that a program may define itself, as it can with a shared
// library on the host, while it needs others of the same file.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_REPLACEABLE_H
#define GPUEXEC_LIBC_REPLACEABLE_H

#define REPLACEABLE __attribute__((weak))

#endif // GPUEXEC_LIBC_REPLACEABLE_H
