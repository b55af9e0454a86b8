//===-- rpc/services/names.cpp - Files by name: stat, mkdir, readdir ... --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes 0x470003xx, and LLVM's REMOVE and RENAME.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"
#include "rpc/services/stat.h"
#include <dirent.h>
#include <fcntl.h>
#include <random>
#include <sys/syscall.h>
#include <unistd.h>

using namespace gpuexec::rpc;

rpc_stat gpuexec::rpc::to_wire(const struct stat &status) {
  rpc_stat wire = {};
  wire.dev = status.st_dev;
  wire.ino = status.st_ino;
  wire.mode = status.st_mode;
  wire.nlink = uint32_t(status.st_nlink);
  wire.uid = status.st_uid;
  wire.gid = status.st_gid;
  wire.rdev = status.st_rdev;
  wire.size = status.st_size;
  wire.blocks = uint64_t(status.st_blocks);
  wire.blksize = uint64_t(status.st_blksize);
  wire.atime = status.st_atim.tv_sec;
  wire.mtime = status.st_mtim.tv_sec;
  wire.ctime = status.st_ctim.tv_sec;
  wire.atime_ns = uint32_t(status.st_atim.tv_nsec);
  wire.mtime_ns = uint32_t(status.st_mtim.tv_nsec);
  wire.ctime_ns = uint32_t(status.st_ctim.tv_nsec);
  return wire;
}

rpc_statvfs gpuexec::rpc::to_wire(const struct statfs &facts) {
  constexpr long ST_VALID = 0x20; // a flag for the C library, not for programs
  rpc_statvfs wire = {};
  wire.block_size = uint64_t(facts.f_bsize);
  wire.fragment_size =
      uint64_t(facts.f_frsize ? facts.f_frsize : facts.f_bsize);
  wire.blocks = facts.f_blocks;
  wire.free_blocks = facts.f_bfree;
  wire.available_blocks = facts.f_bavail;
  wire.files = facts.f_files;
  wire.free_files = facts.f_ffree;
  memcpy(&wire.id, &facts.f_fsid, sizeof wire.id);
  wire.flags = uint64_t(facts.f_flags & ~ST_VALID);
  wire.name_length = uint64_t(facts.f_namelen);
  wire.type = uint64_t(facts.f_type);
  return wire;
}

namespace {

ResultRecord<rpc_stat> path_status(Services &services, const std::string &path,
                                   uint64_t symlink) {
  struct stat status;
  if (int error = services.files.status(path, symlink != 1, status))
    return Result::failure(error);
  return {0, to_wire(status)};
}

ResultRecord<rpc_statvfs> path_file_system(Services &services,
                                           const std::string &path) {
  struct statfs facts;
  if (int error = services.files.file_system(path, facts))
    return Result::failure(error);
  return {0, to_wire(facts)};
}

Result check_access(Services &services, const std::string &path,
                    uint64_t mode) {
  return Result::of(mode <= 7 ? services.files.access(path, int(mode))
                              : EINVAL);
}

Result unlink_path(Services &services, const std::string &path,
                   uint64_t directory) {
  return Result::of(services.files.remove(path, directory == 1));
}

// remove() of C takes files and empty directories.
Result remove_any(Services &services, const std::string &path) {
  int error = services.files.remove(path, false);
  if (error == EISDIR || error == EPERM) {
    int as_directory = services.files.remove(path, true);
    error = as_directory == ENOTDIR ? error : as_directory;
  }
  return Result::of(error);
}

Result change_owner(Services &services, const std::string &path, uid_t owner,
                    gid_t group, uint64_t symlink) {
  return Result::of(
      services.files.change_owner(path, owner, group, symlink != 1));
}

Result set_times(Services &services, const std::string &path, int64_t access_s,
                 int64_t access_ns, int64_t change_s, int64_t change_ns) {
  const timespec times[2] = {{access_s, access_ns}, {change_s, change_ns}};
  return Result::of(services.files.set_times(path, times));
}

/// Makes a service of a member function of FileSystem that takes the opcode's
/// inputs and returns an errno.
template <auto CALL> struct OfFiles;
template <typename... P, int (FileSystem::*CALL)(P...)> struct OfFiles<CALL> {
  static Result call(Services &services, P... arguments) {
    return Result::of((services.files.*CALL)(arguments...));
  }
};

ResultBytes<> read_link(Services &services, const std::string &path,
                        uint64_t capacity) {
  std::string text;
  if (int error = services.files.read_link(path, text))
    return Result::failure(error);
  text.resize(std::min<uint64_t>(text.size(), capacity));
  return {int64_t(text.size()), text};
}

ResultBytes<> working_directory(Services &services, uint64_t capacity) {
  std::string path;
  if (int error = services.files.working_directory(path))
    return Result::failure(error);
  path.push_back('\0');
  if (path.size() > capacity)
    return Result::failure(ERANGE);
  return {0, path};
}

// mkstemp and mkdtemp: a name for the six X at the end.
ResultBytes<> make_temporary(Services &services, std::string name,
                             uint64_t directory) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  if (!llvm::StringRef(name).ends_with("XXXXXX"))
    return Result::failure(EINVAL);
  std::random_device random;
  int error = EEXIST, fd = -1;
  for (int tries = 0; tries < 1000 && error == EEXIST; ++tries) {
    for (size_t i = name.size() - 6; i < name.size(); ++i)
      name[i] = letters[random() % (sizeof letters - 1)];
    if (directory == 1) {
      error = services.files.make_directory(name, 0700);
      continue;
    }
    fd = services.files.open(name, O_RDWR | O_CREAT | O_EXCL, 0600, error);
    if (fd >= 0)
      error = 0;
  }
  if (error)
    return Result::failure(error);
  name.push_back('\0');
  return {directory == 1 ? Result(0) : services.add_descriptor(fd), name};
}

