//===-- replay/player/live_files.c - Descriptors and names ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A descriptor of the program is an index of its own table, so that the program
// cannot reach the driver's files.
//===----------------------------------------------------------------------===//
#include "replay/player/live.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_READ = 1 << 20 };
enum { WHOLE, AT_END, AT_ERROR }; // why a bulk transfer is short

int host_file(struct live *live, uint64_t descriptor) {
  return descriptor < MOST_FILES ? live->files[descriptor] : -1;
}

int64_t add_file(struct live *live, int fd) {
  for (int number = 0; number < MOST_FILES && fd >= 0; ++number)
    if (live->files[number] < 0) {
      live->files[number] = fd;
      return number;
    }
  if (fd >= 0) {
    close(fd);
    errno = EMFILE;
  }
  return -1;
}

/// The host's descriptor for the lane's first word. Writes out the pending
/// output of its stream first.
static int need_file(struct live *live, struct lane_values *lane) {
  const int fd = host_file(live, lane->in[0]);
  if (fd < 0)
    set_error(lane, EBADF);
  else if (lane->in[0] < 3)
    flush_stream(live->streams[lane->in[0]]);
  return fd;
}

//===-- Descriptors -------------------------------------------------------===//

static void open_service(struct live *live, struct lane_values *lane) {
  set_result(lane,
             add_file(live, open(lane->text[0], (int)lane->in[0] | O_CLOEXEC,
                                 (mode_t)lane->in[1])));
}
static void close_service(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  if (fd < 0)
    return;
  live->files[lane->in[0]] = -1;
  if (fd > STDERR_FILENO)
    set_result(lane, close(fd));
}
static void read_service(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  const uint64_t size = lane->in[1] < MOST_READ ? lane->in[1] : MOST_READ;
  const off_t offset = (off_t)lane->in[2];
  int error = 0;
  if (fd < 0)
    return;
  uint8_t *to = reserve(&lane->out, size);
  struct stream *input = live->streams[0];
  ssize_t count;
  if (fd == STDIN_FILENO && offset < 0 && input->in_done < input->in.size)
    count = (ssize_t)read_stream(live, input, to, size, false, &error);
  else
    count = offset < 0 ? read(fd, to, size) : pread(fd, to, size, offset);
  lane->out.size = count > 0 ? (size_t)count : 0;
  set_result(lane, count);
}
static void write_service(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  const off_t offset = (off_t)lane->in[2];
  const struct bytes bytes = *lane->bytes;
  if (fd >= 0)
    set_result(lane, offset < 0 ? write(fd, bytes.data, bytes.size)
                                : pwrite(fd, bytes.data, bytes.size, offset));
}
static void bulk_write(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  const uint64_t length = lane->in[BULK_LENGTH];
  const off_t offset = (off_t)lane->in[BULK_OFFSET];
  struct buffer chunk = {0};
  uint64_t done = 0;
  if (fd >= 0 &&
      !holds_memory(live->host, lane->in[BULK_ADDRESS], length, false))
    lane->error = EFAULT;
  while (fd >= 0 && done < length && !lane->error) {
    const uint64_t left = length - done,
                   step = left < MOST_READ ? left : MOST_READ;
    lane->error = read_memory(live->host, reserve(&chunk, step),
                              lane->in[BULK_ADDRESS] + done, step);
    if (lane->error)
      break;
    const ssize_t count =
        offset < 0 ? write(fd, chunk.data, step)
                   : pwrite(fd, chunk.data, step, offset + (off_t)done);
    if (count < 0)
      lane->error = errno;
    else
      done += (uint64_t)count;
  }
  free(chunk.data);
  rpc_output *output = mailbox_output(live->host->mailbox);
  if (!lane->error && mailbox_view(live->host->mailbox, lane->in[BULK_ADDRESS],
                                   1) == output->text)
    __atomic_store_n(&output->used, 0, __ATOMIC_RELAXED);
  lane->value = (int64_t)done;
  lane->failed = lane->error && !done;
  lane->words[0] = done < length ? AT_ERROR : WHOLE;
}
static void bulk_read(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  const uint64_t length = lane->in[BULK_LENGTH],
                 step = length < MOST_READ ? length : MOST_READ;
  const off_t offset = (off_t)lane->in[BULK_OFFSET];
  struct buffer chunk = {0};
  ssize_t count = 0;
  if (fd >= 0 &&
      !holds_memory(live->host, lane->in[BULK_ADDRESS], length, true)) {
    set_error(lane, EFAULT);
  } else if (fd >= 0 && length) {
    uint8_t *to = reserve(&chunk, step);
    count = offset < 0 ? read(fd, to, step) : pread(fd, to, step, offset);
    if (count < 0)
      set_error(lane, errno);
    else if (write_memory(live->host, lane->in[BULK_ADDRESS], to,
                          (uint64_t)count))
      set_error(lane, EFAULT);
  }
  free(chunk.data);
  if (!lane->failed)
    lane->value = count;
  lane->words[0] = lane->failed ? AT_ERROR : !count && length ? AT_END : WHOLE;
}
static void seek_service(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  if (fd >= 0)
    set_result(lane, lseek(fd, (off_t)lane->in[1], (int)lane->in[2]));
}
static void isatty_service(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  lane->value = fd >= 0 && isatty(fd);
  lane->error = fd < 0 ? EBADF : lane->value ? 0 : errno;
}
static void truncate_file(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  if (fd >= 0)
    set_result(lane, ftruncate(fd, (off_t)lane->in[1]));
}
static void sync_file(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  if (fd >= 0)
    set_result(lane, fsync(fd));
}
static void dup_service(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  const uint64_t wanted = lane->in[1];
  const int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (fd < 0)
    return;
  if (copy < 0 || (int64_t)wanted < 0)
    return set_result(lane, add_file(live, copy));
  if (wanted >= MOST_FILES) {
    close(copy);
    return set_error(lane, EBADF);
  }
  if (live->files[wanted] > STDERR_FILENO)
    close(live->files[wanted]);
  live->files[wanted] = copy;
  lane->value = (int64_t)wanted;
}
static void fcntl_service(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane), command = (int)lane->in[1];
  if (fd < 0)
    return;
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
    return set_result(lane, add_file(live, fcntl(fd, F_DUPFD_CLOEXEC, 3)));
  if (command == F_GETFD || command == F_SETFD) // all are closed in children
    return;
  if (command != F_GETFL && command != F_SETFL)
    return set_error(lane, EINVAL);
  set_result(lane, fcntl(fd, command, (int)lane->in[2]));
}
static void chmod_file(struct live *live, struct lane_values *lane) {
  const int fd = need_file(live, lane);
  if (fd >= 0)
    set_result(lane, fchmod(fd, (mode_t)lane->in[1]));
}

