//===-- libc-shim/stdio/wide_stream.h - Orientation of streams ----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_WIDE_STREAM_H
#define GPUEXEC_LIBC_WIDE_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/// Called by functions for wide characters: makes a stream without orientation
/// a wide one. False if the stream is for bytes: the function must fail.
bool __stream_takes_wide(FILE *stream);

#endif
