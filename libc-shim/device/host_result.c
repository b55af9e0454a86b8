//===-- libc-shim/device/host_result.c - The host's errno becomes ours ----===//
// A file of its own, so that a program that asks for no errors has no errno.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"

long __host_result(host_reply reply) {
  if (reply.error)
    errno = reply.error;
  return (long)reply.words[0];
}
