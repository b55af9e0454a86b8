//===-- libc-shim/posix/random_bytes.c - Randomness of the host's kernel --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// getrandom, getentropy and arc4random read the host's /dev/urandom. Under a
// loader without descriptors getrandom and getentropy fail with ENOSYS;
// arc4random, which cannot fail, ends the program.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

ssize_t getrandom(void *to, size_t size, unsigned flags) {
  if (flags & ~(unsigned)(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE)) {
    errno = EINVAL;
    return -1;
  }
  const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  const ssize_t count = read(fd, to, size);
  const int error = errno;
  close(fd);
  errno = error;
  return count;
}

int getentropy(void *to, size_t size) {
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  for (size_t done = 0; done < size;) {
    const ssize_t count = getrandom((char *)to + done, size - done, 0);
    if (count <= 0)
      return -1;
    done += (size_t)count;
  }
  return 0;
}

void arc4random_buf(void *to, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = getrandom((char *)to + done, size - done, 0);
    if (count <= 0) {
      perror("arc4random: /dev/urandom");
      abort();
    }
    done += (size_t)count;
  }
}
uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}
uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2)
    return 0;
  // Numbers below 2^32 mod bound would make small results more probable.
  const uint32_t least = -bound % bound;
  uint32_t number;
  do
    number = arc4random();
  while (number < least);
  return number % bound;
}
