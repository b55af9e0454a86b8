//===-- toolchain/gpucc/tests/fake_machine.h - A machine for plan() -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No compiler runs in the tests: plan() is given a machine that is a list of
// files.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_TESTS_FAKE_MACHINE_H
#define GPUEXEC_GPUCC_TESTS_FAKE_MACHINE_H

#include "toolchain/gpucc/plan.h"
#include <algorithm>
#include <cerrno>
#include <gmock/gmock.h>
#include <map>
#include <set>

namespace gpuexec::tests {

constexpr const char *ROOT = "/opt/gpuexec/lib/gpuexec";
constexpr unsigned X86_64 = 62, AMDGPU = 224, CUDA = 190;

/// A machine with clang and both linkers, without GPUs and CUDA.
struct FakeMachine : Machine {
  std::string root = ROOT;
  std::optional<std::string> gpu;
  std::map<std::string, std::string> variables = {{"PATH", "/bin:/usr/bin"}};
  std::set<std::string> programs = {
      "/usr/bin/clang-22", "/usr/bin/clang++-22", "/usr/lib/llvm-22/bin/ld.lld",
      "/usr/lib/llvm-22/bin/clang-nvlink-wrapper"};
  std::map<std::string, std::string> links = {
      {"/usr/bin/clang-22", "/usr/lib/llvm-22/bin/clang"},
      {"/usr/bin/clang++-22", "/usr/lib/llvm-22/bin/clang"}};
  std::map<std::string, unsigned> objects;
  int sysroot_error = 0;
  std::set<std::string> missing; ///< files that are not there
  std::map<std::string, std::string> texts, distrusted;

  void add_cuda(const std::string &folder) {
    programs.insert(folder + "/bin/ptxas");
    programs.insert(folder + "/bin/nvlink");
  }

  std::string device_root(std::string &) const override { return root; }
  std::optional<std::string> native_arch() const override { return gpu; }
  std::optional<std::string> variable(const char *name) const override {
    auto found = variables.find(name);
    return found == variables.end() ? std::nullopt
                                    : std::optional(found->second);
  }
  bool is_executable(const std::string &path) const override {
    return programs.contains(path);
  }
  int cannot_read(const std::string &path) const override {
    return missing.contains(path) ? ENOENT : sysroot_error;
  }
  std::string distrust(const std::string &folder) const override {
    auto found = distrusted.find(folder);
    return found == distrusted.end() ? "" : found->second;
  }
  std::string text_of(const std::string &path) const override {
    auto found = texts.find(path);
    return found == texts.end() ? "" : found->second;
  }
  std::string real_path(const std::string &path) const override {
    auto found = links.find(path);
    return found == links.end() ? path : found->second;
  }
  std::optional<unsigned> elf_machine(const std::string &path) const override {
    auto found = objects.find(path);
    return found == objects.end() ? std::nullopt : std::optional(found->second);
  }
};

struct PlanTest : testing::Test {
  FakeMachine machine;

  /// The plan of "gpucc ARGUMENTS...", which are separated by single spaces.
  Plan of(const std::string &line) {
    std::vector<std::string> argv;
    for (size_t begin = 0; begin <= line.size();) {
      const size_t end = std::min(line.find(' ', begin), line.size());
      argv.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    return plan(argv, machine);
  }
  std::vector<std::string> clang_arguments(const std::string &line) {
    const Plan made = of(line);
    EXPECT_EQ(made.error, "");
    return made.clang ? made.clang->arguments : std::vector<std::string>();
  }
};

} // namespace gpuexec::tests

#endif
