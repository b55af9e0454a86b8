//===-- support/cache_folder.cpp - Files kept between runs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache_folder.h"
#include "support/own_file.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <dirent.h>
#include <sys/stat.h>
#include <tuple>
#include <vector>

namespace gpuexec {

std::string CacheFolder::default_path(const std::string &name) {
  char path[PATH_MAX];
  gpuexec_cache_path(name.c_str(), path, sizeof path);
  return path;
}

std::string CacheFolder::path_of(const CacheKind &kind) {
  const char *named = std::getenv(kind.variable);
  return named && *named ? named : default_path(kind.name);
}

CacheFolder CacheFolder::open(const std::string &path, std::string &warning) {
  char reason[GPUEXEC_REASON];
  CacheFolder result;
  result.folder = UniqueFd(gpuexec_open_own_folder(path.c_str(), reason));
  if (result)
    result.path = path;
  else
    warning = path + reason;
  return result;
}

UniqueFd CacheFolder::open_file(const std::string &name, int flags,
                                std::string &warning) const {
  if (!folder)
    return UniqueFd();
  std::string problem;
  UniqueFd file = open_own_file(folder.get(), name, flags, problem);
  if (!file && errno != ENOENT)
    warning = path + "/" + name + problem;
  return file;
}

std::vector<CacheFolder::File> CacheFolder::list(const std::string &prefix,
                                                 const std::string &suffix,
                                                 uint64_t &others) const {
  others = 0;
  std::vector<File> files;
  DIR *listing = nullptr;
  if (folder) {
    UniqueFd again(
        openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    listing = fdopendir(again.get());
    if (listing)
      again.release();
  }
  if (!listing)
    return files;
  while (const dirent *entry = readdir(listing)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..")
      continue;
    struct stat status;
    const bool ours =
        name.size() > prefix.size() + suffix.size() &&
        name.compare(0, prefix.size(), prefix) == 0 &&
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0 &&
        fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) ==
            0 &&
        S_ISREG(status.st_mode);
    if (ours)
      files.push_back({name, uint64_t(status.st_size), status.st_mtim.tv_sec,
                       status.st_mtim.tv_nsec});
    else
      ++others;
  }
  closedir(listing);
  return files;
}

void CacheFolder::trim(const std::string &suffix, uint64_t largest) const {
  uint64_t others, total = 0;
  std::vector<File> files = list("", suffix, others);
  for (const File &file : files)
    total += file.size;
  std::sort(files.begin(), files.end(), [](const File &a, const File &b) {
    return std::tie(a.seconds, a.nanoseconds) <
           std::tie(b.seconds, b.nanoseconds);
  });
  for (const File &file : files) {
    if (total <= largest)
      break;
    if (unlinkat(folder.get(), file.name.c_str(), 0) == 0)
      total -= file.size;
  }
}

CacheFolder::Contents CacheFolder::contents(const std::string &prefix,
                                            const std::string &suffix,
                                            uint64_t &others) const {
  Contents found;
  for (const File &file : list(prefix, suffix, others)) {
    ++found.files;
    found.bytes += file.size;
  }
  return found;
}

CacheFolder::Contents CacheFolder::clear(const std::string &prefix,
                                         const std::string &suffix) const {
  Contents removed;
  uint64_t others;
  for (const File &file : list(prefix, suffix, others))
    if (unlinkat(folder.get(), file.name.c_str(), 0) == 0) {
      ++removed.files;
      removed.bytes += file.size;
    }
  return removed;
}

} // namespace gpuexec
