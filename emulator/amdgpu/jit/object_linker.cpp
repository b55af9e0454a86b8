//===-- emulator/amdgpu/jit/object_linker.cpp - Object to code ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/object_linker.h"
#include "emulator/amdgpu/jit/compiler.h"

#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

using Elf = object::ELFFile<object::ELF64LE>;

namespace {

class ObjectLinker {
public:
  explicit ObjectLinker(const Elf &elf) : elf(elf) {}
  Error lay_out();
  Error read_symbols();
  Error relocate();
  Expected<CompiledCode> finish(unsigned entries,
                                std::vector<HostPointer> pointers);

private:
  Expected<u32> address(const Elf::Elf_Sym &symbol) const;
  Expected<u32> symbol_named(const std::string &name) const;
  Error relocate(const Elf::Elf_Shdr &section, const Elf::Elf_Rela &relocation);
  u32 word_of(const std::string &function);
  u32 stub_of(const std::string &function);
  u32 append(size_t size, u32 alignment);

  const Elf &elf;
  ArrayRef<Elf::Elf_Shdr> sections;
  ArrayRef<Elf::Elf_Sym> symbols;
  StringRef strings;
  std::map<unsigned, u32> offsets;         // of placed sections, by index
  std::map<std::string, u32> named;        // symbols
  std::map<std::string, u32> words, stubs; // of functions of the host
  CompiledCode code;
};

/// A jump through a host pointer: jmp *word(%rip).
constexpr u8 STUB[] = {0xff, 0x25, 0, 0, 0, 0};

u32 ObjectLinker::append(size_t size, u32 alignment) {
  const u64 offset = alignTo(code.bytes.size(), alignment);
  code.bytes.resize(offset + size);
  return u32(offset);
}

Error ObjectLinker::lay_out() {
  auto table = elf.sections();
  if (!table)
    return table.takeError();
  sections = *table;
  for (unsigned k = 0; k < sections.size(); ++k) {
    const Elf::Elf_Shdr &section = sections[k];
    if (!(section.sh_flags & ELF::SHF_ALLOC) || !section.sh_size ||
        section.sh_type == ELF::SHT_X86_64_UNWIND)
      continue;
    if (section.sh_addralign > CODE_ALIGNMENT)
      return createStringError("a section's alignment is %llu",
                               (unsigned long long)section.sh_addralign);
    const u32 offset =
        append(section.sh_size, std::max<u32>(1, section.sh_addralign));
    offsets[k] = offset;
    if (section.sh_type == ELF::SHT_NOBITS)
      continue;
    auto bytes = elf.getSectionContents(section);
    if (!bytes)
      return bytes.takeError();
    std::copy(bytes->begin(), bytes->end(), code.bytes.begin() + offset);
  }
  return Error::success();
}

Expected<u32> ObjectLinker::address(const Elf::Elf_Sym &symbol) const {
  auto section = offsets.find(symbol.st_shndx);
  if (section == offsets.end())
    return createStringError("a symbol in section %u, which is not loaded",
                             unsigned(symbol.st_shndx));
  return u32(section->second + symbol.st_value);
}

Error ObjectLinker::read_symbols() {
  for (const Elf::Elf_Shdr &section : sections) {
    if (section.sh_type != ELF::SHT_SYMTAB)
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
  for (const Elf::Elf_Sym &symbol : symbols) {
    auto name = symbol.getName(strings);
    if (!name)
      return name.takeError();
    if (!name->empty() && offsets.count(symbol.st_shndx))
      named[name->str()] = cantFail(address(symbol));
  }
  return Error::success();
}

Expected<u32> ObjectLinker::symbol_named(const std::string &name) const {
  auto found = named.find(name);
  if (found == named.end())
    return createStringError("no symbol '%s'", name.c_str());
  return found->second;
}

u32 ObjectLinker::word_of(const std::string &function) {
  auto [it, is_new] = words.insert({function, 0});
  if (is_new) {
    it->second = append(8, 8);
    code.pointers.push_back(
        {HostPointer::Kind::function, nullptr, function, it->second});
  }
  return it->second;
}

u32 ObjectLinker::stub_of(const std::string &function) {
  auto [it, is_new] = stubs.insert({function, 0});
  if (is_new) {
    const u32 word = word_of(function);
    const u32 stub = it->second = append(sizeof(STUB), 8);
    std::copy(std::begin(STUB), std::end(STUB), code.bytes.begin() + stub);
    support::endian::write32le(&code.bytes[stub + 2],
                               word - (stub + u32(sizeof(STUB))));
  }
  return it->second;
}

Error ObjectLinker::relocate(const Elf::Elf_Shdr &section,
                             const Elf::Elf_Rela &relocation) {
  const u32 type = relocation.getType(false);
  const u32 index = relocation.getSymbol(false);
  if (index >= symbols.size())
    return createStringError("relocation of symbol %u", index);
  const Elf::Elf_Sym &symbol = symbols[index];
  u32 target;
  if (symbol.st_shndx == ELF::SHN_UNDEF) {
    auto name = symbol.getName(strings);
    if (!name)
      return name.takeError();
    const bool through_word = type == ELF::R_X86_64_GOTPCREL ||
                              type == ELF::R_X86_64_GOTPCRELX ||
                              type == ELF::R_X86_64_REX_GOTPCRELX;
    target = through_word ? word_of(name->str()) : stub_of(name->str());
    if (!through_word && type != ELF::R_X86_64_PLT32)
      return createStringError("relocation %u of '%s'", type,
                               name->str().c_str());
  } else {
    auto found = address(symbol);
    if (!found)
      return found.takeError();
    target = *found;
    if (type != ELF::R_X86_64_PC32 && type != ELF::R_X86_64_PLT32)
      return createStringError("relocation %u", type);
  }
  const u32 place = u32(offsets.at(section.sh_info) + relocation.r_offset);
  if (place + u64(4) > code.bytes.size())
    return createStringError("relocation at 0x%x", place);
  support::endian::write32le(&code.bytes[place],
                             u32(target + relocation.r_addend - place));
  return Error::success();
}

Error ObjectLinker::relocate() {
  for (const Elf::Elf_Shdr &section : sections) {
    if (section.sh_type != ELF::SHT_RELA || !offsets.count(section.sh_info))
      continue;
    auto relocations = elf.relas(section);
    if (!relocations)
      return relocations.takeError();
    for (const Elf::Elf_Rela &relocation : *relocations)
      if (Error error = relocate(section, relocation))
        return error;
  }
  return Error::success();
}

Expected<CompiledCode> ObjectLinker::finish(unsigned entries,
                                            std::vector<HostPointer> pointers) {
  // The optimiser may have removed an array that nothing reads.
  if (auto array = symbol_named(Compiler::HOST_POINTERS)) {
    u32 offset = *array;
    for (HostPointer &pointer : pointers) {
      pointer.offset = offset;
      offset += 8;
    }
    code.pointers.insert(code.pointers.begin(), pointers.begin(),
                         pointers.end());
  } else {
    consumeError(array.takeError());
  }
  for (unsigned k = 0; k < entries; ++k) {
    auto handler = symbol_named(Compiler::entry_name(k));
    if (!handler)
      return handler.takeError();
    code.handlers.push_back(*handler);
  }
  return std::move(code);
}

} // namespace

Expected<CompiledCode> link_object(MemoryBufferRef object, unsigned entries,
                                   std::vector<HostPointer> pointers) {
  auto elf = Elf::create(object.getBuffer());
  if (!elf)
    return elf.takeError();
  ObjectLinker linker(*elf);
  if (Error error = linker.lay_out())
    return error;
  if (Error error = linker.read_symbols())
    return error;
  if (Error error = linker.relocate())
    return error;
  return linker.finish(entries, std::move(pointers));
}

} // namespace gpuexec::emulator::amdgpu::jit
