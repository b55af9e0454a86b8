//===-- lending/cuda/image.h - The size of an image -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuModuleLoadData() takes an image without its size: a fat binary or an ELF
// file, whose headers say it, or text with a zero at its end.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_IMAGE_H
#define GPUEXEC_LENDING_CUDA_IMAGE_H

#include "gpu/fat_binary.h"
#include "toolchain/cuda/include/cuda.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>

namespace gpuexec::lent_cuda {

/// Bytes of an image of which `room` bytes can be read; UINT64_MAX when its
/// headers need more. Text includes its zero.
inline uint64_t image_size(const void *image, uint64_t room = UINT64_MAX) {
  FatBinaryHeader fatbin;
  Elf64_Ehdr elf;
  auto read = [&](auto &to, uint64_t offset) {
    if (room < sizeof(to) || offset > room - sizeof(to))
      return false;
    std::memcpy(&to, static_cast<const char *>(image) + offset, sizeof(to));
    return true;
  };
  uint32_t magic = 0;
  if (!read(magic, 0))
    return room == UINT64_MAX ? 0 : room;
  if (magic == FAT_BINARY_MAGIC) {
    if (!read(fatbin, 0) || fatbin.size > UINT64_MAX / 2)
      return UINT64_MAX;
    return fatbin.header_size + fatbin.size;
  }
  if (std::memcmp(&magic, ELFMAG, SELFMAG) != 0)
    return strnlen(static_cast<const char *>(image), room) + 1;
  if (!read(elf, 0))
    return UINT64_MAX;
  uint64_t end = sizeof(elf);
  auto reach = [&](uint64_t begin, uint64_t size) {
    const bool overflows = begin > UINT64_MAX / 4 || size > UINT64_MAX / 4;
    end = overflows ? UINT64_MAX : std::max(end, begin + size);
  };
  reach(elf.e_phoff, uint64_t(elf.e_phnum) * sizeof(Elf64_Phdr));
  reach(elf.e_shoff, uint64_t(elf.e_shnum) * sizeof(Elf64_Shdr));
  for (uint32_t i = 0; i < elf.e_shnum && end != UINT64_MAX; ++i) {
    Elf64_Shdr section;
    if (!read(section, elf.e_shoff + i * sizeof(section)))
      return UINT64_MAX;
    if (section.sh_type != SHT_NOBITS)
      reach(section.sh_offset, section.sh_size);
  }
  for (uint32_t i = 0; i < elf.e_phnum && end != UINT64_MAX; ++i) {
    Elf64_Phdr segment;
    if (!read(segment, elf.e_phoff + i * sizeof(segment)))
      return UINT64_MAX;
    reach(segment.p_offset, segment.p_filesz);
  }
  return end;
}

/// Looks at the entries of a fat binary from an untrusted client, of which all
/// of `size` bytes can be read: the driver follows offsets in them without
/// looking where they lead.
inline bool is_sound_fatbin(const char *image, uint64_t size) {
  auto take = [&](auto &to, uint64_t offset) {
    if (size < sizeof(to) || offset > size - sizeof(to))
      return false;
    std::memcpy(&to, image + offset, sizeof(to));
    return true;
  };
  FatBinaryHeader file;
  if (!take(file, 0))
    return false;
  for (uint64_t at = file.header_size; at < size;) {
    FatBinaryEntry entry;
    uint32_t text = 0;
    if (!take(entry, at) || entry.header_size < sizeof(entry) ||
        entry.header_size > size - at ||
        entry.payload_size > size - at - entry.header_size)
      return false;
    if (entry.kind == FAT_BINARY_PTX &&
        (entry.options < sizeof(entry) ||
         entry.options > entry.header_size - sizeof(text) ||
         !take(text, at + entry.options) || text < sizeof(entry) ||
         text >= entry.header_size ||
         !std::memchr(image + at + text, 0, entry.header_size - text)))
      return false;
    at += entry.header_size + entry.payload_size;
  }
  return true;
}

/// Options of the compiler whose values are numbers.
inline bool is_plain_option(CUjit_option option) {
  switch (option) {
  case CU_JIT_MAX_REGISTERS:
  case CU_JIT_THREADS_PER_BLOCK:
  case CU_JIT_OPTIMIZATION_LEVEL:
  case CU_JIT_TARGET_FROM_CUCONTEXT:
  case CU_JIT_TARGET:
  case CU_JIT_FALLBACK_STRATEGY:
  case CU_JIT_GENERATE_DEBUG_INFO:
  case CU_JIT_LOG_VERBOSE:
  case CU_JIT_GENERATE_LINE_INFO:
  case CU_JIT_CACHE_MODE:
    return true;
  default:
    return false;
  }
}

} // namespace gpuexec::lent_cuda

#endif
