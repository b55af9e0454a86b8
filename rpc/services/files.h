//===-- rpc/services/files.h - Names of files, sandboxed or not -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every path of the device goes through here. Without a sandbox it means what
// it means to the user. With one, only what lies below the granted directories
// can be named: the kernel resolves the rest of the path beneath the
// directory's descriptor (openat2, RESOLVE_BENEATH), so that neither ".." nor a
// symbolic link leads out, whoever changes the tree meanwhile.
//
// The program has a working directory of its own; the process keeps its.
// Errors are errno values. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_FILES_H
#define GPUEXEC_RPC_SERVICES_FILES_H

#include "rpc/services/options.h"
#include "support/descriptor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <errno.h>
#include <memory>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <vector>

namespace gpuexec::rpc {

class FileSystem {
public:
  static llvm::Expected<FileSystem>
  create(bool sandbox, llvm::ArrayRef<SandboxDirectory> directories,
         int working_directory);
  FileSystem(FileSystem &&other) noexcept;

  bool sandboxed() const { return sandbox; }
  /// In a sandbox no file gets a set-user-ID, set-group-ID or sticky bit.
  bool refuses_mode(mode_t mode) const { return sandbox && (mode & 07000); }

  /// A descriptor, or -1 and `error`. O_CLOEXEC and O_NOCTTY are added; a FIFO
  /// is opened without waiting for its other end.
  int open(const std::string &path, int flags, mode_t mode, int &error);
  int status(const std::string &path, bool follow, struct stat &status);
  /// statfs() of the file system that the file is in.
  int file_system(const std::string &path, struct statfs &facts);
  int access(const std::string &path, int mode);
  int remove(const std::string &path, bool directory);
  int rename(const std::string &from, const std::string &to);
  int link(const std::string &from, const std::string &to);
  int symlink(const std::string &text, const std::string &path);
  int read_link(const std::string &path, std::string &text);
  int make_fifo(const std::string &path, mode_t mode);
  /// The absolute path of an open directory; ENOTDIR for other files.
  int directory_of(int fd, std::string &path);
  int make_directory(const std::string &path, mode_t mode);
  int change_mode(const std::string &path, mode_t mode);
  int change_owner(const std::string &path, uid_t owner, gid_t group,
                   bool follow);
  int truncate(const std::string &path, int64_t size);
  int set_times(const std::string &path, const struct timespec (&times)[2]);
  int change_directory(const std::string &path);
  int working_directory(std::string &path);
  /// For children: the working directory, or -1 for the process's own.
  int working_directory_fd();

private:
  FileSystem() = default;
  struct Root {
    std::string path; // absolute, without symbolic links
    UniqueFd fd;
    bool writable;
    std::vector<std::string> names; // the program's, absolute and normalized
    bool mapped;                    // the program sees it under another name
  };
  /// A directory and a path relative to it.
  struct Place {
    int directory;
    std::string name;
    UniqueFd holder; // owns `directory` if it was opened for this place
    bool writable = true;
    bool beneath = false; // resolve by openat2
  };
  int locate(const std::string &path, Place &place);
  /// Finds the directory that holds the path's last component, for calls that
  /// act on a name. `change`: EROFS if nothing may be written there.
  int locate_parent(const std::string &path, Place &place, bool change);
  /// Calls act(directory, name) with the directory of the last component and
  /// its name. `act` is a system call: not 0 means errno. Returns errno or 0.
  template <typename F>
  int at_parent(const std::string &path, bool change, F act) {
    Place place;
    if (int error = locate_parent(path, place, change))
      return error;
    return act(place.directory, place.name.c_str()) ? errno : 0;
  }
  /// As at_parent() with two names, both in writable directories: for rename()
  /// and link().
  int with_two_names(const std::string &from, const std::string &to,
                     int (*act)(int, const char *, int, const char *));
  /// An O_PATH descriptor of the file itself, for calls that follow links.
  int open_path(const std::string &path, bool change, UniqueFd &fd);
  int open_place(const Place &place, int flags, mode_t mode);
  /// A descriptor of the file whose mode, owner or times will be changed. In a
  /// sandbox the file is opened for reading or writing, because the kernel
  /// refuses to change these by name there; else as open_path(), for path_of().
  int open_for_change(const std::string &path, bool follow, UniqueFd &fd);
  llvm::Error check_nesting() const;
  /// The name by which the program sees the host's `path`, an absolute path
  /// without links.
  std::string visible_name(const std::string &path) const;
  /// Finds a directory's path; null: the process's working directory. errno or
  /// 0.
  static int path_of_directory(const UniqueFd *directory, std::string &path);
  /// A path by which system calls reach the file of an O_PATH descriptor.
  static std::string path_of(const UniqueFd &fd);

  bool sandbox = false;
  std::vector<Root> roots;
  std::mutex mutex;
  std::shared_ptr<UniqueFd> directory; // working directory; null: the process's
  std::string directory_path;          // sandbox: absolute
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_FILES_H
