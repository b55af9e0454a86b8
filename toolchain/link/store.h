//===-- toolchain/link/store.h - Compiled pieces on disk --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A store keeps compiled pieces in a folder of the user's own (cache_folder.h).
// Several links may read and write it at once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_LINK_STORE_H
#define GPUEXEC_TOOLCHAIN_LINK_STORE_H

#include "toolchain/link/codegen.h"
#include <optional>

namespace gpuexec {

class Store {
public:
  /// A store without a folder: it finds nothing and keeps nothing.
  Store() = default;

  /// Opens the folder; makes it where it is missing. Where it cannot be used,
  /// for example because other users can write to it, returns a store without a
  /// folder, and `warning` says why.
  static Store open(const std::string &folder, std::string &warning);

  /// Opens the folder that GPUEXEC_LINK_CACHE names, or else the user's; "off":
  /// a store without a folder. If the folder that was named cannot be used,
  /// prints a warning of the program `tool`.
  static Store open_named(llvm::StringRef tool);

  /// The key of an object: a hash of everything on which it depends, the
  /// bitcode and the settings.
  static std::string key(llvm::StringRef bitcode, const std::string &settings);

  /// Text that identifies this build of gpucc-ld, its LLVM, and the plugins in
  /// these files. It is to be a part of `settings` in key().
  static std::string identity(const std::vector<std::string> &plugins);

  /// The object that was kept under the key; nothing when there is none or its
  /// file is damaged.
  std::optional<ObjectCode> find(const std::string &key) const;

  /// Keeps an object under the key. A write that fails is ignored: the next
  /// link compiles the piece again.
  void keep(const std::string &key, const ObjectCode &code) const;

  /// Removes the least recently used files until at most `largest` bytes are
  /// left, and files unused for 30 days. Does so at most every 20 minutes.
  void shrink(uint64_t largest) const;

private:
  std::string folder;
};

} // namespace gpuexec

#endif
