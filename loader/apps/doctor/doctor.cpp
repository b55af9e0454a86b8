//===-- loader/apps/doctor/doctor.cpp - gpuexec doctor --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what this machine has for gpuexec, and what is missing.
//===----------------------------------------------------------------------===//
#include "loader/apps/apps.h"
#include "loader/apps/doctor/findings.h"
#include "loader/command_line/option_values.h"
#include "support/printable.h"
#include "llvm/Support/JSON.h"

namespace gpuexec {
namespace {

using doctor::Finding;
using doctor::Findings;

struct Options : CommandOptions {
  bool json = false;
};

constexpr OptionRow ROWS[] = {
    OPTION_GROUP("Options")
        OPTION("json", "", 0, "", "Print JSON", set(to.json)) OPTION(
            "help,h", "", STOPS, "", "Print this text and exit", set(to.help))};

void print(llvm::raw_ostream &os, const Findings &findings) {
  for (const Finding &finding : findings.all) {
    os << llvm::formatv("{0,-8} {1,-18} {2}\n",
                        finding.found ? "found" : "missing", finding.name,
                        printable(finding.where));
    if (!finding.lost.empty())
      os << llvm::formatv("{0,-8} {0,-18} {1}\n", "", finding.lost);
  }
  if (findings.devices.empty())
    os << "No device runs programs here.\n";
  else
    os << "Programs run here on: " << llvm::join(findings.devices, ", ")
       << "\n";
}

void print_json(llvm::raw_ostream &os, const Findings &findings) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("runs_programs", !findings.devices.empty());
    json.attributeArray("devices", [&] {
      for (const std::string &device : findings.devices)
        json.value(device);
    });
    json.attributeArray("findings", [&] {
      for (const Finding &finding : findings.all)
        json.object([&] {
          json.attribute("name", finding.name);
          json.attribute("found", finding.found);
          json.attribute("where", printable(finding.where));
          json.attribute("lost", finding.lost);
        });
    });
  });
  os << "\n";
}

ExitResult start(const Call &call) {
  Options options;
  if (std::optional<ExitResult> end = call.read_switches(options))
    return *end;
  const Findings findings = doctor::look();
  (options.json ? print_json : print)(llvm::outs(), findings);
  return {findings.devices.empty() ? 1 : 0, 0, /*clean=*/true};
}

} // namespace

const App apps::doctor = {
    ROWS, start, "",
    "EXIT STATUS: 0 when a device runs programs here, 1 when none does.\n"};

} // namespace gpuexec
