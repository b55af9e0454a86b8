//===-- debug-info/source_lines.cpp - Source lines of addresses -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reader of our own that is safe on any bytes would have to know DWARF 2 to 5
// with units, abbreviations, ranges and inlined subroutines. We use LLVM's in a
// confined process instead.
//===----------------------------------------------------------------------===//
#include "debug-info/source_lines.h"
#include "debug-info/elf.h"
#include "debug-info/parts.h"

#include <cstring>

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

static std::string trouble_of(Error error) {
  return "the debug information cannot be read: " + toString(std::move(error));
}

static SourceLines taken_from(Expected<std::string> answer, size_t count) {
  SourceLines result;
  result.frames.resize(count);
  if (!answer)
    result.trouble = trouble_of(answer.takeError());
  else if (auto frames = unpack(*answer, count))
    result.frames = std::move(*frames);
  else
    result.trouble =
        trouble_of(createStringError("its process gave no sound answer"));
  return result;
}

SourceLines read_source_lines(ArrayRef<StringRef> images,
                              ArrayRef<uint64_t> addresses, Reading reading,
                              const Limits &limits) {
  SmallVector<StringRef> readable;
  copy_if(images, std::back_inserter(readable), has_lines);
  if (readable.empty() || addresses.empty())
    return {AllFrames(addresses.size()), ""};
  return taken_from(
      run_confined(
          [&] { return pack(read_dwarf(readable, addresses, reading)); },
          limits),
      addresses.size());
}

PreparedLines::PreparedLines(StringRef image, Reading reading) {
  if (!has_lines(image))
    return;
  // The child has a copy of the image, made by fork().
  auto started = ConfinedServer::start([=](StringRef request) {
    std::vector<uint64_t> addresses(request.size() / sizeof(uint64_t));
    memcpy(addresses.data(), request.data(),
           addresses.size() * sizeof(uint64_t));
    return pack(read_dwarf(image, addresses, reading));
  });
  if (started)
    server.emplace(std::move(*started));
  else
    trouble = trouble_of(started.takeError());
}

SourceLines PreparedLines::read(ArrayRef<uint64_t> addresses) {
  if (!server)
    return {AllFrames(addresses.size()), trouble};
  StringRef request(reinterpret_cast<const char *>(addresses.data()),
                    addresses.size() * sizeof(uint64_t));
  return taken_from(server->ask(request), addresses.size());
}

} // namespace gpuexec::debug_info
