//===-- libc-shim/posix/temporary_name.c - mkstemp and its like -----------===//
// The host creates the file, so that no other process can take its name.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
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

char *tmpnam(char *name) {
  static char shared[L_tmpnam]; // C's one buffer, for tmpnam(NULL)
  char made[] = P_tmpdir "/gpuXXXXXX";
  int fd = mkstemp(made);
  if (fd < 0)
    return NULL;
  close(fd);
  unlink(made);
  return strcpy(name ? name : shared, made);
}
