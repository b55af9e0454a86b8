//===-- support/cache_folder.h - Files kept between runs --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CacheFolder is a folder in which gpuexec's programs keep results that they
// would otherwise compute again. Its content is trusted, so the folder and each
// file in it must belong to this user and be writable by nobody else; symbolic
// links are not followed. Several processes may use the folder at once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_CACHE_FOLDER_H
#define GPUEXEC_SUPPORT_CACHE_FOLDER_H

#include "support/cache_kinds.h"
#include "support/descriptor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuexec {

class CacheFolder {
public:
  /// A folder that is not open: open_file() opens nothing, contents() is empty.
  CacheFolder() = default;

  /// `gpuexec/NAME` in $XDG_CACHE_HOME, or in $HOME/.cache; empty where neither
  /// variable is an absolute path.
  static std::string default_path(const std::string &name);

  /// The folder of a kind of files: the one that its variable of the
  /// environment names, else default_path(). Nothing is kept where it is empty
  /// or "off".
  static std::string path_of(const CacheKind &kind);

  /// Opens the folder; makes it and its parents where they are missing. Where
  /// it cannot be used, returns a folder that is not open and says why in
  /// `warning`.
  static CacheFolder open(const std::string &path, std::string &warning);

  explicit operator bool() const { return bool(folder); }

  /// Opens a file of the folder with `flags` of open(2); with O_CREAT a missing
  /// file is made, for this user alone. On failure returns no descriptor and
  /// says why in `warning`; a missing file leaves `warning` as it is.
  UniqueFd open_file(const std::string &name, int flags,
                     std::string &warning) const;

  /// Removes files whose names end with `suffix`, the least recently modified
  /// first, until the rest have at most `largest` bytes together.
  void trim(const std::string &suffix, uint64_t largest) const;

  /// A number of regular files, and the sum of their sizes.
  struct Contents {
    uint64_t files = 0, bytes = 0;
  };
  /// Counts the regular files whose names begin with `prefix` and end with
  /// `suffix`. `others` gets the number of all other entries.
  Contents contents(const std::string &prefix, const std::string &suffix,
                    uint64_t &others) const;

  /// Removes the regular files whose names begin with `prefix` and end with
  /// `suffix`. Returns how many were removed, and their bytes.
  Contents clear(const std::string &prefix, const std::string &suffix) const;

private:
  struct File {
    std::string name;
    uint64_t size = 0;
    int64_t seconds = 0, nanoseconds = 0; ///< when it was modified
  };
  /// The regular files that contents() counts; `others` as there.
  std::vector<File> list(const std::string &prefix, const std::string &suffix,
                         uint64_t &others) const;

  std::string path;
  UniqueFd folder;
};

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_CACHE_FOLDER_H