Result open_directory(Services &services, const std::string &path) {
  int error, fd = services.files.open(path, O_RDONLY | O_DIRECTORY, 0, error);
  if (fd < 0)
    return Result::failure(error);
  return int64_t(services.directories.add(std::make_shared<Directory>(fd)));
}

// Repacks entries of getdents64 as rpc_dirent until `capacity` is used up.
int read_entries(Directory &directory, uint64_t capacity, std::string &out) {
  struct Entry { // linux_dirent64
    uint64_t ino;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
  };
  std::lock_guard lock(directory.mutex);
  for (;;) {
    if (directory.at >= directory.entries.size()) {
      directory.entries.resize(32 << 10);
      directory.at = 0;
      long count = syscall(SYS_getdents64, directory.file.descriptor(),
                           directory.entries.data(), directory.entries.size());
      int error = count < 0 ? errno : 0;
      directory.entries.resize(count > 0 ? size_t(count) : 0);
      if (count <= 0)
        return out.empty() ? error : 0;
    }
    auto *entry =
        reinterpret_cast<Entry *>(directory.entries.data() + directory.at);
    size_t name = strlen(entry->name) + 1;
    rpc_dirent wire = {};
    wire.ino = entry->ino;
    wire.type = entry->type;
    wire.length = uint32_t((sizeof wire + name + 7) & ~size_t(7));
    if (out.size() + wire.length > capacity)
      return out.empty() ? EINVAL : 0;
    out.append(reinterpret_cast<char *>(&wire), sizeof wire);
    out.append(entry->name, name);
    out.resize((out.size() + 7) & ~size_t(7));
    directory.at += entry->length;
  }
}

ResultBytes<> read_directory(Services &, Directory &directory,
                             uint64_t capacity) {
  std::string entries;
  capacity = std::min<uint64_t>(capacity, 256 << 10);
  int error = read_entries(directory, capacity, entries);
  return {error ? Result::failure(error) : Result(int64_t(entries.size())),
          entries};
}

Result rewind_directory(Services &, Directory &directory) {
  std::lock_guard lock(directory.mutex);
  directory.entries.clear();
  directory.at = 0;
  bool failed = lseek(directory.file.descriptor(), 0, SEEK_SET) < 0;
  return Result::of(failed ? errno : 0);
}

Result directory_descriptor(Services &services, Directory &directory) {
  int fd = fcntl(directory.file.descriptor(), F_DUPFD_CLOEXEC, 3);
  return fd < 0 ? Result::failure(errno) : services.add_descriptor(fd);
}

Result close_directory(Services &services, uint64_t handle) {
  return Result::of(services.directories.remove(handle) ? 0 : EBADF);
}

} // namespace

RPC_SERVE(STAT, path_status)
RPC_SERVE(STATVFS, path_file_system)
RPC_SERVE(ACCESS, check_access)
RPC_SERVE(UNLINK, unlink_path)
RPC_SERVE(REMOVE, remove_any)
RPC_SERVE(RENAME, OfFiles<&FileSystem::rename>::call)
RPC_SERVE(RENAME_PATH, OfFiles<&FileSystem::rename>::call)
RPC_SERVE(LINK, OfFiles<&FileSystem::link>::call)
RPC_SERVE(SYMLINK, OfFiles<&FileSystem::symlink>::call)
RPC_SERVE(READLINK, read_link)
RPC_SERVE(MKDIR, OfFiles<&FileSystem::make_directory>::call)
RPC_SERVE(MKFIFO, OfFiles<&FileSystem::make_fifo>::call)
RPC_SERVE(DIRFD, directory_descriptor)
RPC_SERVE(CHMOD, OfFiles<&FileSystem::change_mode>::call)
RPC_SERVE(CHOWN, change_owner)
RPC_SERVE(CHDIR, OfFiles<&FileSystem::change_directory>::call)
RPC_SERVE(GETCWD, working_directory)
RPC_SERVE(TRUNCATE, OfFiles<&FileSystem::truncate>::call)
RPC_SERVE(UTIMENS, set_times)
RPC_SERVE(MKSTEMP, make_temporary)
RPC_SERVE(OPENDIR, open_directory)
RPC_SERVE(READDIR, read_directory)
RPC_SERVE(REWINDDIR, rewind_directory)
RPC_SERVE(CLOSEDIR, close_directory)
