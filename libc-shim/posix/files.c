//===-- libc-shim/posix/files.c - Descriptors and file names --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX calls that the host serves, one exchange each, see opcodes.def. Under a
// loader without gpuexec's opcodes they fail with ENOSYS.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/known_call.h"
#include "libc-shim/posix/locks.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Makes a call whose arguments and result each fit one packet.
static __attribute__((noinline)) long call(rpc_opcode opcode, uint64_t a,
                                           uint64_t b, uint64_t c) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  return __host_result(__host_call(opcode, a, b, c));
}

/// Sends a path and, as `form` says, a packet of words.
static __attribute__((noinline)) long name_call(rpc_opcode opcode,
                                                const char *path, int form,
                                                uint64_t a, uint64_t b) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_message message = {
      .data = path, .size = strlen(path) + 1, .a = a, .b = b};
  return __host_result(__host_send(opcode, form, &message));
}

static __attribute__((noinline)) long
two_names_call(rpc_opcode opcode, const char *old, const char *new) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_message message = {.data = old,
                          .size = strlen(old) + 1,
                          .data2 = new,
                          .size2 = strlen(new) + 1};
  return __host_result(__host_send(opcode, HOST_FORM_TWO_BYTES, &message));
}

int open(const char *path, int flags, ...) {
  unsigned mode = 0;
  if (flags & O_CREAT) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, unsigned);
    va_end(list);
  }
  return (int)name_call(RPC_OPEN, path, HOST_FORM_WORDS, (uint64_t)flags, mode);
}
int creat(const char *path, mode_t mode) {
  return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
int close(int fd) { return (int)call(RPC_CLOSE, (uint64_t)fd, 0, 0); }

/// Makes the host read or write [address, address + size) itself. `offset`,
/// here and below: -1 means the file's current position.
static __attribute__((noinline)) host_reply transfer(rpc_opcode opcode, int fd,
                                                     const void *address,
                                                     size_t size,
                                                     off_t offset) {
  rpc_port port = __port_open(opcode);
  rpc_packet *packet = __port_send_begin(&port);
  packet->words[0] = (uint64_t)fd;
  packet->words[1] = (uint64_t)address;
  packet->words[2] = size;
  packet->words[3] = (uint64_t)offset;
  __port_send_end(&port);
  const host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  return reply;
}

KNOWN_CALL ssize_t __host_write_bulk(uint64_t fd, const void *from, size_t size,
                                     off_t offset) {
  return __host_result(transfer(RPC_BULK_WRITE, (int)fd, from, size, offset));
}

static ssize_t read_at(int fd, void *to, size_t size, off_t offset) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_reply reply;
  do {
    uint64_t received;
    reply = rpc_use_bulk(to, size)
                ? transfer(RPC_BULK_READ, fd, to, size, offset)
                : __host_receive(RPC_READ, (uint64_t)fd, size, (uint64_t)offset,
                                 to, size, &received);
  } while (__host_call_restarts(reply));
  return __host_result(reply);
}
ssize_t read(int fd, void *to, size_t size) {
  return read_at(fd, to, size, -1);
}
ssize_t pread(int fd, void *to, size_t size, off_t offset) {
  return offset < 0 ? fail_with(EINVAL) : read_at(fd, to, size, offset);
}

static ssize_t write_at(int fd, const void *from, size_t size, off_t offset) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  if (rpc_use_bulk(from, size))
    return __host_write_bulk((uint64_t)fd, from, size, offset);
  host_message message = {.handle = (uint64_t)fd,
                          .handle2 = (uint64_t)offset,
                          .data = from,
                          .size = size};
  return __host_result(__host_send(RPC_WRITE, HOST_FORM_HANDLE, &message));
}
ssize_t write(int fd, const void *from, size_t size) {
  return write_at(fd, from, size, -1);
}
ssize_t pwrite(int fd, const void *from, size_t size, off_t offset) {
  return offset < 0 ? fail_with(EINVAL) : write_at(fd, from, size, offset);
}

off_t lseek(int fd, off_t offset, int whence) {
  return call(RPC_LSEEK, (uint64_t)fd, (uint64_t)offset, (uint64_t)whence);
}
int isatty(int fd) {
  if (!HOST_HAS_POSIX())
    return errno = ENOTTY, 0;
  host_reply reply = __host_call(RPC_ISATTY, (uint64_t)fd, 0, 0);
  if (reply.words[0] == 1)
    return 1;
  errno = reply.error ? reply.error : ENOTTY;
  return 0;
}
int ftruncate(int fd, off_t size) {
  return (int)call(RPC_FTRUNCATE, (uint64_t)fd, (uint64_t)size, 0);
}
int fsync(int fd) { return (int)call(RPC_FSYNC, (uint64_t)fd, 0, 0); }
int fdatasync(int fd) { return fsync(fd); }
int dup(int fd) { return (int)call(RPC_DUP, (uint64_t)fd, (uint64_t)-1, 0); }
int dup2(int fd, int to) {
  if (to < 0) // -1 means dup() to the host
    return fail_with(EBADF);
  return (int)call(RPC_DUP, (uint64_t)fd, (uint64_t)to, 0);
}
int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  if (command == F_GETLK || command == F_SETLK || command == F_SETLKW) {
    struct flock *lock = va_arg(list, struct flock *);
    va_end(list);
    return __lock_range(fd, command, lock);
  }
  long argument = command == F_SETFD || command == F_SETFL ||
                          command == F_DUPFD || command == F_DUPFD_CLOEXEC
                      ? va_arg(list, int)
                      : 0;
  va_end(list);
  return (int)call(RPC_FCNTL, (uint64_t)fd, (uint64_t)command,
                   (uint64_t)argument);
}
int pipe(int ends[2]) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_reply reply = __host_call(RPC_PIPE, 0, 0, 0);
  int result = (int)__host_result(reply);
  if (!result) {
    ends[0] = (int)reply.words[1];
    ends[1] = (int)reply.words[2];
  }
  return result;
}

