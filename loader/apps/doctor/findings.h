//===-- loader/apps/doctor/findings.h - What a machine has -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks for all that gpuexec and gpucc can use: drivers, layers of the sandbox,
// libraries behind services, tools. Changes nothing.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_APPS_DOCTOR_FINDINGS_H
#define GPUEXEC_LOADER_APPS_DOCTOR_FINDINGS_H

#include <string>
#include <vector>

namespace gpuexec::doctor {

struct Finding {
  std::string name;
  bool found = false;
  std::string where; ///< it is, or what was looked for in vain
  std::string lost;  ///< what does not work without it
};

struct Findings {
  std::vector<Finding> all;
  /// Devices that run a program, as --device takes them.
  std::vector<std::string> devices;
};

Findings look();

} // namespace gpuexec::doctor

#endif
