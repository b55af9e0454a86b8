//===-- loader/device/cuda/code_map.h - Names for addresses -----*- C++ -*-===//
// Function and source line of an address in the code that a driver has loaded,
// from the relocated ELF images in its core dump. ptxas writes DWARF line
// tables without compile units, so they are read by themselves. What cannot be
// read costs the name, not the report.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_CODE_MAP_H
#define GPUEXEC_LOADER_DEVICE_CUDA_CODE_MAP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ELF.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gpuexec::cuda {

class CodeMap {
public:
  /// Takes an image's symbols and lines; `image` need not stay.
  void add(llvm::StringRef image);
  /// Call once, before name_of().
  void sort();
  /// `walk list.c:8`, `walk+0x40` without lines, `` when nothing is known.
  /// A return address names the line of the call before it.
  std::string name_of(uint64_t address, bool is_return) const;

private:
  struct Function {
    uint64_t begin, size;
    std::string name;
  };
  struct Line {
    uint64_t begin; ///< it goes to the next one's
    unsigned file;  ///< in `files`; 0 = no line from here on
    unsigned number;
  };
  void add_functions(const llvm::object::ELFFile<llvm::object::ELF64LE> &file);
  std::vector<Function> functions;
  std::vector<Line> lines;
  std::vector<std::string> files{""};
};

} // namespace gpuexec::cuda

#endif
