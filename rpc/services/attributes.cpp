//===-- rpc/services/attributes.cpp - Modes, owners, times, lengths -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chmod() and similar calls follow a symbolic link in the last component, which
// could lead out of a sandbox. Therefore these functions open the file first
// and act on its descriptor. In a sandbox the file is opened for reading or
// writing, not with O_PATH, because the kernel refuses calls by name there.
//===----------------------------------------------------------------------===//
#include "rpc/services/files.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

using namespace gpuexec::rpc;

int FileSystem::open_for_change(const std::string &path, bool follow,
                                UniqueFd &fd) {
  if (!sandbox)
    return open_path(path, true, fd);
  int flags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follow ? 0 : O_NOFOLLOW);
  Place place;
  if (int error = locate(path, place))
    return error;
  if (!place.writable)
    return EROFS;
  fd = UniqueFd(open_place(place, O_RDONLY | flags, 0));
  if (!fd && errno == EACCES)
    fd = UniqueFd(open_place(place, O_WRONLY | flags, 0));
  return fd ? 0 : errno == ELOOP && !follow ? EPERM : errno;
}

int FileSystem::change_mode(const std::string &path, mode_t mode) {
  UniqueFd fd;
  if (refuses_mode(mode))
    return EPERM;
  if (int error = open_for_change(path, true, fd))
    return error;
  int failed = sandbox ? fchmod(fd.get(), mode)
                       : chmod(path_of(fd).c_str(), mode & 07777);
  return failed ? errno : 0;
}

int FileSystem::change_owner(const std::string &path, uid_t owner, gid_t group,
                             bool follow) {
  if (!sandbox && !follow)
    return at_parent(path, true, [&](int in, const char *name) {
      return fchownat(in, name, owner, group, AT_SYMLINK_NOFOLLOW);
    });
  UniqueFd fd;
  if (int error = open_for_change(path, follow, fd))
    return error;
  int failed = sandbox ? fchown(fd.get(), owner, group)
                       : chown(path_of(fd).c_str(), owner, group);
  return failed ? errno : 0;
}

int FileSystem::set_times(const std::string &path,
                          const struct timespec (&times)[2]) {
  UniqueFd fd;
  if (int error = open_for_change(path, true, fd))
    return error;
  int failed = sandbox ? futimens(fd.get(), times)
                       : utimensat(AT_FDCWD, path_of(fd).c_str(), times, 0);
  return failed ? errno : 0;
}

int FileSystem::truncate(const std::string &path, int64_t size) {
  int error;
  UniqueFd fd(open(path, O_WRONLY, 0, error));
  if (!fd)
    return error;
  return ftruncate(fd.get(), size) ? errno : 0;
}
