//===-- libc-shim/posix/file_system.c - statvfs and statfs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/host_call.h"
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

/// Asks the host about the file system of `path`, or of `fd` if `path` is null.
static int ask(const char *path, int fd, rpc_statvfs *to) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_reply reply = {0};
  rpc_opcode opcode = path ? RPC_STATVFS : RPC_FSTATVFS;
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(group, mask, opcode) {
    rpc_port port = __port_open(opcode);
    if (path) {
      __port_send_n(&port, path, strlen(path) + 1);
    } else {
      __port_send_begin(&port)->words[0] = (uint64_t)fd;
      __port_send_end(&port);
    }
    reply = host_reply_in(__port_recv(&port));
    for (int half = 0; half < 2; ++half)
      memcpy((char *)to + half * RPC_PACKET_BYTES, __port_recv(&port)->bytes,
             RPC_PACKET_BYTES);
    __port_close(&port);
  }
  return (int)__host_result(reply);
}

static int get_statvfs(const char *path, int fd, struct statvfs *to) {
  rpc_statvfs facts;
  if (ask(path, fd, &facts))
    return -1;
  *to = (struct statvfs){.f_bsize = facts.block_size,
                         .f_frsize = facts.fragment_size,
                         .f_blocks = facts.blocks,
                         .f_bfree = facts.free_blocks,
                         .f_bavail = facts.available_blocks,
                         .f_files = facts.files,
                         .f_ffree = facts.free_files,
                         .f_favail = facts.free_files,
                         .f_fsid = facts.id,
                         .f_flag = facts.flags,
                         .f_namemax = facts.name_length};
  return 0;
}
int statvfs(const char *restrict path, struct statvfs *restrict to) {
  return get_statvfs(path, 0, to);
}
int fstatvfs(int fd, struct statvfs *to) { return get_statvfs(NULL, fd, to); }

static int get_statfs(const char *path, int fd, struct statfs *to) {
  rpc_statvfs facts;
  if (ask(path, fd, &facts))
    return -1;
  *to = (struct statfs){.f_type = (long)facts.type,
                        .f_bsize = (long)facts.block_size,
                        .f_blocks = facts.blocks,
                        .f_bfree = facts.free_blocks,
                        .f_bavail = facts.available_blocks,
                        .f_files = facts.files,
                        .f_ffree = facts.free_files,
                        .f_fsid = {{(int)facts.id, (int)(facts.id >> 32)}},
                        .f_namelen = (long)facts.name_length,
                        .f_frsize = (long)facts.fragment_size,
                        .f_flags = (long)facts.flags};
  return 0;
}
int statfs(const char *path, struct statfs *to) {
  return get_statfs(path, 0, to);
}
int fstatfs(int fd, struct statfs *to) { return get_statfs(NULL, fd, to); }
