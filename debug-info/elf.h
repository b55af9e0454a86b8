//===-- debug-info/elf.h - An image as an ELF file --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that LLVM's ELF reader leaves out. Private to debug-info/.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_ELF_H
#define GPUEXEC_DEBUG_INFO_ELF_H

#include "llvm/Object/ELF.h"

namespace gpuexec::debug_info {

using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;

/// Fails for anything but a 64-bit little-endian ELF file.
inline llvm::Expected<Elf> open_elf(llvm::StringRef image) {
  namespace ELF = llvm::ELF;
  if (image.size() < sizeof(Elf::Elf_Ehdr) ||
      !image.starts_with(llvm::StringRef(ELF::ElfMagic, 4)) ||
      image[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      image[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return llvm::createStringError("not a 64-bit little-endian ELF file");
  return Elf::create(image);
}

} // namespace gpuexec::debug_info

#endif
