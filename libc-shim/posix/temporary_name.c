//===-- libc-shim/posix/temporary_name.c - mkstemp and its like -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host creates the file, so that no other process can take its name.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int make(char *template, uint64_t directory) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  size_t size = strlen(template) + 1;
  rpc_port port = __port_open(RPC_MKSTEMP);
  __port_send_n(&port, template, size);
  __port_send_begin(&port)->words[0] = directory;
  __port_send_end(&port);
  __port_recv_n(&port, template, size);
  host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  return (int)__host_result(reply);
}

int mkstemp(char *template) { return make(template, 0); }
char *mkdtemp(char *template) {
  return make(template, 1) < 0 ? NULL : template;
}

/// mkstemp() with `suffix` bytes behind the six X and with flags for open().
/// The device chooses the name, because RPC_MKSTEMP supports neither.
int mkostemps(char *template, int suffix, int flags) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const size_t length = strlen(template);
  if (suffix < 0 || (size_t)suffix + 6 > length)
    return fail_with(EINVAL);
  char *const x = template + length - (size_t)suffix - 6;
  if (memcmp(x, "XXXXXX", 6))
    return fail_with(EINVAL);
  enum { TRIES = 1000 };
  for (int i = 0; i < TRIES; ++i) {
    unsigned char random[6];
    if (getentropy(random, sizeof random))
      return -1;
    for (int j = 0; j < 6; ++j)
      x[j] = letters[random[j] % (sizeof letters - 1)];
    const int fd =
        open(template, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }
  return -1;
}
int mkostemp(char *template, int flags) {
  return mkostemps(template, 0, flags);
}
int mkstemps(char *template, int suffix) {
  return mkostemps(template, suffix, 0);
}

/// Chooses a name that no file has: creates the file and removes it again.
static bool make_name(char *template) {
  const int fd = mkstemp(template);
  return fd >= 0 && !close(fd) && !unlink(template);
}

char *mktemp(char *template) {
  if (!make_name(template))
    *template = '\0';
  return template;
}

char *tmpnam(char *name) {
  static char shared[L_tmpnam]; // C's one buffer, for tmpnam(NULL)
  char made[] = P_tmpdir "/gpuXXXXXX";
  return make_name(made) ? strcpy(name ? name : shared, made) : NULL;
}
char *tmpnam_r(char *name) { return name ? tmpnam(name) : NULL; }

char *tempnam(const char *folder, const char *prefix) {
  const char *const variable = getenv("TMPDIR");
  const char *const folders[] = {variable, folder, P_tmpdir};
  for (int i = 0; i < 3; ++i) {
    char *name;
    if (!folders[i] || access(folders[i], W_OK | X_OK))
      continue;
    if (asprintf(&name, "%s/%.5sXXXXXX", folders[i], prefix ? prefix : "file") <
        0)
      return NULL;
    if (make_name(name))
      return name;
    free(name);
  }
  errno = ENOENT;
  return NULL;
}
