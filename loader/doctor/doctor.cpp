//===-- loader/doctor/doctor.cpp - See doctor.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/doctor/doctor.h"
#include "loader/command_line/commands.h"
#include "loader/command_line/messages.h"
#include "loader/command_line/option_table.h"
#include "loader/doctor/findings.h"
#include "support/failure.h"
#include "support/printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuexec::doctor {
namespace {

using namespace llvm::opt;

#define OPTIONS_INC "loader/doctor/options.inc"
#include "loader/command_line/option_table.inc"

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

} // namespace

llvm::Expected<int> run(llvm::ArrayRef<const char *> argv) {
  bool json = false, help = false;
  auto apply = [&](const Arg &arg) {
    const unsigned id = arg.getOption().getUnaliasedOption().getID();
    json |= id == OPT_json;
    help |= id == OPT_help;
  };
  if (llvm::Error error = parse_switches(Table(), argv, "doctor", apply))
    return failure(Reason::failed, "{0}", llvm::toString(std::move(error)));
  if (help) {
    print_command_help(llvm::outs(), Command::doctor, Table(), {"Options"});
    say("EXIT STATUS: 0 when a device runs programs here, 1 when none does.\n");
    return 0;
  }
  const Findings findings = look();
  (json ? print_json : print)(llvm::outs(), findings);
  return findings.devices.empty() ? 1 : 0;
}

} // namespace gpuexec::doctor
