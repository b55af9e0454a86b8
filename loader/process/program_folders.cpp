//===-- loader/process/program_folders.cpp - What programs may change -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/program_folders.h"
#include "support/failure.h"
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace gpuexec {

static constexpr unsigned MOST_LINKS = 40; // as the kernel has it
static constexpr int A_DIRECTORY = O_PATH | O_DIRECTORY | O_CLOEXEC;

int ProgramFolders::add(const std::string &name, int fd) {
  struct stat status;
  if (::fstat(fd, &status) != 0)
    return errno;
  folders.push_back({name, status.st_dev, status.st_ino});
  return 0;
}

const ProgramFolders::Folder *
ProgramFolders::find(const struct stat &status) const {
  for (const Folder &folder : folders)
    if (folder.inode == status.st_ino && folder.device == status.st_dev)
      return &folder;
  return nullptr;
}

const ProgramFolders::Folder *
ProgramFolders::find_around(int directory, bool *is_writable) const {
  if (is_writable)
    *is_writable = false;
  UniqueFd holder;
  struct stat here, above;
  bool is_known = ::fstat(directory, &here) == 0;
  while (is_known) {
    if (is_writable)
      *is_writable |= ::faccessat(directory, ".", W_OK, AT_EACCESS) == 0;
    if (const Folder *found = find(here))
      return found;
    UniqueFd parent(::openat(directory, "..", A_DIRECTORY));
    is_known = ::fstat(parent.get(), &above) == 0 &&
               (here.st_ino != above.st_ino || here.st_dev != above.st_dev);
    holder = std::move(parent); // `directory` of the first turn is not ours
    directory = holder.get();
    here = above;
  }
  return nullptr; // that was the root
}

/// Resolves one path, name by name.
class ProgramFolders::Walk {
public:
  Walk(const ProgramFolders &folders, const std::string &path)
      : folders(folders), path(path) {}

  llvm::Expected<Place> run() {
    if (path.empty())
      return fail(std::strerror(ENOENT));
    place.must_be_directory = path.back() == '/';
    if (llvm::Error error = follow(path))
      return std::move(error);
    for (;;) {
      take_name();
      bool ends = false;
      if (llvm::Error error = step(ends))
        return std::move(error);
      if (ends)
        return std::move(place);
    }
  }

private:
  llvm::Error fail(const std::string &reason) const {
    return failure(Reason::failed, "{0}: {1}", path, reason);
  }
  llvm::Error fail_by_errno() const { return fail(std::strerror(errno)); }

  /// Enters a directory that need not be beside or below the last one.
  llvm::Error enter(UniqueFd directory) {
    if (!directory)
      return fail_by_errno();
    place.directory = std::move(directory);
    place.folder = folders.find_around(place.directory.get(), nullptr);
    return llvm::Error::success();
  }

  /// Puts `text`, the content of a link or the whole path, in front of `left`.
  llvm::Error follow(std::string text) {
    if (!left.empty())
      text += "/" + left;
    left = std::move(text);
    if (left[0] == '/')
      return enter(UniqueFd(::open("/", A_DIRECTORY)));
    return place.directory ? llvm::Error::success()
                           : enter(UniqueFd(::open(".", A_DIRECTORY)));
  }

  /// Moves the next name from `left` to `place.name`: "." at the end.
  void take_name() {
    left.erase(0, left.find_first_not_of('/'));
    const size_t length = std::min(left.find('/'), left.size());
    place.name = length ? left.substr(0, length) : ".";
    left.erase(0, length);
    left.erase(0, left.find_first_not_of('/'));
  }

  /// Follows `place.name`, or ends there.
  llvm::Error step(bool &ends) {
    const int in = place.directory.get();
    const char *name = place.name.c_str();
    if (place.name == "..")
      return enter(UniqueFd(::openat(in, name, A_DIRECTORY)));
    UniqueFd next(::openat(in, name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!next && !(errno == ENOENT && left.empty()))
      return fail_by_errno();
    struct stat status;
    if (next && ::fstat(next.get(), &status) != 0)
      return fail_by_errno();
    if (next && S_ISLNK(status.st_mode))
      return follow_link(next, ends);
    ends = left.empty();
    if (ends)
      return llvm::Error::success();
    // A directory below such a folder belongs to it, too.
    if (!place.folder)
      place.folder = folders.find(status);
    place.directory = std::move(next);
    return llvm::Error::success();
  }

  llvm::Error follow_link(const UniqueFd &link, bool &ends) {
    if (place.folder)
      return fail("'" + place.name + "' is a symbolic link in " +
                  place.folder->name +
                  ", where programs may write: give a path without it");
    struct statfs facts;
    if (::fstatfs(link.get(), &facts) == 0 &&
        facts.f_type == PROC_SUPER_MAGIC) {
      // A descriptor, which has no path. The kernel follows it.
      ends = left.empty();
      place.is_descriptor = ends;
      return ends ? llvm::Error::success()
                  : enter(UniqueFd(::openat(place.directory.get(),
                                            place.name.c_str(), A_DIRECTORY)));
    }
    char text[PATH_MAX];
    const ssize_t size = ::readlinkat(link.get(), "", text, sizeof text);
    if (size <= 0)
      return fail_by_errno();
    if (++links > MOST_LINKS)
      return fail(std::strerror(ELOOP));
    return follow(std::string(text, size_t(size)));
  }

  const ProgramFolders &folders;
  const std::string &path;
  std::string left; // behind place.name
  unsigned links = 0;
  Place place;
};

llvm::Expected<ProgramFolders::Place>
ProgramFolders::locate(const std::string &path) const {
  return Walk(*this, path).run();
}

UniqueFd ProgramFolders::open_at(const Place &place, int flags, mode_t mode) {
  if (place.must_be_directory)
    flags = (flags & ~O_CREAT) | O_DIRECTORY;
  if (!place.is_descriptor)
    flags |= O_NOFOLLOW;
  return UniqueFd(::openat(place.directory.get(), place.name.c_str(),
                           flags | O_CLOEXEC | O_NOCTTY, mode));
}

llvm::Expected<const ProgramFolders::Folder *>
ProgramFolders::changeable(const std::string &path) const {
  llvm::Expected<Place> place = locate(path);
  if (!place)
    return place.takeError();
  if (!place->folder)
    return nullptr;
  const int in = place->directory.get();
  bool is_writable;
  const Folder *folder = find_around(in, &is_writable);
  is_writable |= ::faccessat(in, place->name.c_str(), W_OK, AT_EACCESS) == 0;
  return is_writable ? folder : nullptr;
}

} // namespace gpuexec
