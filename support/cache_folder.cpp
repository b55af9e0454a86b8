//===-- support/cache_folder.cpp - Files kept between runs ----------------===//
#include "support/cache_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <sys/stat.h>
#include <tuple>
#include <vector>

namespace gpuexec {

std::string CacheFolder::default_path(const std::string &name) {
  // A relative path in XDG_CACHE_HOME is to be ignored (XDG Base Directory
  // Specification).
  const char *caches = std::getenv("XDG_CACHE_HOME");
  if (caches && *caches == '/')
    return std::string(caches) + "/gpuexec/" + name;
  const char *home = std::getenv("HOME");
  if (home && *home == '/')
    return std::string(home) + "/.cache/gpuexec/" + name;
  return "";
}

/// Why what is open there is not to be trusted, or "".
static std::string distrust(int fd, const std::string &path) {
  struct stat status;
  if (fstat(fd, &status))
    return path + ": " + std::strerror(errno);
  if (status.st_uid != geteuid())
    return path + " belongs to another user";
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return path + " can be written by other users";
  return "";
}

CacheFolder CacheFolder::open(const std::string &path, std::string &warning) {
  for (size_t slash = 0; slash != std::string::npos;) {
    slash = path.find('/', slash + 1);
    mkdir(path.substr(0, slash).c_str(), S_IRWXU);
  }
  CacheFolder result;
  UniqueFd folder(
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder)
    warning = errno == ENOTDIR || errno == ELOOP
                  ? path + " is no folder"
                  : path + ": " + std::strerror(errno);
  else
    warning = distrust(folder.get(), path);
  if (!warning.empty())
    return result;
  result.path = path;
  result.folder = std::move(folder);
  return result;
}

UniqueFd CacheFolder::open_file(const std::string &name, int flags,
                                std::string &warning) const {
  if (!folder)
    return UniqueFd();
  const std::string full = path + "/" + name;
  // Not blocking: what stands there may be a FIFO.
  UniqueFd file(openat(folder.get(), name.c_str(),
                       flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                       S_IRUSR | S_IWUSR));
  struct stat status;
  if (!file && errno == ENOENT)
    return file;
  if (!file)
    warning = errno == ELOOP ? full + " is no file"
                             : full + ": " + std::strerror(errno);
  else if (fstat(file.get(), &status) == 0 && !S_ISREG(status.st_mode))
    warning = full + " is no file";
  else
    warning = distrust(file.get(), full);
  return warning.empty() ? std::move(file) : UniqueFd();
}

void CacheFolder::trim(const std::string &suffix, uint64_t largest) const {
  DIR *listing = nullptr;
  if (folder) {
    UniqueFd again(
        openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    listing = fdopendir(again.get());
    if (listing)
      again.release();
  }
  if (!listing)
    return;
  using Age = std::pair<int64_t, int64_t>; // seconds, nanoseconds
  std::vector<std::tuple<Age, uint64_t, std::string>> files;
  uint64_t total = 0;
  while (const dirent *entry = readdir(listing)) {
    const std::string name = entry->d_name;
    struct stat status;
    if (name.size() <= suffix.size() ||
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0 ||
        fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) !=
            0 ||
        !S_ISREG(status.st_mode))
      continue;
    files.emplace_back(Age(status.st_mtim.tv_sec, status.st_mtim.tv_nsec),
                       uint64_t(status.st_size), name);
    total += uint64_t(status.st_size);
  }
  closedir(listing);
  std::sort(files.begin(), files.end());
  for (const auto &[age, size, name] : files) {
    if (total <= largest)
      break;
    if (unlinkat(folder.get(), name.c_str(), 0) == 0)
      total -= size;
  }
}

} // namespace gpuexec
