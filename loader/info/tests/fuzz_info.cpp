//===-- loader/info/tests/fuzz_info.cpp - Any bytes as a report -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever parses as an image can be disassembled, reported and compared with
// itself, without a finding and without a byte on the output that a terminal
// would obey.

#include "loader/info/checks.h"
#include <cstdlib>

using namespace gpuexec;
using namespace gpuexec::info;

static void require(bool condition) {
  if (!condition)
    abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  auto images = Image::parse_all({bytes, "file"});
  if (!images) {
    llvm::consumeError(images.takeError());
    return 0;
  }
  std::vector<std::unique_ptr<ImageReport>> reports;
  std::string text, json, csv;
  llvm::raw_string_ostream text_os(text), json_os(json), csv_os(csv);
  for (const Image &image : *images) {
    auto report = make_report("file", image, {}, {});
    require(static_cast<bool>(report));
    reports.push_back(std::move(*report));
    print_table(text_os, *reports.back(), {true, true, true});
  }
  print_json(json_os, reports);
  print_csv(csv_os, reports);
  for (char character : text)
    require(static_cast<unsigned char>(character) >= ' ' || character == '\n');
  std::vector<std::string> changes, findings;
  require(!compare(reports, json, Threshold{},
                   Compared::kernels_and_functions, changes, findings));
  // Two images of one target in a container may be taken for each other; one is
  // itself.
  require(reports.size() > 1 || (changes.empty() && findings.empty()));
  auto limits = Limits::parse(Column::vgprs, "a*=1,*=0");
  require(static_cast<bool>(limits));
  limits->check(reports, findings);
  return 0;
}
