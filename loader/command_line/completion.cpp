//===-- loader/command_line/completion.cpp - See completion.h -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/completion.h"
#include "loader/device/device.h"

namespace gpuexec {

bool answer_shell(llvm::raw_ostream &os, llvm::StringRef word,
                  llvm::ArrayRef<OptionRow> rows, llvm::StringRef operands,
                  llvm::function_ref<void(llvm::StringRef)> print_commands) {
  if (word.consume_front("--complete=")) {
    if (!word.starts_with("-"))
      print_commands(word);
    else
      for (const std::string &line : complete_option(rows, word))
        os << line << '\n';
    return true;
  }
  if (!word.consume_front("--complete-value="))
    return false;
  llvm::StringRef offers = word.empty() ? operands : offers_of(rows, word);
  while (!offers.empty()) {
    auto [offer, rest] = offers.split(' ');
    offers = rest;
    if (offer == ":commands")
      print_commands("");
    else if (offer == ":devices")
      for (const DeviceInfo &device : list_devices([](const llvm::Twine &) {}))
        os << device.spec() << '\n';
    else
      os << offer << '\n';
  }
  return true;
}

} // namespace gpuexec
