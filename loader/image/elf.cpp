//===-- loader/image/elf.cpp - The ELF side of code objects and cubins ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens ELF files for GPUs with LLVM's reader. Other files are refused with a
// message that says what they are. Every symbol name that is returned lies in
// its string table.

#include "llvm/BinaryFormat/ELF.h"
#include "loader/image/contents.h"

using namespace llvm;

namespace gpuexec::parsing {

/// All names of a symbol table together have at most this many times the bytes
/// of its string table.
constexpr uint64_t NAMES_PER_TABLE = 16;

static std::string machine_name(uint16_t machine) {
  switch (machine) {
  case ELF::EM_X86_64:
    return "x86-64";
  case ELF::EM_386:
    return "x86";
  case ELF::EM_AARCH64:
    return "AArch64";
  case ELF::EM_ARM:
    return "ARM";
  case ELF::EM_RISCV:
    return "RISC-V";
  case ELF::EM_PPC64:
    return "PowerPC";
  case ELF::EM_AMDGPU:
    return "AMDGPU";
  case ELF::EM_CUDA:
    return "CUDA";
  default:
    return formatv("machine {0}", machine);
  }
}

Expected<ElfFile> open_elf(StringRef bytes, StringRef label) {
  if (bytes.size() < ELF::EI_NIDENT)
    return malformed(label, "truncated: an ELF header of {0} bytes",
                     bytes.size());
  uint8_t elf_class = bytes[ELF::EI_CLASS], data = bytes[ELF::EI_DATA];
  // The machine lies at the same place in both classes.
  uint16_t machine = 0;
  if (bytes.size() >= 20)
    machine = static_cast<uint8_t>(bytes[18]) | static_cast<uint8_t>(bytes[19])
                                                    << 8;
  if (data == ELF::ELFDATA2MSB)
    return no_image(label, "a big-endian ELF file: not a GPU image");
  if (elf_class == ELF::ELFCLASS32)
    return no_image(label, "a 32-bit ELF file for {0}: not a GPU image",
                    machine_name(machine));
  if (elf_class != ELF::ELFCLASS64 || data != ELF::ELFDATA2LSB)
    return malformed(
        label,
        "ELF class {0}, data encoding {1}: expected 64-bit little-endian",
        elf_class, data);
  if (bytes.size() < sizeof(ElfFile::Elf_Ehdr))
    return malformed(label, "truncated: an ELF header of {0} bytes",
                     bytes.size());
  Expected<ElfFile> elf = ElfFile::create(bytes);
  if (!elf)
    return malformed(label, elf.takeError());
  const ElfFile::Elf_Ehdr &header = elf->getHeader();
  machine = header.e_machine;
  if (machine != ELF::EM_AMDGPU && machine != ELF::EM_CUDA)
    return no_image(label, "an ELF file for {0}: not a GPU image",
                    machine_name(machine));
  struct {
    const char *name;
    uint64_t offset, size;
  } const tables[] = {{"program", header.e_phoff,
                       uint64_t(header.e_phnum) * header.e_phentsize},
                      {"section", header.e_shoff,
                       uint64_t(header.e_shnum) * header.e_shentsize}};
  for (const auto &table : tables)
    if (table.size && (table.offset > bytes.size() ||
                       table.size > bytes.size() - table.offset))
      return malformed(label,
                       "cut off: its {0} headers, {1} bytes at {2:x}, lie "
                       "beyond its end at {3:x}",
                       table.name, table.size, table.offset, bytes.size());
  return elf;
}

Expected<std::vector<ElfSymbol>> read_symbols(const ElfFile &elf,
                                              const ElfFile::Elf_Shdr &table,
                                              StringRef label) {
  auto symbols = elf.symbols(&table);
  if (!symbols)
    return malformed(label, symbols.takeError());
  auto sections = elf.sections();
  if (!sections)
    return malformed(label, sections.takeError());
  Expected<StringRef> strings = elf.getStringTableForSymtab(table, *sections);
  if (!strings)
    return malformed(label, strings.takeError());
  // A broken file can name one long text in every symbol. In sound files names
  // share bytes only because linkers merge common ends.
  uint64_t names_left =
      std::max<uint64_t>(NAMES_PER_TABLE * strings->size(), 1 << 16);
  std::vector<ElfSymbol> all;
  uint32_t index = 0;
  for (const ElfFile::Elf_Sym &symbol : *symbols) {
    uint32_t current = index++;
    if (current == 0)
      continue;
    Expected<StringRef> name = symbol.getName(*strings);
    if (!name)
      return malformed(label, name.takeError());
    if (name->size() > names_left)
      return malformed(label,
                       "its symbols' names have more than {0} times the bytes "
                       "of their string table",
                       NAMES_PER_TABLE);
    names_left -= name->size();
    all.push_back({*name, symbol.st_value, symbol.st_size, current,
                   symbol.st_shndx, symbol.getType(), symbol.getBinding(),
                   symbol.getVisibility(), symbol.st_other});
  }
  return all;
}

} // namespace gpuexec::parsing
