//===-- loader/device/cuda/code_map.h - Names for addresses -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function and source line of an address in the code that a driver has loaded,
// from the relocated ELF images in its core dump. ptxas writes DWARF line
// tables without compile units, so the line tables are read alone. If an image
// cannot be read the report lacks names.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_CODE_MAP_H
#define GPUEXEC_LOADER_DEVICE_CUDA_CODE_MAP_H

#include "debug-info/functions.h"
#include "debug-info/source_lines.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>

namespace gpuexec::cuda {

class CodeMap {
public:
  /// Reads the names of these places from the images, which are not used later.
  CodeMap(llvm::ArrayRef<llvm::StringRef> images,
          llvm::ArrayRef<uint64_t> places);

  /// The address whose line is shown for `address`: for a return address that
  /// of the call before it.
  static uint64_t place_of(uint64_t address, bool is_return) {
    return address - is_return;
  }

  /// The function and line of an address: `walk list.c:8`, `walk+0x40` without
  /// lines, or empty if the function is not known. Printable.
  std::string name_of(uint64_t address, bool is_return) const;

  /// Why names have no lines although there is debug information; usually
  /// empty.
  const std::string &trouble() const { return lines_missing; }

private:
  debug_info::Functions functions;
  std::map<uint64_t, debug_info::SourceFrame> lines; // by place
  std::map<std::string, std::string> readable_names; // C++'s, demangled
  std::string lines_missing;
};

} // namespace gpuexec::cuda

#endif
