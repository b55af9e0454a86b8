//===-- loader/device/cuda/code_map.h - Names for addresses -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function and source line of an address in the code that a driver has loaded,
// from the relocated ELF images in its core dump. ptxas writes DWARF line
// tables without compile units, so they are read by themselves. What cannot be
// read costs the name, not the report.
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
  /// Reads the names of these places from the images, which need not stay.
  CodeMap(llvm::ArrayRef<llvm::StringRef> images,
          llvm::ArrayRef<uint64_t> places);

  /// The place that stands for an address: a return address names the line of
  /// the call before it.
  static uint64_t place_of(uint64_t address, bool is_return) {
    return address - is_return;
  }

  /// `walk list.c:8`, `walk+0x40` without lines, `` when nothing is known.
  /// Printable.
  std::string name_of(uint64_t address, bool is_return) const;

  /// Why no name has a line although there is debug information; usually
  /// empty.
  const std::string &trouble() const { return lines_missing; }

private:
  debug_info::Functions functions;
  std::map<uint64_t, debug_info::SourceFrame> lines; // by place
  std::string lines_missing;
};

} // namespace gpuexec::cuda

#endif
