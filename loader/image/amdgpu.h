//===-- loader/image/amdgpu.h - Reading a code object -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Internal to amdgpu.cpp, which reads and checks what a runtime follows, and
// amdgpu_symbols.cpp, which reads what the symbols say.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_IMAGE_AMDGPU_H
#define GPUEXEC_LOADER_IMAGE_AMDGPU_H

#include "loader/image/contents.h"
#include "llvm/ADT/StringMap.h"

namespace gpuexec::parsing {

/// True when a runtime can find the symbol by its name: it is neither static
/// nor hidden.
bool is_visible(const ElfSymbol &symbol);

class CodeObject {
public:
  CodeObject(const ElfFile &elf, llvm::StringRef bytes, llvm::StringRef label)
      : elf(elf), label(label) {
    image.bytes = bytes;
  }
  llvm::Expected<ImageContents> parse();

private:
  struct Segment {
    uint64_t address, offset, file_size, memory_size;
    bool executable;
  };
  llvm::Error read_header();
  llvm::Error read_segments();
  llvm::Error read_metadata();
  llvm::Error read_symbol_table();
  llvm::Error read_descriptors();
  llvm::Error read_descriptor(Kernel &kernel, const ElfSymbol &symbol);
  void collect_symbols();
  void read_producer();
  void describe_gcc_kernels();
  /// The bytes of the file from which `size` bytes of memory at the symbol are
  /// loaded; null when the file has none for all of them.
  const uint8_t *memory_of(const ElfSymbol &symbol, uint64_t size) const;
  llvm::StringRef code_of(const ElfSymbol &function) const;

  const ElfFile &elf;
  llvm::StringRef label;
  ImageContents image;
  std::vector<Segment> segments;
  std::vector<ElfSymbol> symbols;
  llvm::StringMap<const ElfSymbol *> by_name;
};

} // namespace gpuexec::parsing

#endif
