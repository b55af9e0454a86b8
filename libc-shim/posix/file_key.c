//===-- libc-shim/posix/file_key.c - ftok ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/ipc.h>
#include <sys/stat.h>

key_t ftok(const char *path, int number) {
  struct stat file;
  if (stat(path, &file))
    return -1;
  return (key_t)(((unsigned)number & 0xff) << 24 |
                 ((unsigned)file.st_dev & 0xff) << 16 |
                 ((unsigned)file.st_ino & 0xffff));
}
