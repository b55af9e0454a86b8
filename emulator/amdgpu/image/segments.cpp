//===-- emulator/amdgpu/image/segments.cpp - Segments of an image ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/image/segments.h"
#include "gpu/amd_kernel_descriptor.h"

#include "llvm/BinaryFormat/ELF.h"

#include <cinttypes>
#include <cstring>

namespace gpuexec::emulator::amdgpu {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
namespace ELF = llvm::ELF;

static constexpr uint64_t MAX_IMAGE = uint64_t(1) << 32;
/// Every segment is compared with every other; linkers write a handful.
static constexpr size_t MAX_SEGMENTS = 64;
/// All names together may have this many times the bytes of the string table:
/// they may share bytes there.
static constexpr uint64_t NAMES_PER_TABLE = 16;
/// Largest segment with code, in bytes. Code that has run is kept decoded, at
/// many times its size.
static constexpr uint64_t MAX_CODE = uint64_t(512) << 20;

Expected<uint64_t> SegmentLoader::span(uint64_t &lowest) {
  auto table = elf.program_headers();
  if (!table)
    return table.takeError();
  headers = *table;
  uint64_t low = ~uint64_t(0), high = 0;
  size_t segments = 0;
  unsigned index = 0;
  for (const Elf::Elf_Phdr &header : headers) {
    unsigned number = index++;
    if (header.p_type != ELF::PT_LOAD || !header.p_memsz)
      continue;
    if (++segments > MAX_SEGMENTS)
      return createStringError("code object: more than %zu segments",
                               MAX_SEGMENTS);
    if (header.p_filesz > header.p_memsz)
      return createStringError("code object: segment %u: file size 0x%" PRIx64
                               " exceeds memory size 0x%" PRIx64,
                               number, uint64_t(header.p_filesz),
                               uint64_t(header.p_memsz));
    if (!in_range(header.p_offset, header.p_filesz, elf.getBufSize()))
      return createStringError("code object: segment %u: file range 0x%" PRIx64
                               "+0x%" PRIx64 " exceeds the file's 0x%zx bytes",
                               number, uint64_t(header.p_offset),
                               uint64_t(header.p_filesz), elf.getBufSize());
    if (!in_range(header.p_vaddr, header.p_memsz, MAX_IMAGE))
      return createStringError(
          "code object: segment %u: address range 0x%" PRIx64 "+0x%" PRIx64
          " exceeds the limit of 4 GiB",
          number, uint64_t(header.p_vaddr), uint64_t(header.p_memsz));
    if ((header.p_flags & ELF::PF_X) && header.p_filesz > MAX_CODE)
      return createStringError("code object: segment %u: 0x%" PRIx64
                               " bytes of code, at most 0x%" PRIx64,
                               number, uint64_t(header.p_filesz), MAX_CODE);
    low = std::min<uint64_t>(low, header.p_vaddr);
    high = std::max<uint64_t>(high, header.p_vaddr + header.p_memsz);
  }
  if (low >= high)
    return createStringError("code object: nothing to load");
  lowest = low & ~uint64_t(0xfff);
  return high - lowest;
}

Error SegmentLoader::copy_segments() {
  for (const Elf::Elf_Phdr &header : headers) {
    if (header.p_type != ELF::PT_LOAD || !header.p_memsz)
      continue;
    LoadedImage::Segment segment;
    segment.begin = image.delta + header.p_vaddr;
    segment.size = header.p_memsz;
    segment.file_offset = header.p_offset;
    segment.file_size = header.p_filesz;
    segment.writable = header.p_flags & ELF::PF_W;
    segment.executable = header.p_flags & ELF::PF_X;
    for (const auto &other : image.segments)
      if (segment.begin < other.begin + other.size &&
          other.begin < segment.begin + segment.size)
        return createStringError(
            "code object: two segments overlap at 0x%" PRIx64,
            uint64_t(header.p_vaddr));
    memcpy(reinterpret_cast<void *>(segment.begin),
           elf.base() + header.p_offset, header.p_filesz);
    image.segments.push_back(segment);
  }
  return Error::success();
}

Expected<uint64_t> SegmentLoader::symbol_address(uint32_t index) {
  if (index == 0)
    return 0;
  if (index >= symbols.size())
    return createStringError("code object: relocation names symbol %u of %zu",
                             index, symbols.size());
  const Elf::Elf_Sym &symbol = symbols[index];
  if (symbol.st_shndx == ELF::SHN_ABS)
    return symbol.st_value;
  if (symbol.st_shndx != ELF::SHN_UNDEF)
    return image.delta + symbol.st_value;
  auto name = symbol.getName(strings);
  if (!name)
    return name.takeError();
  if (uint64_t address = resolve(*name))
    return address;
  if (symbol.getBinding() == ELF::STB_WEAK)
    return 0;
  return createStringError("code object: undefined symbol '%s'",
                           name->str().c_str());
}

Error SegmentLoader::apply(uint32_t type, uint64_t offset, uint32_t index,
                           int64_t addend) {
  uint64_t place = image.delta + offset;
  auto symbol = symbol_address(index);
  if (!symbol)
    return symbol.takeError();
  uint64_t value = *symbol + uint64_t(addend);
  unsigned size = 4;
  switch (type) {
  case ELF::R_AMDGPU_NONE:
    return Error::success();
  case ELF::R_AMDGPU_ABS32_LO:
    break;
  case ELF::R_AMDGPU_ABS32_HI:
    value >>= 32;
    break;
  case ELF::R_AMDGPU_ABS64:
    size = 8;
    break;
  case ELF::R_AMDGPU_RELATIVE64:
    value = image.delta + uint64_t(addend);
    size = 8;
    break;
  case ELF::R_AMDGPU_REL32:
  case ELF::R_AMDGPU_REL32_LO:
    value -= place;
    break;
  case ELF::R_AMDGPU_REL32_HI:
    value = (value - place) >> 32;
    break;
  case ELF::R_AMDGPU_REL64:
    value -= place;
    size = 8;
    break;
  case ELF::R_AMDGPU_ABS32:
    if (!llvm::isUInt<32>(value))
      return createStringError("code object: relocation at 0x%" PRIx64
                               ": 0x%" PRIx64 " does not fit 32 bits",
                               offset, value);
    break;
  default:
    return createStringError("code object: relocation at 0x%" PRIx64
                             ": unknown type %u",
                             offset, type);
  }
  if (!loaded(place, size))
    return createStringError("code object: relocation at 0x%" PRIx64
                             " lies outside of the segments",
                             offset);
  memcpy(reinterpret_cast<void *>(place), &value, size);
  return Error::success();
}

Error SegmentLoader::relocate() {
  auto sections = elf.sections();
  if (!sections)
    return sections.takeError();
  for (const Elf::Elf_Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_DYNSYM)
      continue;
    auto table = elf.symbols(&section);
    if (!table)
      return table.takeError();
    auto names = elf.getStringTableForSymtab(section);
    if (!names)
      return names.takeError();
    symbols = *table;
    strings = *names;
  }
  // Read the table from the copy in memory: LLVM's reader trusts its offset.
  llvm::ArrayRef<Elf::Elf_Dyn> dynamic;
  for (const Elf::Elf_Phdr &header : headers) {
    if (header.p_type != ELF::PT_DYNAMIC)
      continue;
    if (!in_file(image.delta + header.p_vaddr, header.p_memsz))
      return createStringError(
          "code object: the dynamic table lies outside of the segments");
    if (header.p_vaddr % alignof(Elf::Elf_Dyn))
      return createStringError("code object: the dynamic table at 0x%" PRIx64
                               " is not aligned",
                               uint64_t(header.p_vaddr));
    dynamic = {
        reinterpret_cast<const Elf::Elf_Dyn *>(image.delta + header.p_vaddr),
        size_t(header.p_memsz / sizeof(Elf::Elf_Dyn))};
  }
  uint64_t rela = 0, rela_size = 0, relr = 0, relr_size = 0;
  for (const Elf::Elf_Dyn &entry : dynamic) {
    if (entry.getTag() == ELF::DT_NULL)
      break;
    switch (entry.getTag()) {
    case ELF::DT_RELA:
      rela = entry.getPtr();
      break;
    case ELF::DT_RELASZ:
      rela_size = entry.getVal();
      break;
    case ELF::DT_RELR:
      relr = entry.getPtr();
      break;
    case ELF::DT_RELRSZ:
      relr_size = entry.getVal();
      break;
    }
  }
  if ((rela_size && !in_file(image.delta + rela, rela_size)) ||
      (relr_size && !in_file(image.delta + relr, relr_size)))
    return createStringError(
        "code object: the relocation table lies outside of the segments");
  // Read the relocations from the copy in memory, whose range was checked, one
  // by one: a relocation may overwrite the next ones.
  for (uint64_t i = 0; i < rela_size / sizeof(Elf::Elf_Rela); ++i) {
    Elf::Elf_Rela relocation;
    memcpy(static_cast<void *>(&relocation),
           reinterpret_cast<const void *>(image.delta + rela +
                                          i * sizeof(relocation)),
           sizeof(relocation));
    if (Error error = apply(relocation.getType(false), relocation.r_offset,
                            relocation.getSymbol(false), relocation.r_addend))
      return error;
  }
  return apply_packed(image.delta + relr, relr_size / sizeof(Elf::Elf_Relr));
}

