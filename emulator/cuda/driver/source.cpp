//===-- emulator/cuda/driver/source.cpp - See source.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/source.h"
#include "gpu/fat_binary.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <sys/uio.h>
#include <unistd.h>

namespace gpuexec::cuda {

namespace {

constexpr uint64_t PAGE = 4096;
constexpr uint64_t LARGEST_IMAGE = uint64_t(1) << 30; // bytes
constexpr uint16_t MACHINE_AMDGPU = 224, MACHINE_CUDA = 190;

SourceError invalid(std::string &problem, const char *reason) {
  problem = reason;
  return SourceError::invalid;
}

/// Reads `size` bytes into the source.
bool take(uint64_t address, uint64_t size, const ReadBytes &read,
          Source &source) {
  if (size > LARGEST_IMAGE)
    return false;
  source.bytes.clear();
  while (size) { // piece by piece: a size that lies costs no memory
    const uint64_t piece = std::min<uint64_t>(size, 1 << 20);
    const size_t before = source.bytes.size();
    source.bytes.resize(before + piece);
    if (!read(address, source.bytes.data() + before, piece))
      return false;
    address += piece;
    size -= piece;
  }
  return true;
}

SourceError read_fat_binary(uint64_t address, const ReadBytes &read,
                            Source &source, std::string &problem) {
  FatBinaryHeader header;
  if (!read(address, &header, sizeof(header)) ||
      header.magic != FAT_BINARY_MAGIC)
    return invalid(problem, "no fat binary where its wrapper points");
  if (header.header_size < sizeof(header) || header.size > LARGEST_IMAGE)
    return invalid(problem, "fat binary: its header is broken");
  source.kind = SourceKind::fat_binary;
  if (!take(address, header.header_size + header.size, read, source))
    return invalid(problem, "fat binary: it ends before its size");
  return SourceError::none;
}

/// The end of what the headers of an ELF file name; 0 when they are broken.
uint64_t elf_size(uint64_t address, const Elf64_Ehdr &elf,
                  const ReadBytes &read) {
  if (elf.e_shoff > LARGEST_IMAGE || elf.e_phoff > LARGEST_IMAGE ||
      (elf.e_shnum && elf.e_shentsize != sizeof(Elf64_Shdr)) ||
      (elf.e_phnum && elf.e_phentsize != sizeof(Elf64_Phdr)))
    return 0;
  uint64_t end = sizeof(elf);
  auto reaches = [&](uint64_t offset, uint64_t size) {
    if (offset > LARGEST_IMAGE || size > LARGEST_IMAGE)
      return false;
    end = std::max(end, offset + size);
    return true;
  };
  reaches(elf.e_shoff, uint64_t(elf.e_shnum) * sizeof(Elf64_Shdr));
  reaches(elf.e_phoff, uint64_t(elf.e_phnum) * sizeof(Elf64_Phdr));
  for (unsigned i = 0; i < elf.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read(address + elf.e_shoff + i * sizeof(section), &section,
              sizeof(section)))
      return 0;
    if (section.sh_type != SHT_NOBITS &&
        !reaches(section.sh_offset, section.sh_size))
      return 0;
  }
  for (unsigned i = 0; i < elf.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read(address + elf.e_phoff + i * sizeof(segment), &segment,
              sizeof(segment)) ||
        !reaches(segment.p_offset, segment.p_filesz))
      return 0;
  }
  return end;
}

