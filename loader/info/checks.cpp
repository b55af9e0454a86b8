//===-- loader/info/checks.cpp - Bounds and comparisons -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/info/checks.h"
#include "loader/info/places.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuexec::info {

Expected<Limits> Limits::parse(Column column, StringRef text) {
  Limits result;
  result.column = column;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    // A kernel's name may contain any character but '=' and ','.
    auto [name, number] =
        part.contains('=') ? part.rsplit('=') : std::pair(StringRef("*"), part);
    uint64_t most = 0;
    if (name.empty() || number.getAsInteger(10, most))
      return createStringError("'%s' is not a number or KERNEL=NUMBER",
                               part.str().c_str());
    Expected<GlobPattern> pattern = GlobPattern::create(name);
    if (!pattern)
      return createStringError("'%s': %s", name.str().c_str(),
                               toString(pattern.takeError()).c_str());
    bool is_name = name.find_first_of("*?[{\\") == StringRef::npos;
    result.limits.push_back({name.str(), std::move(*pattern), most, is_name});
  }
  return result;
}

void Limits::check(ArrayRef<std::unique_ptr<ImageReport>> reports,
                   std::vector<std::string> &findings) const {
  for (const std::unique_ptr<ImageReport> &report : reports) {
    std::vector<Place> places;
    std::vector<size_t> broken; // the findings that have these places
    for (const Row &row : report->kernels) {
      auto limit = find_if(limits, [&](const Limit &candidate) {
        return candidate.pattern.match(row.name);
      });
      if (limit == limits.end())
        continue;
      StringRef file = report->image->name();
      std::optional<uint64_t> value = row.value(column);
      if (!value)
        findings.push_back(
            formatv("{0}: kernel '{1}': {2} not known, at most {3} allowed",
                    file, row.readable, words(column), limit->most));
      else if (*value > limit->most) {
        if (std::optional<Place> place = find_place(*report, row, column)) {
          places.push_back(std::move(*place));
          broken.push_back(findings.size());
        }
        findings.push_back(
            formatv("{0}: kernel '{1}': {2} {3}, at most {4} allowed", file,
                    row.readable, *value, words(column), limit->most));
      }
    }
    if (places.empty())
      continue;
    for (auto [finding, text] : zip(broken, describe(*report, places)))
      findings[finding] += text;
  }
  for (const Limit &limit : limits) {
    bool found =
        any_of(reports, [&](const std::unique_ptr<ImageReport> &report) {
          return any_of(report->kernels,
                        [&](const Row &row) { return row.name == limit.text; });
        });
    if (limit.is_name && !found)
      findings.push_back(formatv("no kernel '{0}' to limit", limit.text));
  }
}

Expected<Threshold> Threshold::parse(StringRef text) {
  Threshold threshold;
  StringRef number = text;
  threshold.percent = number.consume_back("%");
  if (number.getAsInteger(10, threshold.amount))
    return createStringError("'%s' is not a number or a percentage",
                             text.str().c_str());
  return threshold;
}

bool Threshold::allows(uint64_t before, uint64_t after) const {
  if (after <= before)
    return true;
  uint64_t growth = after - before;
  return percent ? SaturatingMultiply(growth, uint64_t(100)) <=
                       SaturatingMultiply(before, amount)
                 : growth <= amount;
}

namespace {

/// The numbers of a kernel that compare() compares.
constexpr Column COSTS[] = {Column::vgprs,    Column::agprs, Column::sgprs,
                            Column::spills,   Column::stack, Column::shared,
                            Column::constant, Column::code};

/// The earlier image to compare `report` with: the one of the same target and
/// file name, else the only one of the target, else null.
const json::Object *find_old(const json::Array &images,
                             const ImageReport &report) {
  const json::Object *only = nullptr;
  unsigned count = 0;
  for (const json::Value &value : images) {
    const json::Object *image = value.getAsObject();
    if (!image || image->getString("target") != report.image->target_id())
      continue;
    std::optional<StringRef> file = image->getString("file");
    if (file && sys::path::filename(*file) == sys::path::filename(report.file))
      return image;
    only = image;
    ++count;
  }
  return count == 1 ? only : nullptr;
}

/// The object of that name in an array of kernels or functions; null where
/// there is none, or no array.
const json::Object *find_named(const json::Array *rows, StringRef name) {
  if (rows)
    for (const json::Value &value : *rows)
      if (const json::Object *row = value.getAsObject();
          row && row->getString("name") == name)
        return row;
  return nullptr;
}

/// Compares the kernels, or the device functions, of one image.
struct Comparison {
  StringRef file, kind; ///< "kernel" or "function", for messages
  std::optional<Threshold> threshold;
  std::vector<std::string> &changes, &findings;

  std::string line(StringRef name, const Twine &text) const {
    return (file + ": " + kind + " '" + name + "': " + text).str();
  }

  void compare_numbers(const Row &row, const json::Object &old) const {
    for (Column column : COSTS) {
      std::optional<uint64_t> now = row.value(column);
      std::optional<int64_t> then = old.getInteger(key(column));
      if (!now || !then || *then < 0 || uint64_t(*then) == *now)
        continue;
      std::string change =
          formatv("{0} {1} -> {2}", words(column), *then, *now);
      if (*then)
        change += formatv(" ({0}{1:F1}%)", *now > uint64_t(*then) ? "+" : "",
                          (double(*now) - double(*then)) * 100 / *then);
      bool allowed = !threshold || threshold->allows(*then, *now);
      (allowed ? changes : findings).push_back(line(row.readable, change));
    }
  }

  void compare_rows(ArrayRef<Row> rows, const json::Array *old) const {
    for (const Row &row : rows) {
      if (const json::Object *before = find_named(old, json::fixUTF8(row.name)))
        compare_numbers(row, *before);
      else
        changes.push_back(line(row.readable, "new"));
    }
    if (!old)
      return;
    for (const json::Value &value : *old) {
      const json::Object *before = value.getAsObject();
      std::optional<StringRef> name =
          before ? before->getString("name") : std::nullopt;
      if (name && none_of(rows, [&](const Row &row) {
            return json::fixUTF8(row.name) == *name;
          }))
        changes.push_back(
            line(before->getString("demangled").value_or(*name), "gone"));
    }
  }
};

} // namespace

Error compare(ArrayRef<std::unique_ptr<ImageReport>> reports,
              StringRef old_json, std::optional<Threshold> threshold,
              Compared compared, std::vector<std::string> &changes,
              std::vector<std::string> &findings) {
  Expected<json::Value> old = json::parse(old_json);
  if (!old)
    return createStringError("not what gpuexec-info --json writes: %s",
                             toString(old.takeError()).c_str());
  const json::Object *root = old->getAsObject();
  const json::Array *images = root ? root->getArray("images") : nullptr;
  if (!images || root->getInteger("version") != 1)
    return createStringError("not what gpuexec-info --json writes");
  for (const std::unique_ptr<ImageReport> &report : reports) {
    StringRef file = report->image->name();
    const json::Object *before = find_old(*images, *report);
    if (!before) {
      // An image without an earlier one is a finding: the check must not pass.
      findings.push_back(
          formatv("{0}: no earlier image for {1} to compare with", file,
                  report->image->target_id()));
      continue;
    }
    Comparison comparison{file, "kernel", threshold, changes, findings};
    comparison.compare_rows(report->kernels, before->getArray("kernels"));
    comparison.kind = "function";
    if (compared == Compared::kernels_and_functions)
      comparison.compare_rows(report->functions, before->getArray("functions"));
  }
  return Error::success();
}

} // namespace gpuexec::info
