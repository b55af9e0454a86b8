//===-- loader/ensemble/plan.h - What an ensemble runs ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_ENSEMBLE_PLAN_H
#define GPUEXEC_LOADER_ENSEMBLE_PLAN_H

#include "loader/ensemble/template.h"
#include "loader/process/options.h"
#include <optional>

namespace gpuexec::ensemble {

/// The instances, and what each of them gets.
class Plan {
public:
  /// Reads the input of the options. All placeholders can be filled then.
  /// Errors: Failure.
  static llvm::Expected<Plan> make(const RunOptions &options);

  const std::vector<Instance> &instances() const { return all; }
  // All for an instance in a slot, of which there are as many as instances that
  // run at a time:
  std::vector<std::string> arguments(const Instance &instance,
                                     unsigned slot) const;
  std::vector<std::string> environment(const Instance &instance,
                                       unsigned slot) const;
  /// "": that of this process.
  std::string directory(const Instance &instance, unsigned slot) const;
  /// "": it has no input.
  std::string input(const Instance &instance, unsigned slot) const;
  /// Image and arguments as one line.
  std::string command(const Instance &instance, unsigned slot) const;

private:
  explicit Plan(const RunOptions &options) : options(&options) {}
  llvm::Error parse(const EnsembleOptions &ensemble,
                    llvm::ArrayRef<std::string> words);
  llvm::Error check() const;

  const RunOptions *options;
  std::vector<Instance> all;
  Arguments own_arguments;
  std::optional<Template> own_directory, own_input;
  /// An entry of Job::environment, and what becomes of it.
  std::vector<std::pair<size_t, Template>> variables;
};

} // namespace gpuexec::ensemble

#endif
