//===-- debug-info/functions.h - Functions of an ELF image ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds functions by address in symbol tables. Safe on any bytes: every range
// is checked, and no allocation is larger than the image.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_FUNCTIONS_H
#define GPUEXEC_DEBUG_INFO_FUNCTIONS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuexec::debug_info {

/// Names of functions and files are cut to this many bytes.
inline constexpr size_t MAX_NAME = 1024;

class Functions {
public:
  struct Function {
    uint64_t begin, size;
    std::string name;
  };
  /// Adds the functions of a 64-bit little-endian ELF file, without those that
  /// cannot be read. Copies what it needs of `image`.
  void add(llvm::StringRef image);
  /// Call once, after the last add() and before find().
  void sort();
  /// The function that contains `address`, or null. A function without a size
  /// counts as one byte.
  const Function *find(uint64_t address) const;
  /// The first function of that name, or null.
  const Function *named(llvm::StringRef name) const;

private:
  std::vector<Function> functions;
};

} // namespace gpuexec::debug_info

#endif
