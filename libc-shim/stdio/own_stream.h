//===-- libc-shim/stdio/own_stream.h - Streams without a file -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream whose bytes come from and go to functions of the program or of the
// library: fopencookie(), fmemopen(), open_memstream(). It has the device's
// buffers, as streams of the host have. Its functions are called under the
// stream's lock, for one lane at a time: they may use other streams.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_OWN_STREAM_H
#define GPUEXEC_LIBC_OWN_STREAM_H

#include "libc-shim/stdio/stream.h"

struct own_stream {
  cookie_io_functions_t functions;
  void *cookie;
  /// Makes what was written visible to the program, at fflush(). May be null.
  void (*sync)(void *cookie);
  bool readable, writable;
};

/// What the functions __own_stream_* of stream.h call.
typedef struct {
  size_t (*read)(FILE *, void *, size_t);
  size_t (*write)(FILE *, const void *, size_t);
  off_t (*seek)(FILE *, off_t, int whence);
  void (*sync)(FILE *);
  int (*close)(FILE *);
  int (*print)(FILE *, const char *format, va_list);
} own_stream_functions;
#ifdef __NVPTX__
extern const own_stream_functions *__own_stream_functions; ///< set when used
#else
/// own_stream_if_any.c has a weak definition that returns null.
const own_stream_functions *__own_stream_functions(void);
#endif

/// A stream with a copy of `*own`, or null with errno. `own->readable` and
/// `own->writable` are taken from `mode`.
FILE *__own_stream_open(const struct own_stream *own, const char *mode);

#endif