//===-- Names -------------------------------------------------------------===//

int access(const char *path, int mode) {
  return (int)name_call(RPC_ACCESS, path, HOST_FORM_WORDS, (uint64_t)mode, 0);
}
int unlink(const char *path) {
  return (int)name_call(RPC_UNLINK, path, HOST_FORM_WORDS, 0, 0);
}
int rmdir(const char *path) {
  return (int)name_call(RPC_UNLINK, path, HOST_FORM_WORDS, 1, 0);
}
int link(const char *old, const char *new) {
  return (int)two_names_call(RPC_LINK, old, new);
}
int symlink(const char *old, const char *new) {
  return (int)two_names_call(RPC_SYMLINK, old, new);
}
int mkdir(const char *path, mode_t mode) {
  return (int)name_call(RPC_MKDIR, path, HOST_FORM_WORDS, mode, 0);
}
int chmod(const char *path, mode_t mode) {
  return (int)name_call(RPC_CHMOD, path, HOST_FORM_WORDS, mode, 0);
}
int chdir(const char *path) { return (int)name_call(RPC_CHDIR, path, 0, 0, 0); }
int truncate(const char *path, off_t size) {
  return (int)name_call(RPC_TRUNCATE, path, HOST_FORM_WORDS, (uint64_t)size, 0);
}

char *getcwd(char *buffer, size_t size) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS), NULL;
  char *own = NULL;
  if (buffer && !size)
    return fail_with(EINVAL), NULL;
  if (!buffer) {
    size = size ? size : 4096;
    buffer = own = malloc(size);
    if (!buffer)
      return NULL;
  }
  uint64_t received = 0;
  host_reply reply =
      __host_receive(RPC_GETCWD, size, 0, 0, buffer, size, &received);
  if (!__host_result(reply) && received)
    return buffer;
  free(own);
  return NULL;
}

ssize_t readlink(const char *restrict path, char *restrict to, size_t size) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  rpc_port port = __port_open(RPC_READLINK);
  __port_send_n(&port, path, strlen(path) + 1);
  __port_send_begin(&port)->words[0] = size;
  __port_send_end(&port);
  __port_recv_n(&port, to, size);
  host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  return __host_result(reply);
}

static void fill(struct stat *to, const rpc_stat *from) {
  *to = (struct stat){
      .st_dev = from->dev,
      .st_ino = from->ino,
      .st_mode = from->mode,
      .st_nlink = from->nlink,
      .st_uid = (uid_t)from->uid,
      .st_gid = (gid_t)from->gid,
      .st_rdev = from->rdev,
      .st_size = from->size,
      .st_blksize = (long)from->blksize,
      .st_blocks = (long)from->blocks,
      .st_atim = {from->atime, from->atime_ns},
      .st_mtim = {from->mtime, from->mtime_ns},
      .st_ctim = {from->ctime, from->ctime_ns},
  };
}

/// Asks for the status of `path` (`word` 1: of the link itself), or, if `path`
/// is null, of the descriptor `word`.
static __attribute__((noinline)) int get_stat(const char *path, uint64_t word,
                                              struct stat *to) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  rpc_stat facts;
  host_reply reply = {0};
  rpc_opcode opcode = path ? RPC_STAT : RPC_FSTAT;
  uint64_t mask = rpc_lane_mask();
  FOR_EACH_GROUP(group, mask, opcode) {
    rpc_port port = __port_open(opcode);
    if (path)
      __port_send_n(&port, path, strlen(path) + 1);
    __port_send_begin(&port)->words[0] = word;
    __port_send_end(&port);
    reply = host_reply_in(__port_recv(&port));
    for (int half = 0; half < 2; ++half)
      memcpy((char *)&facts + half * RPC_PACKET_BYTES,
             __port_recv(&port)->bytes, RPC_PACKET_BYTES);
    __port_close(&port);
  }
  int result = (int)__host_result(reply);
  if (!result)
    fill(to, &facts);
  return result;
}
int stat(const char *restrict path, struct stat *restrict to) {
  return get_stat(path, 0, to);
}
int lstat(const char *restrict path, struct stat *restrict to) {
  return get_stat(path, 1, to);
}
int fstat(int fd, struct stat *to) { return get_stat(NULL, (uint64_t)fd, to); }

//===-- The process -------------------------------------------------------===//

static long identity(int word) {
  if (!HOST_HAS_POSIX())
    return word < 2 ? 1 : 0; // the numbers of Linux's first process
  host_reply reply = __host_call(RPC_GETPID, 0, 0, 0);
  return (long)reply.words[word];
}
pid_t getpid(void) { return (pid_t)identity(1); }
pid_t getppid(void) { return (pid_t)identity(2); }

static long owner(unsigned word) {
  if (!HOST_HAS_POSIX())
    return 0;
  rpc_port port = __port_open(RPC_GETPID);
  __port_send_begin(&port);
  __port_send_end(&port);
  long value = (long)__port_recv(&port)->words[word];
  __port_close(&port);
  return value;
}
uid_t getuid(void) { return (uid_t)owner(3); }
uid_t geteuid(void) { return getuid(); }
gid_t getgid(void) { return (gid_t)owner(4); }
gid_t getegid(void) { return getgid(); }

int gethostname(char *name, size_t size) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  uint64_t received = 0;
  long length = __host_result(
      __host_receive(RPC_GETHOSTNAME, 0, 0, 0, name, size, &received));
  if (length < 0)
    return -1;
  if (received >= size)
    return fail_with(ENAMETOOLONG);
  name[received] = 0;
  return 0;
}
