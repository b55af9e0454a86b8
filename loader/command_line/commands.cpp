//===-- loader/command_line/commands.cpp - See commands.h -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/commands.h"
#include "loader/command_line/option_table.h"
#include "loader/command_line/options.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuexec {
namespace {

struct Entry {
  Command command;
  llvm::StringLiteral name, arguments, summary;
};

constexpr Entry ENTRIES[] = {
#define COMMAND(NAME, ARGUMENTS, SUMMARY)                                      \
  {Command::NAME, #NAME, ARGUMENTS, SUMMARY},
#include "loader/command_line/commands.def"
};

/// A word with more edits than these was hardly meant to be the name.
constexpr unsigned MOST_EDITS = 2;

const Entry &entry_of(Command command) {
  for (const Entry &entry : ENTRIES)
    if (entry.command == command)
      return entry;
  llvm_unreachable("a command that is not in the table");
}

} // namespace

std::optional<Command> find_command(llvm::StringRef name) {
  for (const Entry &entry : ENTRIES)
    if (entry.name == name)
      return entry.command;
  return std::nullopt;
}

std::string usage_of(Command command) {
  const Entry &entry = entry_of(command);
  return ("gpuexec " + entry.name + " " + entry.arguments).str();
}

llvm::StringRef summary_of(Command command) {
  return entry_of(command).summary;
}

void print_commands(llvm::raw_ostream &os) {
  os << "Commands:\n";
  for (const Entry &entry : ENTRIES)
    os << llvm::formatv("  {0,-10} {1}\n", entry.name, entry.summary);
  os << "gpuexec help COMMAND says more. A file with the name of a command is "
        "./NAME.\n";
}

void print_command_help(llvm::raw_ostream &os, Command command,
                        const llvm::opt::OptTable &table,
                        llvm::ArrayRef<llvm::StringRef> groups) {
  os << "OVERVIEW: " << summary_of(command)
     << "\n\nUSAGE: " << usage_of(command) << "\n\n";
  print_options(os, table, groups);
}

std::vector<std::string> complete_command(llvm::StringRef prefix) {
  std::vector<std::string> lines;
  for (const Entry &entry : ENTRIES)
    if (entry.name.starts_with(prefix))
      lines.push_back((entry.name + "\t" + entry.summary).str());
  return lines;
}

std::string advice_for(llvm::StringRef word) {
  if (std::optional<Command> command = find_command(word))
    return "a command comes before its options: " + usage_of(*command);
  unsigned fewest = MOST_EDITS + 1;
  llvm::StringRef nearest;
  std::string all;
  for (const Entry &entry : ENTRIES) {
    all += (all.empty() ? "" : ", ") + entry.name.str();
    const unsigned edits = word.edit_distance(entry.name, true, MOST_EDITS + 1);
    // With half of its letters changed a name is another word.
    if (edits < fewest && edits * 2 < entry.name.size()) {
      fewest = edits;
      nearest = entry.name;
    }
  }
  if (!nearest.empty())
    return llvm::formatv("did you mean 'gpuexec {0}'?", nearest);
  for (const std::string &line : complete_option(("--" + word).str()))
    if (llvm::StringRef(line).split('\t').first.rtrim('=').drop_front(2) ==
        word)
      return llvm::formatv("did you mean 'gpuexec --{0}'?", word);
  return "commands: " + all + " (gpuexec help)";
}

} // namespace gpuexec
