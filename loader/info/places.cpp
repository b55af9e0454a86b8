//===-- loader/info/places.cpp - See places.h -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/info/places.h"
#include "debug-info/source_lines.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuexec::info {
namespace {

/// How much a function's own instructions need of what a column counts, and the
/// offset in bytes of the first instruction that needs it. Empty when the image
/// does not tell.
struct Need {
  std::optional<uint64_t> amount;
  uint64_t at = 0;
};

Need need_of(const Row &row, Column column) {
  const FunctionCode &code = *row.code;
  switch (column) {
  case Column::vgprs:
    return code.agprs > code.vgprs ? Need{code.agprs, code.agprs_at}
                                   : Need{code.vgprs, code.vgprs_at};
  case Column::agprs:
    return {code.agprs, code.agprs_at};
  case Column::sgprs:
    return {code.sgprs, code.sgprs_at};
  case Column::stack:
  case Column::spills:
    return {row.value(column), code.stack_at};
  default:
    return {row.kernel ? row.value(column) : std::nullopt, 0};
  }
}

/// A function without code that gpucc-ld adds: it has the resources of the
/// functions in the program's other parts.
bool is_stand_in(const Row &row) {
  return StringRef(row.name).starts_with("__gpuexec_registers_of_other_pieces");
}

/// Where the function of a row begins in the image.
std::optional<uint64_t> begin_of(const ImageReport &report, const Row &row) {
  if (row.kernel)
    return row.kernel->descriptor
               ? std::optional<uint64_t>(row.kernel->descriptor->entry)
               : std::nullopt;
  for (const DeviceFunction &function : report.image->functions())
    if (function.name == row.name)
      return function.address;
  return std::nullopt;
}

} // namespace

std::optional<Place> find_place(const ImageReport &report, const Row &kernel,
                                Column column) {
  if (report.image->format() != Image::Format::amdgpu || !kernel.code)
    return std::nullopt;
  const std::optional<uint64_t> total = kernel.value(column);
  const Row *most = &kernel;
  Need need = need_of(kernel, column);
  for (const Row &row : report.functions) {
    if (!row.code || is_stand_in(row))
      continue;
    const Need other = need_of(row, column);
    // A function that needs more than the kernel is not called by it.
    if (other.amount && *other.amount > need.amount.value_or(0) &&
        (!total || *other.amount <= *total)) {
      most = &row;
      need = other;
    }
  }
  const std::optional<uint64_t> begin = begin_of(report, *most);
  if (!begin)
    return std::nullopt;
  return Place{most, *begin + need.at};
}

std::vector<std::string> describe(const ImageReport &report,
                                  ArrayRef<Place> places) {
  std::vector<uint64_t> addresses;
  for (const Place &place : places)
    addresses.push_back(place.address);
  const debug_info::SourceLines lines = debug_info::read_source_lines(
      {report.image->bytes()}, addresses, debug_info::Reading::inlining);
  std::vector<std::string> texts;
  for (size_t i = 0; i < places.size(); ++i) {
    std::string text;
    const Row &function = *places[i].function;
    if (i < lines.frames.size())
      for (const debug_info::SourceFrame &frame : lines.frames[i])
        if (text.empty() && !frame.file.empty())
          text = formatv(": most at {0}:{1} in {2}", frame.file, frame.line,
                         frame.function.empty() ? function.readable
                                                : frame.function);
    if (text.empty() && !function.kernel)
      text = formatv(": most in function '{0}'", function.readable);
    texts.push_back(text);
  }
  return texts;
}

} // namespace gpuexec::info
