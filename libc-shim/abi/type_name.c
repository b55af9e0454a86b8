//===-- libc-shim/abi/type_name.c - Types of C++, for people --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For toolchain/libstdcxx/terminate.cc: the host demangles, since a demangler
// was 29 % of the code of every program of C++ and half of its link.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/known_call.h"
#include <string.h>

/// The type whose mangled name std::type_info::name() returns, as people write
/// it, in `name` of `capacity` bytes. Returns its length; 0 if the host knows
/// none, or the name does not fit.
size_t __gpuexec_type_name(const char *mangled, char *name, size_t capacity) {
  if (!HOST_HAS_POSIX())
    return 0;
  rpc_port port = __port_open(RPC_TYPE_NAME);
  __port_send_n(&port, mangled, strlen(mangled) + 1);
  const uint64_t received = __port_recv_n(&port, name, capacity);
  const host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  return reply.words[0] == received && received < capacity ? received : 0;
}
