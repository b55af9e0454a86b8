//===-- toolchain/gpucc/ports.cpp - See ports.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/ports.h"
#include <sstream>

namespace gpuexec {
namespace {

std::string data_folder(const Machine &machine) {
  std::string data = machine.variable("XDG_DATA_HOME").value_or("");
  if (data.starts_with('/'))
    return data;
  const std::string home = machine.variable("HOME").value_or("");
  return home.starts_with('/') ? home + "/.local/share" : "";
}

} // namespace

Ports find_ports(const std::string &arch, const Machine &machine) {
  Ports ports;
  std::string all = machine.variable("GPUEXEC_PORTS").value_or("");
  if (all == "off") {
    ports.problem = "GPUEXEC_PORTS=off";
    return ports;
  }
  if (all.empty()) {
    all = data_folder(machine);
    if (!all.empty())
      all += "/gpuexec/ports";
    else
      ports.problem = "neither HOME nor XDG_DATA_HOME names a folder";
  } else if (!all.starts_with('/')) {
    ports.problem = "GPUEXEC_PORTS=" + all + ": has to begin with /";
  }
  if (ports.problem.empty()) {
    ports.folder = all + "/" + arch;
    ports.problem = machine.distrust(ports.folder);
  }
  return ports;
}

std::string port_of(const std::string &library, const std::string &root,
                    const Machine &machine) {
  std::istringstream lines(machine.text_of(root + "/port/libraries.txt"));
  for (std::string name, port; lines >> name >> port;)
    if (name == library)
      return port;
  return "";
}

} // namespace gpuexec