SourceError read_elf(uint64_t address, const ReadBytes &read, Source &source,
                     std::string &problem) {
  Elf64_Ehdr elf;
  if (!read(address, &elf, sizeof(elf)) ||
      elf.e_ident[EI_CLASS] != ELFCLASS64 ||
      elf.e_ident[EI_DATA] != ELFDATA2LSB)
    return invalid(problem, "the ELF header is broken");
  if (elf.e_machine == MACHINE_CUDA) {
    problem = "the image is machine code for NVIDIA GPUs (a cubin): the "
              "emulated device runs PTX";
    return SourceError::machine_code;
  }
  if (elf.e_machine != MACHINE_AMDGPU)
    return invalid(problem, "the ELF file is for no GPU");
  const uint64_t size = elf_size(address, elf, read);
  source.kind = SourceKind::amdgpu;
  if (!size || !take(address, size, read, source))
    return invalid(problem, "the ELF file ends before its size");
  return SourceError::none;
}

/// Text up to a zero byte, page by page.
SourceError read_text(uint64_t address, const ReadBytes &read, Source &source,
                      std::string &problem) {
  source.kind = SourceKind::ptx;
  source.bytes.clear();
  char page[PAGE];
  while (source.bytes.size() < LARGEST_IMAGE) {
    const size_t piece = PAGE - address % PAGE;
    if (!read(address, page, piece))
      return invalid(problem, "PTX: the text ends without a zero byte");
    const size_t length = strnlen(page, piece);
    source.bytes.append(page, length);
    if (length < piece)
      return SourceError::none;
    address += piece;
  }
  return invalid(problem, "PTX: the text has more than 1 GiB");
}

/// True when the text begins as PTX does: white space, comments, ".version".
bool begins_as_ptx(const std::string &text) {
  size_t at = 0;
  while (true) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string::npos)
      return false;
    if (text.compare(at, 2, "//") == 0)
      at = text.find('\n', at);
    else if (text.compare(at, 2, "/*") == 0)
      at = text.find("*/", at + 2) == std::string::npos
               ? std::string::npos
               : text.find("*/", at + 2) + 2;
    else
      return text.compare(at, 8, ".version") == 0;
    if (at == std::string::npos)
      return false;
  }
}

} // namespace

SourceError read_source(uint64_t address, const ReadBytes &read, Source &source,
                        std::string &problem) {
  uint32_t magic = 0;
  if (!read(address, &magic, 1))
    return invalid(problem, "the image cannot be read");
  if (!read(address, &magic, sizeof(magic)))
    magic = 0;
  if (magic == FAT_BINARY_WRAPPER_MAGIC) {
    FatBinaryWrapper wrapper;
    if (!read(address, &wrapper, sizeof(wrapper)))
      return invalid(problem, "fat binary: its wrapper is cut off");
    if (wrapper.version != 1) {
      problem = "fat binary: code in several parts (-rdc) that the driver must "
                "link is not supported";
      return SourceError::relocatable;
    }
    return read_fat_binary(wrapper.fat_binary, read, source, problem);
  }
  if (magic == FAT_BINARY_MAGIC)
    return read_fat_binary(address, read, source, problem);
  if (memcmp(&magic, ELFMAG, SELFMAG) == 0)
    return read_elf(address, read, source, problem);
  const SourceError error = read_text(address, read, source, problem);
  if (error == SourceError::none && !begins_as_ptx(source.bytes))
    return invalid(problem, "the image is no fat binary, ELF file or PTX");
  return error;
}

bool is_wrapper(uint64_t address, const ReadBytes &read) {
  uint32_t magic = 0;
  return read(address, &magic, sizeof(magic)) &&
         magic == FAT_BINARY_WRAPPER_MAGIC;
}

bool read_own_memory(uint64_t address, void *to, size_t size) {
  char *place = static_cast<char *>(to);
  while (size) {
    iovec here{place, size}, there{reinterpret_cast<void *>(address), size};
    const ssize_t done = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (done <= 0) {
      if (done < 0 && (errno == EPERM || errno == ENOSYS)) {
        // The call is forbidden here: the client's pointer must be right.
        memcpy(place, reinterpret_cast<void *>(address), size);
        return true;
      }
      return false;
    }
    place += done;
    address += uint64_t(done);
    size -= size_t(done);
  }
  return true;
}

} // namespace gpuexec::cuda
