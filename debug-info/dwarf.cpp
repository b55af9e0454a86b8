//===-- debug-info/dwarf.cpp - LLVM's DWARF reader ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs only in the confined child: it may crash, loop, or be exploited here.
//===----------------------------------------------------------------------===//
#include "debug-info/parts.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/ELFObjectFile.h"

#include <algorithm>
#include <deque>

namespace gpuexec::debug_info {

using namespace llvm;

static void ignore(Error error) { consumeError(std::move(error)); }

static constexpr auto RELATIVE =
    DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath;

static DIInliningInfo inlining_at(DWARFContext &dwarf, uint64_t address) {
  return dwarf.getInliningInfoForAddress(
      {address, object::SectionedAddress::UndefSection},
      {RELATIVE, DILineInfoSpecifier::FunctionNameKind::ShortName});
}

/// What LLVM adds between two lines has line 0. The line above is shown
/// instead: that of the nearest instruction before which is of the same
/// functions.
static DIInliningInfo with_line(DWARFContext &dwarf, uint64_t address) {
  constexpr unsigned INSTRUCTION = 4, MOST = 64;
  DIInliningInfo here = inlining_at(dwarf, address);
  if (!here.getNumberOfFrames() || here.getFrame(0).Line)
    return here;
  for (unsigned back = 1; back <= MOST && address >= back * INSTRUCTION;
       ++back) {
    DIInliningInfo before = inlining_at(dwarf, address - back * INSTRUCTION);
    if (before.getNumberOfFrames() == here.getNumberOfFrames() &&
        before.getFrame(0).FunctionName == here.getFrame(0).FunctionName &&
        before.getFrame(0).Line)
      return before;
  }
  return here;
}

static std::vector<SourceFrame> inlined_frames(DWARFContext &dwarf,
                                               uint64_t address) {
  const DIInliningInfo inlined = with_line(dwarf, address);
  std::vector<SourceFrame> frames;
  for (uint32_t i = 0; i < inlined.getNumberOfFrames() && i < MAX_FRAMES; ++i) {
    const DILineInfo &line = inlined.getFrame(i);
    SourceFrame frame;
    if (line.FunctionName != DILineInfo::BadString)
      frame.function = line.FunctionName;
    if (line.FileName != DILineInfo::BadString && line.Line)
      frame.file = line.FileName;
    frame.line = line.Line;
    frame.column = line.Column;
    frames.push_back(std::move(frame));
  }
  return frames;
}

namespace {
/// The rows of all line tables. Ignores compile units.
class LineTables {
public:
  void add(DWARFContext &context) {
    const DWARFObject &dwarf = context.getDWARFObj();
    DWARFDataExtractor data(dwarf, dwarf.getLineSection(),
                            context.isLittleEndian(), 0);
    DWARFDebugLine::SectionParser parser(data, context, context.normal_units());
    while (!parser.done()) {
      tables.push_back(parser.parseNext(ignore, ignore));
      for (const DWARFDebugLine::Row &row : tables.back().Rows)
        rows.push_back({row.Address.Address, &tables.back(), &row});
    }
  }

  /// At the address where one sequence ends and another begins, the latter
  /// wins.
  void sort() {
    std::stable_sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
      return a.begin != b.begin ? a.begin < b.begin
                                : a.row->EndSequence > b.row->EndSequence;
    });
  }

  std::vector<SourceFrame> find(uint64_t address) const {
    auto after = std::upper_bound(
        rows.begin(), rows.end(), address,
        [](uint64_t value, const Row &row) { return value < row.begin; });
    if (after == rows.begin() || std::prev(after)->row->EndSequence)
      return {};
    const Row &row = *std::prev(after);
    SourceFrame frame;
    if (!row.table->getFileNameByIndex(row.row->File, "", RELATIVE, frame.file))
      return {};
    frame.line = row.row->Line;
    frame.begin = row.begin;
    return {frame};
  }

private:
  struct Row {
    uint64_t begin;
    const DWARFDebugLine::LineTable *table;
    const DWARFDebugLine::Row *row;
  };
  std::deque<DWARFDebugLine::LineTable> tables; // they stay where they are
  std::vector<Row> rows;
};
} // namespace

AllFrames read_dwarf(ArrayRef<StringRef> images, ArrayRef<uint64_t> addresses,
                     Reading reading) {
  AllFrames frames(addresses.size());
  std::vector<std::unique_ptr<object::ObjectFile>> files;
  std::vector<std::unique_ptr<DWARFContext>> contexts;
  LineTables tables;
  for (StringRef image : images) {
    auto object = object::ObjectFile::createELFObjectFile(
        MemoryBufferRef(image, "image"));
    if (!object) {
      ignore(object.takeError());
      continue;
    }
    files.push_back(std::move(*object));
    contexts.push_back(DWARFContext::create(
        *files.back(), DWARFContext::ProcessDebugRelocations::Ignore, nullptr,
        "", ignore, ignore));
    if (reading == Reading::line_tables_alone)
      tables.add(*contexts.back());
    else
      for (size_t i = 0; i < addresses.size(); ++i)
        if (frames[i].empty())
          frames[i] = inlined_frames(*contexts.back(), addresses[i]);
  }
  if (reading == Reading::line_tables_alone) {
    tables.sort();
    for (size_t i = 0; i < addresses.size(); ++i)
      frames[i] = tables.find(addresses[i]);
  }
  return frames;
}

} // namespace gpuexec::debug_info
