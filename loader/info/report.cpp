//===-- loader/info/report.cpp - Facts into rows --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/info/report.h"
#include "debug-info/demangle.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuexec::info {

StringRef key(Column column) {
  static constexpr StringLiteral KEYS[] = {
#define COLUMN(KEY, HEADING, WORDS, GETTER) #KEY,
#include "loader/info/columns.def"
  };
  return KEYS[size_t(column)];
}

StringRef heading(Column column) {
  static constexpr StringLiteral HEADINGS[] = {
#define COLUMN(KEY, HEADING, WORDS, GETTER) HEADING,
#include "loader/info/columns.def"
  };
  return HEADINGS[size_t(column)];
}

StringRef words(Column column) {
  static constexpr StringLiteral ALL_WORDS[] = {
#define COLUMN(KEY, HEADING, WORDS, GETTER) WORDS,
#include "loader/info/columns.def"
  };
  return ALL_WORDS[size_t(column)];
}

static void make_readable(std::vector<Row> &kernels,
                          std::vector<Row> &functions) {
  std::vector<std::string> names;
  for (const std::vector<Row> *rows : {&kernels, &functions})
    for (const Row &row : *rows)
      names.push_back(row.name);
  names = debug_info::demangle(std::move(names));
  auto next = names.begin();
  for (std::vector<Row> *rows : {&kernels, &functions})
    for (Row &row : *rows)
      row.readable = *next++;
}

static std::optional<uint64_t> opt(uint64_t value) { return value; }

// The sum of vector and scalar spills. NVIDIA has only the first.
static std::optional<uint64_t> add(std::optional<uint32_t> a,
                                   std::optional<uint32_t> b, bool both) {
  if (!a || (both && !b))
    return std::nullopt;
  return uint64_t(*a) + b.value_or(0);
}

std::optional<uint64_t> Row::value(Column column) const {
  const Row &row = *this;
  switch (column) {
#define COLUMN(KEY, HEADING, WORDS, GETTER)                                    \
  case Column::KEY:                                                            \
    return GETTER;
#include "loader/info/columns.def"
  }
  return std::nullopt;
}

// An image may contain no numbers for a device function. The registers that its
// instructions use are then a lower bound.
static Resources with_named_registers(Resources resources,
                                      const FunctionCode &code,
                                      StringRef arch) {
  if (resources.vgprs || code.undecoded)
    return resources;
  bool unified = has_unified_registers(arch);
  resources.agprs = code.agprs;
  resources.vgprs = !code.agprs ? code.vgprs
                    : unified   ? alignTo(code.vgprs, 4) + code.agprs
                                : std::max(code.vgprs, code.agprs);
  resources.sgprs = code.sgprs;
  return resources;
}

Expected<std::unique_ptr<ImageReport>>
make_report(StringRef file, const Image &image, const ReportOptions &options,
            std::map<std::string, Resources> exact) {
  auto report = std::make_unique<ImageReport>();
  report->file = file.str();
  report->image = &image;
  report->own_resources = std::move(exact);
  Expected<std::map<std::string, FunctionCode>> code = disassemble(image);
  if (!code)
    return code.takeError();
  report->code = std::move(*code);
  bool is_amdgpu = image.format() == Image::Format::amdgpu;
  auto make_row = [&](StringRef name, const Kernel *kernel,
                      const Resources &resources) {
    Row row{name.str(), name.str(),   kernel, &resources,
            is_amdgpu,  std::nullopt, nullptr};
    if (auto own = report->own_resources.find(row.name);
        own != report->own_resources.end())
      row.resources = &own->second;
    if (auto found = report->code.find(row.name); found != report->code.end())
      row.code = &found->second;
    return row;
  };
  for (const DeviceFunction &function : image.functions())
    if (auto found = report->code.find(function.name);
        is_amdgpu && found != report->code.end())
      report->own_resources.try_emplace(
          function.name, with_named_registers(function.resources, found->second,
                                              image.arch()));
  for (const Kernel &kernel : image.kernels()) {
    Row row = make_row(kernel.name, &kernel, kernel.resources);
    Kernel exactly = kernel;
    exactly.resources = *row.resources;
    row.occupancy = occupancy(
        image, exactly, options.block_size.value_or(default_block_size(kernel)),
        options.dynamic_shared);
    report->kernels.push_back(std::move(row));
  }
  for (const DeviceFunction &function : image.functions())
    report->functions.push_back(
        make_row(function.name, nullptr, function.resources));
  auto by_name = [](const Row &a, const Row &b) { return a.name < b.name; };
  sort(report->functions, by_name);
  make_readable(report->kernels, report->functions);
  return report;
}

} // namespace gpuexec::info
