//===-- libc-shim/posix/vectors.c - readv, writev and at an offset --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One read or write for all parts: accesses of other threads and processes must
// not come between the parts, and a second read of a pipe could block.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/// The number of bytes of all parts; -1 if POSIX forbids the number or the sum.
static ssize_t total(const struct iovec *parts, int count) {
  if (count < 0 || count > UIO_MAXIOV)
    return -1;
  size_t sum = 0;
  for (int i = 0; i < count; ++i)
    if (__builtin_add_overflow(sum, parts[i].iov_len, &sum) || sum > SSIZE_MAX)
      return -1;
  return (ssize_t)sum;
}

/// The part that has all `size` bytes, because the others are empty; null if
/// there is none.
static const struct iovec *only_part(const struct iovec *parts, int count,
                                     size_t size) {
  for (int i = 0; i < count; ++i)
    if (parts[i].iov_len == size)
      return &parts[i];
  return NULL;
}

/// The memory of `size` bytes that the host reads or writes: a part or a new
/// block. The caller frees *own, which is null or that block. Null when there
/// is no memory.
static char *joined(const struct iovec *parts, int count, size_t size,
                    char **own) {
  const struct iovec *only = only_part(parts, count, size);
  *own = only || !size ? NULL : malloc(size);
  static char nothing;
  return only ? only->iov_base : size ? *own : &nothing;
}

// `offset` -1: the file's current position.
static ssize_t read_parts(int fd, const struct iovec *parts, int count,
                          off_t offset) {
  const ssize_t size = total(parts, count);
  if (size < 0)
    return fail_with(EINVAL);
  char *own, *to = joined(parts, count, (size_t)size, &own);
  if (!to)
    return fail_with(ENOMEM);
  const ssize_t done = offset < 0 ? read(fd, to, (size_t)size)
                                  : pread(fd, to, (size_t)size, offset);
  if (own) {
    size_t at = 0;
    for (int i = 0; i < count && (ssize_t)at < done; ++i) {
      const size_t left = (size_t)done - at, wanted = parts[i].iov_len;
      memcpy(parts[i].iov_base, own + at, wanted < left ? wanted : left);
      at += wanted;
    }
    free(own);
  }
  return done;
}

static ssize_t write_parts(int fd, const struct iovec *parts, int count,
                           off_t offset) {
  const ssize_t size = total(parts, count);
  if (size < 0)
    return fail_with(EINVAL);
  char *own, *from = joined(parts, count, (size_t)size, &own);
  if (!from)
    return fail_with(ENOMEM);
  if (own)
    for (size_t i = 0, at = 0; (int)i < count; at += parts[i++].iov_len)
      memcpy(own + at, parts[i].iov_base, parts[i].iov_len);
  const ssize_t done = offset < 0 ? write(fd, from, (size_t)size)
                                  : pwrite(fd, from, (size_t)size, offset);
  free(own);
  return done;
}

ssize_t readv(int fd, const struct iovec *parts, int count) {
  return read_parts(fd, parts, count, -1);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  return write_parts(fd, parts, count, -1);
}
ssize_t preadv(int fd, const struct iovec *parts, int count, off_t offset) {
  return offset < 0 ? fail_with(EINVAL) : read_parts(fd, parts, count, offset);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  return offset < 0 ? fail_with(EINVAL) : write_parts(fd, parts, count, offset);
}
