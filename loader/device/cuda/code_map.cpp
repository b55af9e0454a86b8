//===-- loader/device/cuda/code_map.cpp - Names for addresses -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/code_map.h"
#include "support/printable.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuexec::cuda {

using namespace llvm;

CodeMap::CodeMap(ArrayRef<StringRef> images, ArrayRef<uint64_t> places) {
  for (StringRef image : images)
    functions.add(image);
  functions.sort();
  debug_info::SourceLines found = debug_info::read_source_lines(
      images, places, debug_info::Reading::line_tables_alone);
  lines_missing = std::move(found.trouble);
  for (size_t i = 0; i < places.size(); ++i)
    if (!found.frames[i].empty())
      lines[places[i]] = std::move(found.frames[i].front());
}

std::string CodeMap::name_of(uint64_t address, bool is_return) const {
  const uint64_t place = place_of(address, is_return);
  const auto *function = functions.find(place);
  if (!function)
    return {};
  std::string name = printable(function->name);
  auto line = lines.find(place);
  if (line != lines.end() && line->second.begin >= function->begin)
    return name + " " + printable(line->second.file) + ":" +
           std::to_string(line->second.line);
  return name + "+0x" +
         utohexstr(address - function->begin, /*LowerCase=*/true);
}

} // namespace gpuexec::cuda
