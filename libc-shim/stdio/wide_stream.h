//===-- libc-shim/stdio/wide_stream.h - Orientation of streams ----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_WIDE_STREAM_H
#define GPUEXEC_LIBC_WIDE_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/// A function for wide characters uses the stream: sets the orientation if it
/// has none. False where the stream is for bytes: the function must fail.
bool __stream_takes_wide(FILE *stream);

#endif