//===-- Names -------------------------------------------------------------===//

static void pack_stat(struct lane_values *lane, int result,
                      const struct stat *s) {
  if (result)
    return set_error(lane, errno);
  const rpc_stat stat = {s->st_dev,
                         s->st_ino,
                         s->st_mode,
                         (uint32_t)s->st_nlink,
                         s->st_uid,
                         s->st_gid,
                         s->st_rdev,
                         s->st_size,
                         (uint64_t)s->st_blocks,
                         (uint64_t)s->st_blksize,
                         s->st_atim.tv_sec,
                         s->st_mtim.tv_sec,
                         s->st_ctim.tv_sec,
                         (uint32_t)s->st_atim.tv_nsec,
                         (uint32_t)s->st_mtim.tv_nsec,
                         (uint32_t)s->st_ctim.tv_nsec,
                         0,
                         {0}};
  memcpy(lane->record, &stat, sizeof stat);
}
static void stat_service(struct live *live, struct lane_values *lane) {
  struct stat s = {0};
  (void)live;
  pack_stat(lane,
            lane->in[0] ? lstat(lane->text[0], &s) : stat(lane->text[0], &s),
            &s);
}
static void fstat_service(struct live *live, struct lane_values *lane) {
  struct stat s = {0};
  const int fd = need_file(live, lane);
  if (fd >= 0)
    pack_stat(lane, fstat(fd, &s), &s);
}
static void access_service(struct live *live, struct lane_values *lane) {
  (void)live;
  set_result(lane, access(lane->text[0], (int)lane->in[0]));
}
static void unlink_service(struct live *live, struct lane_values *lane) {
  (void)live;
  set_result(lane, lane->in[0] ? rmdir(lane->text[0]) : unlink(lane->text[0]));
}
static void remove_service(struct live *live, struct lane_values *lane) {
  (void)live;
  set_result(lane, remove(lane->text[0]));
}
static void rename_service(struct live *live, struct lane_values *lane) {
  (void)live;
  set_result(lane, rename(lane->text[0], lane->text[1]));
}
static void link_service(struct live *live, struct lane_values *lane) {
  (void)live;
  set_result(lane, link(lane->text[0], lane->text[1]));
}
static void symlink_service(struct live *live, struct lane_values *lane) {
  (void)live;
  set_result(lane, symlink(lane->text[0], lane->text[1]));
}
static void readlink_service(struct live *live, struct lane_values *lane) {
  (void)live;
  const uint64_t size = lane->in[0] < PATH_MAX ? lane->in[0] : PATH_MAX;
  const ssize_t length =
      readlink(lane->text[0], (char *)reserve(&lane->out, size + 1), size);
  lane->out.size = length > 0 ? (size_t)length : 0;
  set_result(lane, length);
}
static void mkdir_service(struct live *live, struct lane_values *lane) {
  (void)live;
  set_result(lane, mkdir(lane->text[0], (mode_t)lane->in[0]));
}
static void chmod_service(struct live *live, struct lane_values *lane) {
  (void)live;
  set_result(lane, chmod(lane->text[0], (mode_t)lane->in[0]));
}
static void chdir_service(struct live *live, struct lane_values *lane) {
  (void)live;
  set_result(lane, chdir(lane->text[0]));
}
static void getcwd_service(struct live *live, struct lane_values *lane) {
  char path[PATH_MAX];
  (void)live;
  if (!getcwd(path, sizeof path))
    return set_error(lane, errno);
  if (strlen(path) + 1 > lane->in[0])
    return set_error(lane, ERANGE);
  append(&lane->out, path, strlen(path) + 1);
}
static void truncate_service(struct live *live, struct lane_values *lane) {
  (void)live;
  set_result(lane, truncate(lane->text[0], (off_t)lane->in[0]));
}
static void times_service(struct live *live, struct lane_values *lane) {
  const struct timespec times[] = {{(time_t)lane->in[0], (long)lane->in[1]},
                                   {(time_t)lane->in[2], (long)lane->in[3]}};
  (void)live;
  set_result(lane, utimensat(AT_FDCWD, lane->text[0], times, 0));
}
static void temporary_service(struct live *live, struct lane_values *lane) {
  append(&lane->out, lane->text[0], strlen(lane->text[0]) + 1);
  char *name = (char *)lane->out.data;
  if (!lane->in[0])
    return set_result(lane, add_file(live, mkostemp(name, O_CLOEXEC)));
  if (!mkdtemp(name))
    set_error(lane, errno);
}

