//===-- loader/info/checks.h - Bounds and comparisons -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks that make gpuexec-info fail: a kernel that exceeds a limit, or one
// that needs more of something than before. Each finding is one line of text.

#ifndef GPUEXEC_LOADER_INFO_CHECKS_H
#define GPUEXEC_LOADER_INFO_CHECKS_H

#include "loader/info/report.h"
#include "llvm/Support/GlobPattern.h"

namespace gpuexec::info {

/// Limits of one column, from a text like `_start=64,*=128`: the first pattern
/// that matches a kernel's name gives its limit. A number alone is the limit of
/// all kernels.
class Limits {
public:
  static llvm::Expected<Limits> parse(Column column, llvm::StringRef text);
  /// Appends a line for each kernel above its limit, with the source line where
  /// it needs most if the image has one (AMDGPU); for each kernel whose
  /// value is unknown, and for each pattern without wildcard that no kernel
  /// matches.
  void check(llvm::ArrayRef<std::unique_ptr<ImageReport>> reports,
             std::vector<std::string> &findings) const;

private:
  struct Limit {
    std::string text;
    llvm::GlobPattern pattern;
    uint64_t most;
    bool is_name; ///< no wildcard: a kernel with this name must exist
  };
  Column column{};
  std::vector<Limit> limits;
};

/// By how much a number may grow: `8` or `5%`.
struct Threshold {
  uint64_t amount = 0;
  bool percent = false;
  static llvm::Expected<Threshold> parse(llvm::StringRef text);
  bool allows(uint64_t before, uint64_t after) const;
};

/// What compare() looks at.
enum class Compared { kernels, kernels_and_functions };

/// Compares the reports with an earlier output of `--json`. Appends to
/// `changes` a line for each number that differs and each kernel (and device
/// function) that was added or removed. Appends to `findings` a line for each
/// number that grew by more than the threshold and each image that the JSON
/// lacks. Without a threshold no growth is a finding. Fails when `old_json` is
/// no output of `--json`.
llvm::Error compare(llvm::ArrayRef<std::unique_ptr<ImageReport>> reports,
                    llvm::StringRef old_json,
                    std::optional<Threshold> threshold, Compared compared,
                    std::vector<std::string> &changes,
                    std::vector<std::string> &findings);

} // namespace gpuexec::info

#endif
