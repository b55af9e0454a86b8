//===-- loader/device/cuda/code_map.cpp - Names for addresses -------------===//
#include "loader/device/cuda/code_map.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ELFObjectFile.h"
#include <algorithm>
#include <map>

namespace gpuexec::cuda {

using namespace llvm;

static void ignore(Error error) { consumeError(std::move(error)); }

/// Table by table: LLVM's list of all symbols believes a table's size.
void CodeMap::add_functions(const object::ELFFile<object::ELF64LE> &file) {
  auto sections = file.sections();
  if (!sections)
    return ignore(sections.takeError());
  for (const auto &section : *sections) {
    if (section.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto symbols = file.symbols(&section);
    Expected<StringRef> names = file.getStringTableForSymtab(section);
    if (symbols && names)
      for (const auto &symbol : *symbols) {
        if (symbol.getType() != ELF::STT_FUNC)
          continue;
        if (Expected<StringRef> name = symbol.getName(*names))
          functions.push_back({symbol.st_value, symbol.st_size, name->str()});
        else
          ignore(name.takeError());
      }
    if (!symbols)
      ignore(symbols.takeError());
    if (!names)
      ignore(names.takeError());
  }
}

void CodeMap::add(StringRef image) {
  auto object =
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(image, "image"));
  if (!object)
    return ignore(object.takeError());
  if (auto *elf = dyn_cast<object::ELF64LEObjectFile>(object->get()))
    add_functions(elf->getELFFile());

  auto context = DWARFContext::create(
      **object, DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "",
      ignore, ignore);
  const DWARFObject &dwarf = context->getDWARFObj();
  DWARFDataExtractor data(dwarf, dwarf.getLineSection(),
                          context->isLittleEndian(), 0);
  DWARFDebugLine::SectionParser parser(data, *context, context->normal_units());
  while (!parser.done()) {
    DWARFDebugLine::LineTable table = parser.parseNext(ignore, ignore);
    std::map<uint64_t, unsigned> known; // its numbers for files -> ours
    for (const DWARFDebugLine::Row &row : table.Rows) {
      if (row.EndSequence) {
        lines.push_back({row.Address.Address, 0, 0});
        continue;
      }
      unsigned &file = known[row.File];
      std::string name;
      if (!file &&
          table.getFileNameByIndex(
              row.File, "",
              DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath, name)) {
        file = unsigned(files.size());
        files.push_back(std::move(name));
      }
      lines.push_back({row.Address.Address, file, row.Line});
    }
  }
}

void CodeMap::sort() {
  auto by_begin = [](const auto &a, const auto &b) {
    return a.begin < b.begin;
  };
  std::sort(functions.begin(), functions.end(), by_begin);
  // Where one sequence ends and the next begins, what begins counts.
  std::sort(lines.begin(), lines.end(), [](const Line &a, const Line &b) {
    return a.begin != b.begin ? a.begin < b.begin : !a.file && b.file;
  });
}

std::string CodeMap::name_of(uint64_t address, bool is_return) const {
  const uint64_t place = address - is_return;
  auto last_before = [&](const auto &sorted) {
    return std::upper_bound(
        sorted.begin(), sorted.end(), place,
        [](uint64_t value, const auto &entry) { return value < entry.begin; });
  };
  auto function = last_before(functions);
  if (function == functions.begin() ||
      place - std::prev(function)->begin >= std::prev(function)->size)
    return {};
  --function;
  auto line = last_before(lines);
  if (line != lines.begin() && std::prev(line)->file &&
      std::prev(line)->begin >= function->begin)
    return function->name + " " + files[std::prev(line)->file] + ":" +
           std::to_string(std::prev(line)->number);
  return function->name + "+0x" +
         utohexstr(address - function->begin, /*LowerCase=*/true);
}

} // namespace gpuexec::cuda
