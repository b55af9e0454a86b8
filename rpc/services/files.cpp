//===-- rpc/services/files.cpp - Names of files, sandboxed or not ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/files.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace gpuexec::rpc;

static int open_beneath(int directory, const char *name, int flags,
                        mode_t mode) {
  open_how how = {};
  how.flags = uint64_t(flags);
  // openat2 refuses a mode without O_CREAT, which open() ignores.
  how.mode = flags & (O_CREAT | __O_TMPFILE) ? mode & 07777 : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  int fd;
  // EAGAIN: because of a concurrent rename the kernel cannot tell whether the
  // path stays beneath the directory; it asks the caller to try again.
  for (int tries = 0; tries < 100; ++tries) {
    fd = int(syscall(SYS_openat2, directory, name, &how, sizeof how));
    if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
      break;
  }
  if (fd < 0 && errno == EXDEV)
    errno = EACCES; // the path leads out of the directory
  return fd;
}

// "/a/./b/../c" -> "/a/c". Does not look at links: the kernel resolves them.
static std::string normalize(llvm::StringRef path) {
  llvm::SmallVector<llvm::StringRef> parts, kept;
  path.split(parts, '/', -1, false);
  for (llvm::StringRef part : parts) {
    if (part == "..") {
      if (!kept.empty())
        kept.pop_back();
    } else if (part != ".") {
      kept.push_back(part);
    }
  }
  std::string result;
  for (llvm::StringRef part : kept)
    result += "/" + part.str();
  return result.empty() ? "/" : result;
}

int FileSystem::path_of_directory(const UniqueFd *directory,
                                  std::string &path) {
  char absolute[PATH_MAX];
  if (!directory) {
    if (!getcwd(absolute, sizeof absolute))
      return errno;
    path = absolute;
    return 0;
  }
  ssize_t size =
      readlink(path_of(*directory).c_str(), absolute, sizeof absolute);
  if (size < 0)
    return errno;
  path.assign(absolute, size_t(size));
  return 0;
}

