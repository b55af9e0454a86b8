//===-- loader/apps/apps.cpp - See apps.h ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/apps.h"
#include "loader/command_line/completion.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuexec {
namespace {

constexpr Command COMMANDS[] = {
#define COMMAND(NAME, ARGUMENTS, OPERANDS, SUMMARY)                            \
  {#NAME, ARGUMENTS, OPERANDS, SUMMARY, apps::NAME},
#include "loader/apps/commands.def"
};

/// A word with more edits than these was hardly meant to be the name.
constexpr unsigned MOST_EDITS = 2;

void print_commands(llvm::raw_ostream &os) {
  os << "Commands:\n";
  for (const Command &command : COMMANDS)
    os << llvm::formatv("  {0,-10} {1}\n", command.name, command.summary);
  os << "gpuexec help COMMAND says more. A file with the name of a command is "
        "./NAME.\n";
}

/// What --help and -h begin with. `name`: what gpuexec was started as.
void print_usage(llvm::raw_ostream &os, llvm::StringRef name) {
  os << "OVERVIEW: runs a program compiled for a GPU as a command\n\nUSAGE: "
     << name << " [options] IMAGE [argument...]\n";
  if (name == "gpuexec") { // none of LLVM's loaders
    os << "       gpuexec COMMAND ...\n\n";
    print_commands(os);
  }
  os << '\n';
}

void complete_command(llvm::raw_ostream &os, llvm::StringRef prefix) {
  for (const Command &command : COMMANDS)
    if (command.name.starts_with(prefix))
      os << command.name << '\t' << command.summary << '\n';
}

} // namespace

ExitResult Call::end(llvm::Error error) const {
  if (error)
    return own_failure(personality.command, std::move(error));
  return {0, 0, /*clean=*/true};
}

std::optional<ExitResult> Call::read_switches(CommandOptions &options) const {
  const llvm::StringLiteral name = command->name;
  llvm::Expected<size_t> read =
      OptionTable{command->app.options, ("gpuexec " + name).str(),
                  (name + ": ").str()}
          .read(arguments(), options);
  if (!read)
    return end(read.takeError());
  if (options.help) {
    print_help(llvm::outs(), *command);
    return end(llvm::Error::success());
  }
  if (*read < words.size())
    return end(failure(Reason::failed, "{0}: takes no arguments, found '{1}'",
                       name, words[*read]));
  return std::nullopt;
}

std::string Command::usage() const {
  return ("gpuexec " + name + " " + arguments).str();
}

const Command *find_command(llvm::StringRef name) {
  for (const Command &command : COMMANDS)
    if (command.name == name)
      return &command;
  return nullptr;
}

void print_help(llvm::raw_ostream &os, const Command &command) {
  os << "OVERVIEW: " << command.summary << "\n\nUSAGE: " << command.usage()
     << "\n"
     << command.app.more_usage << "\n";
  if (command.app.options.empty())
    return print_commands(os);
  print_options(os, command.app.options);
  os << command.app.epilogue;
}

void print_help(llvm::raw_ostream &os, llvm::StringRef name) {
  print_usage(os, name);
  print_options(os, apps::run.options);
  os << apps::run.epilogue;
}

void print_brief_help(llvm::raw_ostream &os, llvm::StringRef name) {
  print_usage(os, name);
  os << "Options that matter most (all of them: --help):\n";
  print_basic_options(os, apps::run.options);
}

bool print_completions(llvm::raw_ostream &os, const Call &call) {
  const App &app = call.command ? call.command->app : apps::run;
  return answer_shell(
      os, call.words.empty() ? "" : call.words.front(), app.options,
      (call.command ? call.command : find_command("run"))->operands,
      [&](llvm::StringRef prefix) { complete_command(os, prefix); });
}

std::string advice_for(llvm::StringRef word) {
  if (const Command *command = find_command(word))
    return "a command comes before its options: " + command->usage();
  unsigned fewest = MOST_EDITS + 1;
  llvm::StringRef nearest;
  std::string all;
  for (const Command &command : COMMANDS) {
    all += (all.empty() ? "" : ", ") + command.name.str();
    const unsigned edits =
        word.edit_distance(command.name, true, MOST_EDITS + 1);
    // With half of its letters changed a name is another word.
    if (edits < fewest && edits * 2 < command.name.size()) {
      fewest = edits;
      nearest = command.name;
    }
  }
  if (!nearest.empty())
    return llvm::formatv("did you mean 'gpuexec {0}'?", nearest);
  for (const std::string &line :
       complete_option(apps::run.options, ("--" + word).str()))
    if (llvm::StringRef(line).split('\t').first.rtrim('=').drop_front(2) ==
        word)
      return llvm::formatv("did you mean 'gpuexec --{0}'?", word);
  return "commands: " + all + " (gpuexec help)";
}

} // namespace gpuexec
