//===-- rpc/services/files.h - Names of files, sandboxed or not -*- C++ -*-===//
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
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace gpuexec::rpc {

/// Closes its descriptor.
class UniqueFd {
public:
  explicit UniqueFd(int fd = -1) : fd(fd) {}
  UniqueFd(UniqueFd &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  UniqueFd &operator=(UniqueFd &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~UniqueFd();
  int get() const { return fd; }
  int release() { return std::exchange(fd, -1); }
  explicit operator bool() const { return fd >= 0; }

private:
  int fd;
};

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
  int access(const std::string &path, int mode);
  int remove(const std::string &path, bool directory);
  int rename(const std::string &from, const std::string &to);
  int link(const std::string &from, const std::string &to);
  int symlink(const std::string &text, const std::string &path);
  int read_link(const std::string &path, std::string &text);
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
  };
  /// A directory and a name in it, or relative to it.
  struct Place {
    int directory;
    std::string name;
    UniqueFd holder; // of `directory`, when it was opened for this
    bool writable = true;
    bool beneath = false; // resolve by openat2
  };
  int locate(const std::string &path, Place &place);
  /// The directory that holds the last component, for calls that act on a name.
  int locate_parent(const std::string &path, Place &place, bool change);
  /// An O_PATH descriptor of the file itself, for calls that follow links.
  int open_path(const std::string &path, bool change, UniqueFd &fd);
  int open_place(const Place &place, int flags, mode_t mode);
  /// In a sandbox: opens what is to be changed through its descriptor, because
  /// the kernel lets no mode, owner or time of a name be changed there.
  int open_for_change(const std::string &path, bool follow, UniqueFd &fd);
  llvm::Error check_nesting() const;
  /// Where a directory is, or the process's own for null. errno or 0.
  static int path_of_directory(const UniqueFd *directory, std::string &path);
  /// A name of what an O_PATH descriptor stands for.
  static std::string path_of(const UniqueFd &fd);

  bool sandbox = false;
  std::vector<Root> roots;
  std::mutex mutex;
  std::shared_ptr<UniqueFd> directory; // the program's own, null: the process's
  std::string directory_path;          // sandbox: absolute
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_FILES_H