// An even entry is an address to relocate; an odd one a bitmap of the 63 words
// behind the last (ELF gABI, "Relative relocation table"). Entries are applied
// one by one: a list of all their relocations could be 63 times as long.
Error SegmentLoader::apply_packed(uint64_t table, uint64_t count) {
  auto add_base = [&](uint64_t place) -> Error {
    if (!loaded(place, 8))
      return createStringError("code object: relocation at 0x%" PRIx64
                               " lies outside of the segments",
                               place - image.delta);
    uint64_t value;
    memcpy(&value, reinterpret_cast<void *>(place), 8);
    value += image.delta;
    memcpy(reinterpret_cast<void *>(place), &value, 8);
    return Error::success();
  };
  uint64_t next = image.delta;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t entry;
    memcpy(&entry, reinterpret_cast<const void *>(table + i * sizeof(entry)),
           sizeof(entry));
    if (!(entry & 1)) {
      if (Error error = add_base(image.delta + entry))
        return error;
      next = image.delta + entry + 8;
      continue;
    }
    for (uint64_t bits = entry >> 1, place = next; bits; bits >>= 1, place += 8)
      if (bits & 1)
        if (Error error = add_base(place))
          return error;
    next += 63 * 8;
  }
  return Error::success();
}

Error SegmentLoader::read_symbols() {
  uint64_t names_left =
      std::max<uint64_t>(NAMES_PER_TABLE * strings.size(), 1 << 16);
  for (const Elf::Elf_Sym &symbol : symbols) {
    if (symbol.st_shndx == ELF::SHN_UNDEF || symbol.st_shndx == ELF::SHN_ABS)
      continue;
    auto name = symbol.getName(strings);
    if (!name)
      return name.takeError();
    if (name->size() > names_left)
      return createStringError("code object: its symbols' names have more than "
                               "%" PRIu64
                               " times the bytes of their string table",
                               NAMES_PER_TABLE);
    names_left -= name->size();
    ImageSymbol entry;
    entry.name = name->str();
    entry.address = image.delta + symbol.st_value;
    entry.size = symbol.st_size;
    entry.is_global = symbol.getBinding() != ELF::STB_LOCAL;
    if (symbol.getType() != ELF::STT_OBJECT &&
        symbol.getType() != ELF::STT_NOTYPE)
      continue; // HSA has no symbols for functions
    if (!loaded(entry.address, std::max<uint64_t>(entry.size, 1)))
      continue;
    for (const auto &segment : image.segments)
      if (entry.address - segment.begin < segment.size)
        entry.is_const = !segment.writable;
    if (name->ends_with(".kd")) {
      gpu::AmdKernelDescriptor descriptor;
      if (!loaded(entry.address, sizeof(descriptor)))
        return createStringError("code object: the descriptor of kernel '%s' "
                                 "lies outside of the segments",
                                 entry.name.c_str());
      memcpy(&descriptor, reinterpret_cast<void *>(entry.address),
             sizeof(descriptor));
      entry.is_kernel = true;
      entry.kernarg_size = descriptor.kernarg_size;
      entry.group_size = descriptor.group_segment_size;
      entry.private_size = descriptor.private_segment_size;
      entry.dynamic_stack = descriptor.dynamic_stack();
    }
    image.symbols.push_back(std::move(entry));
  }
  return Error::success();
}

} // namespace gpuexec::emulator::amdgpu
