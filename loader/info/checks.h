//===-- loader/info/checks.h - Bounds and comparisons -----------*- C++ -*-===//
// What makes gpuexec-info fail: a kernel beyond a limit, or one that costs more
// than it did. Every finding is one line.

#ifndef GPUEXEC_LOADER_INFO_CHECKS_H
#define GPUEXEC_LOADER_INFO_CHECKS_H

#include "loader/info/report.h"
#include "llvm/Support/GlobPattern.h"

namespace gpuexec::info {

/// `_start=64,*=128`: the first pattern that matches a kernel's name gives its
/// limit. A lone number is for all.
class Limits {
public:
  static llvm::Expected<Limits> parse(Column column, llvm::StringRef text);
  /// Appends a line for each kernel beyond its limit, each whose value the
  /// image does not tell, and each name without wildcard that no image has.
  void check(llvm::ArrayRef<std::unique_ptr<ImageReport>> reports,
             std::vector<std::string> &findings) const;

private:
  struct Limit {
    std::string text;
    llvm::GlobPattern pattern;
    uint64_t most;
    bool is_name; ///< no wildcard: a kernel that must be there
  };
  Column column{};
  std::vector<Limit> limits;
};

/// How much a number may grow: `8` or `5%`.
struct Threshold {
  uint64_t amount = 0;
  bool percent = false;
  static llvm::Expected<Threshold> parse(llvm::StringRef text);
  bool allows(uint64_t before, uint64_t after) const;
};

/// Compares with what `--json` wrote earlier. `changes` gets a line for every
/// number of a kernel that differs and for kernels that came or went;
/// `findings` those that grew beyond the threshold, and images without an
/// earlier one. Errors: no such JSON.
llvm::Error compare(llvm::ArrayRef<std::unique_ptr<ImageReport>> reports,
                    llvm::StringRef old_json, Threshold threshold,
                    std::vector<std::string> &changes,
                    std::vector<std::string> &findings);

} // namespace gpuexec::info

#endif
