//===-- libc-shim/posix/directory.c - Reading directories -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host sends as many entries at once as fit a buffer; readdir returns them
// one by one. As on a host, one thread at a time may use a DIR.
//===----------------------------------------------------------------------===//
#include "libc-shim/posix/directory.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/replaceable.h"
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 4096 };

struct __gpuexec_directory {
  uint64_t handle;
  uint64_t position, end;
  long read; ///< number of entries read since the start
  int fd;    ///< of fdopendir() or dirfd(); -1: none yet
  struct dirent entry;
  _Alignas(8) unsigned char buffer[BUFFER];
};

DIR *opendir(const char *path) {
  if (!HOST_HAS_POSIX()) {
    errno = ENOSYS;
    return NULL;
  }
  host_message message = {.data = path, .size = strlen(path) + 1};
  host_reply reply = __host_send(RPC_OPENDIR, HOST_FORM_BYTES, &message);
  if (!reply.words[0]) {
    errno = reply.error;
    return NULL;
  }
  DIR *directory = malloc(sizeof *directory);
  if (!directory) {
    __host_call(RPC_CLOSEDIR, reply.words[0], 0, 0);
    errno = ENOMEM;
    return NULL;
  }
  directory->handle = reply.words[0];
  directory->position = directory->end = 0;
  directory->read = 0;
  directory->fd = -1;
  return directory;
}

/// Asks for more entries; false at the end and after an error.
static bool refill(DIR *directory) {
  uint64_t received = 0;
  host_reply reply = __host_receive(RPC_READDIR, directory->handle, BUFFER, 0,
                                    directory->buffer, BUFFER, &received);
  directory->position = 0;
  directory->end = received;
  if (reply.error)
    errno = reply.error;
  return received != 0;
}

static void take(DIR *directory) {
  unsigned char *at = directory->buffer + directory->position;
  rpc_dirent head;
  memcpy(&head, at, sizeof head);
  directory->position += head.length;
  directory->entry.d_ino = head.ino;
  directory->entry.d_type = (unsigned char)head.type;
  directory->entry.d_reclen = sizeof directory->entry;
  strlcpy(directory->entry.d_name, (char *)at + sizeof head,
          sizeof directory->entry.d_name);
}

REPLACEABLE struct dirent *readdir(DIR *directory) {
  if (directory->position == directory->end && !refill(directory))
    return NULL;
  take(directory);
  directory->entry.d_off = ++directory->read;
  return &directory->entry;
}

void rewinddir(DIR *directory) {
  directory->read = 0;
  directory->position = directory->end = 0;
  __host_call(RPC_REWINDDIR, directory->handle, 0, 0);
}

int closedir(DIR *directory) {
  uint64_t handle = directory->handle;
  if (directory->fd >= 0)
    close(directory->fd);
  free(directory);
  return (int)__host_result(__host_call(RPC_CLOSEDIR, handle, 0, 0));
}

void __directory_keeps(DIR *directory, int fd) { directory->fd = fd; }

int dirfd(DIR *directory) {
  if (directory->fd < 0)
    directory->fd =
        (int)__host_result(__host_call(RPC_DIRFD, directory->handle, 0, 0));
  return directory->fd;
}

/// A position is the number of entries read; seekdir() reads that many from the
/// start.
long telldir(DIR *directory) { return directory->read; }
void seekdir(DIR *directory, long position) {
  rewinddir(directory);
  while (directory->read < position && readdir(directory))
    ;
}

int readdir_r(DIR *restrict directory, struct dirent *restrict to,
              struct dirent **restrict result) {
  const int before = errno;
  errno = 0;
  const struct dirent *found = readdir(directory);
  const int error = errno;
  errno = before;
  if (found)
    *to = *found;
  *result = found ? to : NULL;
  return found ? 0 : error;
}
