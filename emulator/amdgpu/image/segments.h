//===-- emulator/amdgpu/image/segments.h - Segments of an image -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies an ELF file's segments to memory, relocates them and reads their
// symbols. The file is untrusted: every range is checked before it is used. For
// image.cpp alone.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_IMAGE_SEGMENTS_H
#define GPUEXEC_EMULATOR_AMDGPU_IMAGE_SEGMENTS_H

#include "emulator/amdgpu/image/image.h"

#include "llvm/Object/ELF.h"

#include <algorithm>

namespace gpuexec::emulator::amdgpu {

using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;

/// True if [offset, offset + length) lies within [0, size).
inline bool in_range(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

/// The steps of loading, to be called in this order. Each checks the ranges
/// that it uses.
class SegmentLoader {
public:
  SegmentLoader(const Elf &elf, LoadedImage &image,
                const LoadedImage::Resolver &resolve)
      : elf(elf), image(image), resolve(resolve) {}

  /// Checks the segments' headers. Returns how many bytes of memory they span,
  /// from address `lowest` in the ELF file, which begins a page.
  llvm::Expected<uint64_t> span(uint64_t &lowest);
  /// Copies the segments to image.base, which the caller has allocated.
  llvm::Error copy_segments();
  llvm::Error relocate();
  /// Fills in image.symbols.
  llvm::Error read_symbols();
  uint64_t image_begin = 0;

private:
  /// True if one segment in memory holds all of the range.
  bool loaded(uint64_t address, uint64_t length) const {
    return std::any_of(
        image.segments.begin(), image.segments.end(), [&](const auto &segment) {
          return address >= segment.begin &&
                 in_range(address - segment.begin, length, segment.size);
        });
  }
  /// As loaded(), and the file has all of these bytes: a table in them cannot
  /// be longer than the file.
  bool in_file(uint64_t address, uint64_t length) const {
    return std::any_of(
        image.segments.begin(), image.segments.end(), [&](const auto &segment) {
          return address >= segment.begin &&
                 in_range(address - segment.begin, length, segment.file_size);
        });
  }
  llvm::Expected<uint64_t> symbol_address(uint32_t index);
  /// Applies `count` RELR entries from `table`, a range that was checked.
  llvm::Error apply_packed(uint64_t table, uint64_t count);
  llvm::Error apply(uint32_t type, uint64_t offset, uint32_t symbol,
                    int64_t addend);

  const Elf &elf;
  LoadedImage &image;
  const LoadedImage::Resolver &resolve;
  llvm::ArrayRef<Elf::Elf_Phdr> headers; // set by span()
  llvm::ArrayRef<Elf::Elf_Sym> symbols;  // dynamic ones, set by relocate()
  llvm::StringRef strings;
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_IMAGE_SEGMENTS_H
