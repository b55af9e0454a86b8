//===-- libc-shim/posix/system_text.h - Files of the host's /proc ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_SYSTEM_TEXT_H
#define GPUEXEC_LIBC_SYSTEM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/// Reads the beginning of a file as a string. False when that is not allowed.
bool __system_text(const char *path, char *to, size_t size);

/// The number of bytes in the line "NAME: N kB" of `text`, which is that of
/// /proc/meminfo; 0 if there is no such line.
unsigned long __memory_size(const char *text, const char *name);

#endif
