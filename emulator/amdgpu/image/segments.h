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

/// [offset, offset + length) lies within size.
inline bool in_range(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

/// The steps of loading, each on checked ranges, in this order.
class SegmentLoader {
public:
  SegmentLoader(const Elf &elf, LoadedImage &image,
                const LoadedImage::Resolver &resolve)
      : elf(elf), image(image), resolve(resolve) {}

  llvm::Expected<uint64_t> span(uint64_t &lowest);
  llvm::Error copy_segments();
  llvm::Error relocate();
  llvm::Error read_symbols();
  uint64_t image_begin = 0;

private:
  bool loaded(uint64_t address, uint64_t length) const {
    return std::any_of(
        image.segments.begin(), image.segments.end(), [&](const auto &segment) {
          return address >= segment.begin &&
                 in_range(address - segment.begin, length, segment.size);
        });
  }
  /// As loaded(), of bytes that the file has: their number is bounded by its
  /// size.
  bool in_file(uint64_t address, uint64_t length) const {
    return std::any_of(
        image.segments.begin(), image.segments.end(), [&](const auto &segment) {
          return address >= segment.begin &&
                 in_range(address - segment.begin, length, segment.file_size);
        });
  }
  llvm::Expected<uint64_t> symbol_address(uint32_t index);
  /// RELR entries at `table`, which was checked.
  llvm::Error apply_packed(uint64_t table, uint64_t count);
  llvm::Error apply(uint32_t type, uint64_t offset, uint32_t symbol,
                    int64_t addend);

  const Elf &elf;
  LoadedImage &image;
  const LoadedImage::Resolver &resolve;
  llvm::ArrayRef<Elf::Elf_Phdr> headers; // from span() on
  llvm::ArrayRef<Elf::Elf_Sym> symbols;  // dynamic ones
  llvm::StringRef strings;
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_IMAGE_SEGMENTS_H