//===-- Directories -------------------------------------------------------===//

static void open_directory(struct live *live, struct lane_values *lane) {
  int index = 0;
  while (index < MOST_FILES && live->directories[index])
    ++index;
  if (index == MOST_FILES)
    return set_error(lane, EMFILE);
  live->directories[index] = opendir(lane->text[0]);
  if (!live->directories[index])
    return set_error(lane, errno);
  lane->value = index + 1;
}
static DIR *need_directory(struct live *live, struct lane_values *lane) {
  const uint64_t index = lane->in[0] - 1;
  if (index < MOST_FILES && live->directories[index])
    return live->directories[index];
  set_error(lane, EBADF);
  return NULL;
}
static void read_directory(struct live *live, struct lane_values *lane) {
  DIR *directory = need_directory(live, lane);
  const uint64_t capacity = lane->in[1] < MOST_READ ? lane->in[1] : MOST_READ;
  while (directory) {
    const long before = telldir(directory);
    const struct dirent *entry = readdir(directory);
    if (!entry)
      break;
    const size_t name = strlen(entry->d_name) + 1,
                 size = (sizeof(rpc_dirent) + name + 7) & ~(size_t)7;
    if (lane->out.size + size > capacity) {
      seekdir(directory, before);
      break;
    }
    const rpc_dirent head = {entry->d_ino, (uint32_t)size, entry->d_type};
    append(&lane->out, &head, sizeof head);
    append(&lane->out, entry->d_name, name);
    append(&lane->out, "\0\0\0\0\0\0\0", size - sizeof head - name);
  }
  lane->value = (int64_t)lane->out.size;
}
static void rewind_directory(struct live *live, struct lane_values *lane) {
  DIR *directory = need_directory(live, lane);
  if (directory)
    rewinddir(directory);
}
static void close_directory(struct live *live, struct lane_values *lane) {
  DIR *directory = need_directory(live, lane);
  if (!directory)
    return;
  live->directories[lane->in[0] - 1] = NULL;
  set_result(lane, closedir(directory));
}

live_service *file_service(uint32_t opcode) {
  static const struct {
    uint32_t opcode;
    live_service *service;
  } services[] = {
      {RPC_OPEN, open_service},
      {RPC_CLOSE, close_service},
      {RPC_READ, read_service},
      {RPC_WRITE, write_service},
      {RPC_BULK_READ, bulk_read},
      {RPC_BULK_WRITE, bulk_write},
      {RPC_LSEEK, seek_service},
      {RPC_FSTAT, fstat_service},
      {RPC_ISATTY, isatty_service},
      {RPC_FTRUNCATE, truncate_file},
      {RPC_FSYNC, sync_file},
      {RPC_DUP, dup_service},
      {RPC_FCNTL, fcntl_service},
      {RPC_FCHMOD, chmod_file},
      {RPC_STAT, stat_service},
      {RPC_ACCESS, access_service},
      {RPC_UNLINK, unlink_service},
      {RPC_REMOVE, remove_service},
      {RPC_RENAME, rename_service},
      {RPC_RENAME_PATH, rename_service},
      {RPC_LINK, link_service},
      {RPC_SYMLINK, symlink_service},
      {RPC_READLINK, readlink_service},
      {RPC_MKDIR, mkdir_service},
      {RPC_CHMOD, chmod_service},
      {RPC_CHDIR, chdir_service},
      {RPC_GETCWD, getcwd_service},
      {RPC_TRUNCATE, truncate_service},
      {RPC_UTIMENS, times_service},
      {RPC_MKSTEMP, temporary_service},
      {RPC_OPENDIR, open_directory},
      {RPC_READDIR, read_directory},
      {RPC_REWINDDIR, rewind_directory},
      {RPC_CLOSEDIR, close_directory},
  };
  for (unsigned i = 0; i < sizeof services / sizeof *services; ++i)
    if (services[i].opcode == opcode)
      return services[i].service;
  return NULL;
}
