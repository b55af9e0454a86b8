//===-- debug-info/source_lines.cpp - Source lines of addresses -----------===//
// The alternative, a reader of our own that is safe on any bytes, would have to
// know DWARF 2 to 5 with units, abbreviations, ranges and inlined subroutines:
// LLVM's is kept, and its faults are confined.
//===----------------------------------------------------------------------===//
#include "debug-info/source_lines.h"
#include "debug-info/elf.h"
#include "debug-info/parts.h"

namespace gpuexec::debug_info {

using namespace llvm;

static bool has_lines(StringRef image) {
  Expected<Elf> file = open_elf(image);
  if (!file) {
    consumeError(file.takeError());
    return false;
  }
  Expected<Elf::Elf_Shdr_Range> sections = file->sections();
  if (!sections) {
    consumeError(sections.takeError());
    return false;
  }
  for (const Elf::Elf_Shdr &section : *sections) {
    Expected<StringRef> name = file->getSectionName(section);
    if (!name)
      consumeError(name.takeError());
    else if (*name == ".debug_line" && section.sh_size)
      return true;
  }
  return false;
}

SourceLines read_source_lines(ArrayRef<StringRef> images,
                              ArrayRef<uint64_t> addresses, Reading reading,
                              const Limits &limits) {
  SourceLines result;
  result.frames.resize(addresses.size());
  SmallVector<StringRef> readable;
  copy_if(images, std::back_inserter(readable), has_lines);
  if (readable.empty() || addresses.empty())
    return result;
  Expected<std::string> answer = run_confined(
      [&] { return pack(read_dwarf(readable, addresses, reading)); }, limits);
  if (!answer) {
    result.trouble =
        "the debug information cannot be read: " + toString(answer.takeError());
    return result;
  }
  if (auto frames = unpack(*answer, addresses.size()))
    result.frames = std::move(*frames);
  else
    result.trouble = "the debug information cannot be read: its process gave "
                     "no sound answer";
  return result;
}

} // namespace gpuexec::debug_info
