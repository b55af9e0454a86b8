//===-- loader/process/program_folders.h - What programs may change -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sandboxed program may put anything into a writable directory of --dir: also
// a symbolic link, in place of a file or a folder that the next run, or the
// next call of gpuexec, opens by its name. Paths are therefore resolved here,
// one name at a time, and a link that is in such a directory is never followed.
//
// A second mount of such a directory at another place is not recognised.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_PROGRAM_FOLDERS_H
#define GPUEXEC_LOADER_PROCESS_PROGRAM_FOLDERS_H

#include "support/descriptor.h"
#include "llvm/Support/Error.h"
#include <string>
#include <sys/stat.h>
#include <vector>

namespace gpuexec {

class ProgramFolders {
public:
  /// Adds the directory that `fd` is open for, and all below it. `name`: for
  /// messages. `fd` stays the caller's. Returns errno or 0.
  int add(const std::string &name, int fd);
  bool empty() const { return folders.empty(); }

  struct Folder {
    std::string name;
    dev_t device;
    ino_t inode;
  };
  /// Where a path leads: the directory of its last name, which is no link.
  struct Place {
    UniqueFd directory;
    std::string name;
    const Folder *folder = nullptr; ///< that `directory` is in, or null
    bool is_descriptor = false;     ///< a link of /proc to an open file
    bool must_be_directory = false; ///< the path ends in a slash
  };
  /// Resolves all links of `path`, also that of its last name, which need not
  /// exist. Errors: Failure with the path and the reason.
  llvm::Expected<Place> locate(const std::string &path) const;
  /// open() of the place, which follows no link. None, with errno, on an error.
  static UniqueFd open_at(const Place &place, int flags, mode_t mode = 0);
  /// The directory in which a program could change or replace the file that
  /// `path` leads to. Null when it is in none of them, or when this user may
  /// write neither the file nor a directory on the way to it.
  llvm::Expected<const Folder *> changeable(const std::string &path) const;

private:
  class Walk;
  /// The added folder that has the device and inode of this status, or null.
  const Folder *find(const struct stat &status) const;
  /// The added folder that is `directory` or contains it, or null.
  /// `is_writable`, unless null, becomes true if this user may write a
  /// directory from there down to `directory`, else false.
  const Folder *find_around(int directory, bool *is_writable) const;
  std::vector<Folder> folders;
};

} // namespace gpuexec

#endif // GPUEXEC_LOADER_PROCESS_PROGRAM_FOLDERS_H