llvm::Expected<FileSystem>
FileSystem::create(bool sandbox, llvm::ArrayRef<SandboxDirectory> directories,
                   int working_directory) {
  FileSystem files;
  files.sandbox = sandbox;
  if (working_directory >= 0) {
    files.directory = std::make_shared<UniqueFd>(
        fcntl(working_directory, F_DUPFD_CLOEXEC, 0));
    if (!*files.directory)
      return llvm::createStringError("working directory: %s", strerror(errno));
  }
  if (!sandbox)
    return files;
  std::string start;
  if (path_of_directory(files.directory.get(), start))
    start.clear();
  for (const SandboxDirectory &granted : directories) {
    UniqueFd fd(
        granted.handle
            ? fcntl(granted.handle->get(), F_DUPFD_CLOEXEC, 0)
            : ::open(granted.path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    // Ask for its path now: a program may have moved it since it was opened.
    std::string absolute;
    if (int error = fd ? path_of_directory(&fd, absolute) : errno)
      return llvm::createStringError("%s: %s", granted.path.c_str(),
                                     strerror(error));
    UniqueFd probe(open_beneath(fd.get(), ".", O_PATH | O_CLOEXEC, 0));
    if (!probe)
      return llvm::createStringError(
          "%s: cannot be used for a sandbox: openat2: %s", granted.path.c_str(),
          strerror(errno));
    Root root{absolute, std::move(fd), granted.writable, {}, false};
    root.mapped = !granted.name.empty();
    if (root.mapped) {
      root.names = {normalize(granted.name)};
    } else {
      // The path without links, and the path that the user gave.
      root.names = {absolute, normalize(granted.path[0] == '/'
                                            ? granted.path
                                            : start + "/" + granted.path)};
    }
    files.roots.push_back(std::move(root));
  }
  if (llvm::Error error = files.check_nesting())
    return std::move(error);
  // Relative names begin in the user's working directory, granted or not.
  files.directory_path = start.empty() ? "/" : files.visible_name(start);
  return files;
}

/// Whether `path` is `directory` or below it. Both are absolute, without links.
static bool is_below(llvm::StringRef path, llvm::StringRef directory) {
  return directory == "/" || (path.consume_front(directory) &&
                              (path.empty() || path.front() == '/'));
}

// Refuses a directory that is granted for reading and lies in a writable one: a
// program could rename it there and reach it by another name, and Landlock adds
// up the rights of both.
llvm::Error FileSystem::check_nesting() const {
  for (const Root &kept : roots)
    for (const Root &root : roots)
      if (!kept.writable && root.writable && is_below(kept.path, root.path))
        return llvm::createStringError(
            "%s: cannot be kept from writing: it is in %s, which is writable",
            kept.path.c_str(), root.path.c_str());
  return llvm::Error::success();
}

std::string FileSystem::visible_name(const std::string &path) const {
  const Root *best = nullptr;
  for (const Root &root : roots)
    if (is_below(path, root.path) &&
        (!best || root.path.size() > best->path.size()))
      best = &root;
  if (!best || !best->mapped)
    return path;
  const size_t outside = best->path == "/" ? 0 : best->path.size();
  return normalize(best->names.front() + "/" + path.substr(outside));
}

FileSystem::FileSystem(FileSystem &&other) noexcept
    : sandbox(other.sandbox), roots(std::move(other.roots)),
      directory(std::move(other.directory)),
      directory_path(std::move(other.directory_path)) {}

int FileSystem::locate(const std::string &path, Place &place) {
  if (path.empty())
    return ENOENT;
  if (path.size() >= PATH_MAX)
    return ENAMETOOLONG;
  std::lock_guard lock(mutex);
  if (!sandbox) {
    place.directory = AT_FDCWD;
    if (directory) {
      place.holder = UniqueFd(fcntl(directory->get(), F_DUPFD_CLOEXEC, 0));
      if (!place.holder)
        return errno;
      place.directory = place.holder.get();
    }
    place.name = path;
    return 0;
  }
  std::string absolute =
      normalize(path[0] == '/' ? path : directory_path + "/" + path);
  bool as_directory = path.back() == '/';
  const Root *best = nullptr;
  llvm::StringRef best_name;
  for (const Root &root : roots)
    for (const std::string &name : root.names)
      if (is_below(absolute, name) &&
          (!best || name.size() > best_name.size())) {
        best = &root;
        best_name = name;
      }
  if (!best)
    return EACCES;
  llvm::StringRef rest = llvm::StringRef(absolute).drop_front(
      best_name == "/" ? 0 : best_name.size());
  rest = rest.ltrim('/');
  place.directory = best->fd.get();
  place.name = rest.empty() ? "." : rest.str();
  if (as_directory && !rest.empty())
    place.name += "/";
  place.writable = best->writable;
  place.beneath = true;
  return 0;
}

int FileSystem::locate_parent(const std::string &path, Place &place,
                              bool change) {
  if (int error = locate(path, place))
    return error;
  if (!place.beneath)
    return 0;
  if (change && !place.writable)
    return EROFS;
  llvm::StringRef name = llvm::StringRef(place.name).rtrim('/');
  size_t slash = name.rfind('/');
  if (slash == llvm::StringRef::npos) {
    place.name = name.str();
    return 0;
  }
  std::string parent = name.take_front(slash).str();
  int fd = open_beneath(place.directory, parent.c_str(),
                        O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
  if (fd < 0)
    return errno;
  place.holder = UniqueFd(fd);
  place.directory = fd;
  place.name = name.drop_front(slash + 1).str();
  return 0;
}

// Raises the soft limit of open files to the hard limit: thousands of waves may
// open more files than a shell's soft limit allows.
static bool raise_file_limit() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= limit.rlim_max)
    return false;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

int FileSystem::open_place(const Place &place, int flags, mode_t mode) {
  const char *name = place.name.c_str();
  for (;;) {
    int fd = place.beneath ? open_beneath(place.directory, name, flags, mode)
                           : openat(place.directory, name, flags, mode);
    if (fd >= 0)
      return fd;
    if (errno == EINTR || (errno == EMFILE && raise_file_limit()))
      continue;
    return -1;
  }
}

int FileSystem::open_path(const std::string &path, bool change, UniqueFd &fd) {
  Place place;
  if (int error = locate(path, place))
    return error;
  if (change && !place.writable)
    return EROFS;
  fd = UniqueFd(open_place(place, O_PATH | O_CLOEXEC, 0));
  return fd ? 0 : errno;
}

int FileSystem::open(const std::string &path, int flags, mode_t mode,
                     int &error) {
  Place place;
  error = locate(path, place);
  if (error)
    return -1;
  if ((flags & (O_CREAT | __O_TMPFILE)) && refuses_mode(mode)) {
    error = EPERM;
    return -1;
  }
  bool changes = (flags & O_ACCMODE) != O_RDONLY ||
                 (flags & (O_CREAT | O_TRUNC | __O_TMPFILE));
  if (changes && !place.writable) {
    error = EROFS;
    return -1;
  }
  // O_NONBLOCK: opening a FIFO or a serial line must not hold the thread. The
  // flag has no other effect: HostFile's reads and writes never wait.
  int fd = open_place(place, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode);
  if (fd < 0) {
    error = errno;
    return -1;
  }
  return fd;
}

int FileSystem::status(const std::string &path, bool follow,
                       struct stat &status) {
  if (follow) {
    UniqueFd fd;
    if (int error = open_path(path, false, fd))
      return error;
    return fstat(fd.get(), &status) ? errno : 0;
  }
  return at_parent(path, false, [&](int in, const char *name) {
    return fstatat(in, name, &status, AT_SYMLINK_NOFOLLOW);
  });
}

int FileSystem::file_system(const std::string &path, struct statfs &facts) {
  UniqueFd fd;
  if (int error = open_path(path, false, fd))
    return error;
  return fstatfs(fd.get(), &facts) ? errno : 0;
}

int FileSystem::access(const std::string &path, int mode) {
  Place place;
  if (int error = locate(path, place))
    return error;
  if ((mode & W_OK) && !place.writable)
    return EROFS;
  if (!place.beneath)
    return faccessat(place.directory, place.name.c_str(), mode, 0) ? errno : 0;
  UniqueFd fd(open_place(place, O_PATH | O_CLOEXEC, 0));
  if (!fd)
    return errno;
  return ::access(path_of(fd).c_str(), mode) ? errno : 0;
}

int FileSystem::remove(const std::string &path, bool directory) {
  return at_parent(path, true, [&](int in, const char *name) {
    return unlinkat(in, name, directory ? AT_REMOVEDIR : 0);
  });
}

int FileSystem::with_two_names(const std::string &from, const std::string &to,
                               int (*act)(int, const char *, int,
                                          const char *)) {
  Place old_place, new_place;
  if (int error = locate_parent(from, old_place, true))
    return error;
  return at_parent(to, true, [&](int in, const char *name) {
    return act(old_place.directory, old_place.name.c_str(), in, name);
  });
}

int FileSystem::rename(const std::string &from, const std::string &to) {
  return with_two_names(from, to, renameat);
}

int FileSystem::link(const std::string &from, const std::string &to) {
  return with_two_names(
      from, to,
      [](int old_in, const char *old_name, int new_in, const char *new_name) {
        return linkat(old_in, old_name, new_in, new_name, 0);
      });
}

int FileSystem::symlink(const std::string &text, const std::string &path) {
  return at_parent(path, true, [&](int in, const char *name) {
    return symlinkat(text.c_str(), in, name);
  });
}

int FileSystem::read_link(const std::string &path, std::string &text) {
  char buffer[PATH_MAX];
  ssize_t size = 0;
  int error = at_parent(path, false, [&](int in, const char *name) {
    size = readlinkat(in, name, buffer, sizeof buffer);
    return size < 0;
  });
  if (!error)
    text.assign(buffer, size_t(size));
  return error;
}

int FileSystem::make_directory(const std::string &path, mode_t mode) {
  return at_parent(path, true, [&](int in, const char *name) {
    if (!refuses_mode(mode))
      return mkdirat(in, name, mode & 07777);
    errno = EPERM;
    return -1;
  });
}

int FileSystem::make_fifo(const std::string &path, mode_t mode) {
  if (sandbox) // Landlock refuses it too
    return EPERM;
  return at_parent(path, true, [&](int in, const char *name) {
    return mkfifoat(in, name, mode & 07777);
  });
}

int FileSystem::directory_of(int fd, std::string &path) {
  struct stat status;
  if (fstat(fd, &status))
    return errno;
  if (!S_ISDIR(status.st_mode))
    return ENOTDIR;
  UniqueFd copy(fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!copy)
    return errno;
  const int error = path_of_directory(&copy, path);
  if (!error && sandbox)
    path = visible_name(path);
  return error;
}

std::string FileSystem::path_of(const UniqueFd &fd) {
  return "/proc/self/fd/" + std::to_string(fd.get());
}

int FileSystem::change_directory(const std::string &path) {
  Place place;
  if (int error = locate(path, place))
    return error;
  auto fd = std::make_shared<UniqueFd>(
      open_place(place, O_PATH | O_DIRECTORY | O_CLOEXEC, 0));
  if (!*fd)
    return errno;
  std::string absolute;
  if (int error = path_of_directory(fd.get(), absolute))
    return error;
  std::lock_guard lock(mutex);
  directory = std::move(fd);
  directory_path = visible_name(absolute);
  return 0;
}

int FileSystem::working_directory(std::string &path) {
  std::lock_guard lock(mutex);
  if (sandbox) {
    path = directory_path;
    return 0;
  }
  return path_of_directory(directory.get(), path);
}

int FileSystem::working_directory_fd() {
  std::lock_guard lock(mutex);
  return directory ? directory->get() : -1;
}
