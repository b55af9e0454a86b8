//===-- debug-info/functions.h - Functions of an ELF image ------*- C++ -*-===//
// Names for addresses from symbol tables. Safe on any bytes: every range is
// checked, nothing is allocated that the image does not hold.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_FUNCTIONS_H
#define GPUEXEC_DEBUG_INFO_FUNCTIONS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gpuexec::debug_info {

/// Bytes of a function's or a file's name that are kept.
inline constexpr size_t MAX_NAME = 1024;

class Functions {
public:
  struct Function {
    uint64_t begin, size;
    std::string name;
  };
  /// Takes the functions of a 64-bit little-endian ELF file; what cannot be
  /// read is left out. `image` need not stay.
  void add(llvm::StringRef image);
  /// Call once, after the last add() and before find().
  void sort();
  /// The function that `address` lies in, or null. A function without a size
  /// has one byte.
  const Function *find(uint64_t address) const;
  /// The first function of that name, or null.
  const Function *named(llvm::StringRef name) const;

private:
  std::vector<Function> functions;
};

} // namespace gpuexec::debug_info

#endif
