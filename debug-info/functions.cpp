//===-- debug-info/functions.cpp - Functions of an ELF image --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "debug-info/functions.h"
#include "debug-info/elf.h"

#include <algorithm>
#include <tuple>

namespace gpuexec::debug_info {

using namespace llvm;

/// Reads each symbol table itself: LLVM's list of all symbols does not check a
/// table's size.
static Error add_tables(std::vector<Functions::Function> &functions,
                        const Elf &file) {
  Expected<Elf::Elf_Shdr_Range> sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const Elf::Elf_Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_SYMTAB &&
        section.sh_type != ELF::SHT_DYNSYM)
      continue;
    Expected<Elf::Elf_Sym_Range> symbols = file.symbols(&section);
    if (!symbols)
      return symbols.takeError();
    Expected<StringRef> names = file.getStringTableForSymtab(section);
    if (!names)
      return names.takeError();
    for (const Elf::Elf_Sym &symbol : *symbols) {
      if (symbol.getType() != ELF::STT_FUNC ||
          symbol.st_shndx == ELF::SHN_UNDEF)
        continue;
      // LLVM's getName() may read past the end of the string table.
      StringRef name =
          names->substr(symbol.st_name, MAX_NAME).split('\0').first;
      functions.push_back({symbol.st_value, symbol.st_size, name.str()});
    }
  }
  return Error::success();
}

void Functions::add(StringRef image) {
  Expected<Elf> file = open_elf(image);
  if (!file)
    return consumeError(file.takeError());
  consumeError(add_tables(functions, *file));
}

void Functions::sort() {
  // Of functions with the same address, the largest is kept.
  std::sort(functions.begin(), functions.end(),
            [](const Function &a, const Function &b) {
              return std::tie(a.begin, b.size, a.name) <
                     std::tie(b.begin, a.size, b.name);
            });
  functions.erase(std::unique(functions.begin(), functions.end(),
                              [](const Function &a, const Function &b) {
                                return a.begin == b.begin;
                              }),
                  functions.end());
}

const Functions::Function *Functions::named(StringRef name) const {
  auto found =
      std::find_if(functions.begin(), functions.end(),
                   [&](const Function &f) { return name == f.name; });
  return found == functions.end() ? nullptr : &*found;
}

const Functions::Function *Functions::find(uint64_t address) const {
  auto after = std::upper_bound(
      functions.begin(), functions.end(), address,
      [](uint64_t value, const Function &f) { return value < f.begin; });
  if (after == functions.begin())
    return nullptr;
  const Function &function = *std::prev(after);
  return address - function.begin < std::max<uint64_t>(function.size, 1)
             ? &function
             : nullptr;
}

} // namespace gpuexec::debug_info
