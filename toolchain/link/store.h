//===-- toolchain/link/store.h - Compiled pieces on disk --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of the user's own. Several links may read and write it at once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_LINK_STORE_H
#define GPUEXEC_TOOLCHAIN_LINK_STORE_H

#include "toolchain/link/codegen.h"
#include <optional>

namespace gpuexec {

class Store {
public:
  /// No folder: nothing is found, and nothing kept.
  Store() = default;

  /// Opens the folder and makes it if need be. `warning` says why it is not
  /// used: what other users can write is not trusted.
  static Store open(const std::string &folder, std::string &warning);

  /// The key of what compile() makes: all that it depends on.
  static std::string key(llvm::StringRef bitcode, const std::string &settings);

  /// What tells this program, its LLVM and the plugins in these files from
  /// others, for `settings`.
  static std::string identity(const std::vector<std::string> &plugins);

  /// What was kept under the key. Nothing when the file is damaged.
  std::optional<ObjectCode> find(const std::string &key) const;

  /// Keeps it. A full disk loses it, and that is no error: it costs time only.
  void keep(const std::string &key, const ObjectCode &code) const;

  /// Removes what has been unused for longest until `largest` bytes are left.
  /// Looks at the folder at most every 20 minutes.
  void shrink(uint64_t largest) const;

private:
  std::string folder;
};

} // namespace gpuexec

#endif
