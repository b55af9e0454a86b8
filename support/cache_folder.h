//===-- support/cache_folder.h - Files kept between runs --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of the user's own for what programs of gpuexec would else compute
// again. What other users can write is not trusted: neither the folder nor a
// file in it may belong to anybody else or be writable for anybody else, and
// symbolic links are not followed. Several processes may use it at once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_CACHE_FOLDER_H
#define GPUEXEC_SUPPORT_CACHE_FOLDER_H

#include "support/descriptor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuexec {

class CacheFolder {
public:
  /// No folder: no file can be opened.
  CacheFolder() = default;

  /// `gpuexec/NAME` in $XDG_CACHE_HOME, or in ~/.cache; empty where neither
  /// variable is an absolute path.
  static std::string default_path(const std::string &name);

  /// Opens the folder, and makes it and those around it if need be. `warning`
  /// says why it is not used.
  static CacheFolder open(const std::string &path, std::string &warning);

  explicit operator bool() const { return bool(folder); }

  /// Opens a file of the folder with these flags of open(2), or makes it, for
  /// this user alone, if they have O_CREAT. None, with the reason in `warning`
  /// unless there is no such file.
  UniqueFd open_file(const std::string &name, int flags,
                     std::string &warning) const;

  /// Removes files whose names end with `suffix`, those that were modified
  /// first before others, until all of them have `largest` bytes at most.
  void trim(const std::string &suffix, uint64_t largest) const;

  /// Regular files, and their sizes together.
  struct Contents {
    uint64_t files = 0, bytes = 0;
  };
  /// The folder's files whose names begin and end like this; `others`: all
  /// other entries.
  Contents contents(const std::string &prefix, const std::string &suffix,
                    uint64_t &others) const;

  /// Removes the files whose names begin and end like this. Returns those that
  /// were removed.
  Contents clear(const std::string &prefix, const std::string &suffix) const;

private:
  struct File {
    std::string name;
    uint64_t size = 0;
    int64_t seconds = 0, nanoseconds = 0; ///< when it was modified
  };
  /// The regular files whose names begin and end like this; `others`: how many
  /// entries are none.
  std::vector<File> list(const std::string &prefix, const std::string &suffix,
                         uint64_t &others) const;

  std::string path;
  UniqueFd folder;
};

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_CACHE_FOLDER_H
