//===-- loader/device/cuda/code_map.cpp - Names for addresses -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/code_map.h"
#include "debug-info/demangle.h"
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
  std::vector<std::string> names;
  for (uint64_t place : places)
    if (const auto *function = functions.find(place))
      names.push_back(function->name);
  const std::vector<std::string> readable = debug_info::demangle(names);
  for (size_t i = 0; i < names.size(); ++i)
    readable_names[names[i]] = readable[i];
}

std::string CodeMap::name_of(uint64_t address, bool is_return) const {
  const uint64_t place = place_of(address, is_return);
  const auto *function = functions.find(place);
  if (!function)
    return {};
  auto readable = readable_names.find(function->name);
  std::string name = printable(
      readable == readable_names.end() ? function->name : readable->second);
  auto line = lines.find(place);
  if (line != lines.end() && line->second.begin >= function->begin)
    return name + " " + printable(line->second.file) + ":" +
           std::to_string(line->second.line);
  return name + "+0x" +
         utohexstr(address - function->begin, /*LowerCase=*/true);
}

} // namespace gpuexec::cuda
