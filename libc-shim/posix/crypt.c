//===-- libc-shim/posix/crypt.c - Hashes of passwords, by the host --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's libcrypt computes the hashes and decides which kinds there are.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <crypt.h>
#include <string.h>

/// Stores the hash in data->output. Returns 0 or an errno value.
static int ask(const char *phrase, const char *setting,
               struct crypt_data *data) {
  if (!HOST_HAS_POSIX())
    return ENOSYS;
  rpc_port port = __port_open(RPC_CRYPT);
  __port_send_n(&port, phrase, strlen(phrase) + 1);
  __port_send_n(&port, setting, strlen(setting) + 1);
  const uint64_t size =
      __port_recv_n(&port, data->output, sizeof data->output - 1);
  const host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  if ((int64_t)reply.words[0] < 0)
    return reply.error;
  if (size >= sizeof data->output)
    return ERANGE;
  data->output[size] = 0;
  return (int)reply.words[0];
}

char *crypt_r(const char *phrase, const char *setting,
              struct crypt_data *data) {
  const int error = ask(phrase, setting, data);
  if (error) {
    // An invalid hash that differs from the setting, so that a comparison with
    // a stored "*0" fails.
    strlcpy(data->output, strncmp(setting, "*0", 2) ? "*0" : "*1",
            sizeof data->output);
    errno = error;
  }
  return data->output;
}

char *crypt(const char *phrase, const char *setting) {
  static struct crypt_data data; // POSIX lets all threads share it
  return crypt_r(phrase, setting, &data);
}
