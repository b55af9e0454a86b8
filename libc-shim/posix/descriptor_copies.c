//===-- libc-shim/posix/descriptor_copies.c - pipe2, dup3, sendfile -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/host_call.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <unistd.h>

int pipe2(int ends[2], int flags) {
  if (flags & ~(O_CLOEXEC | O_NONBLOCK))
    return fail_with(EINVAL);
  if (pipe(ends))
    return -1;
  if (flags & O_NONBLOCK) {
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
  }
  if (flags & O_CLOEXEC) {
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  }
  return 0;
}

int dup3(int fd, int to, int flags) {
  if (fd == to || (flags & ~O_CLOEXEC))
    return fail_with(EINVAL);
  const int result = dup2(fd, to);
  if (result >= 0 && flags & O_CLOEXEC)
    fcntl(result, F_SETFD, FD_CLOEXEC);
  return result;
}

/// Copies through device memory.
ssize_t sendfile(int out, int in, off_t *offset, size_t count) {
  enum { PART = 64 << 10 };
  char *buffer = malloc(PART);
  if (!buffer)
    return fail_with(ENOMEM);
  off_t at = offset ? *offset : -1;
  size_t done = 0;
  ssize_t got = 0, put = 0;
  while (done < count && got >= 0 && put == got) {
    const size_t wanted = count - done < PART ? count - done : PART;
    got = offset ? pread(in, buffer, wanted, at) : read(in, buffer, wanted);
    if (got <= 0)
      break;
    put = write(out, buffer, (size_t)got);
    done += put > 0 ? (size_t)put : 0;
    at += put > 0 ? put : 0;
  }
  free(buffer);
  if (offset)
    *offset = at;
  return done || (got >= 0 && put >= 0) ? (ssize_t)done : -1;
}
