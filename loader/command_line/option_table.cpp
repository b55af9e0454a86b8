//===-- loader/command_line/option_table.cpp - Options by a table ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/option_table.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>
#include <string>

using namespace llvm::opt;

namespace gpuexec {

llvm::Expected<std::unique_ptr<Arg>> next_option(const OptTable &table,
                                                 const InputArgList &arguments,
                                                 unsigned &index,
                                                 llvm::StringRef command) {
  std::string text = arguments.getArgString(index);
  std::unique_ptr<Arg> arg = table.ParseOneArg(arguments, index);
  if (!arg)
    return llvm::createStringError("%s: needs a value", text.c_str());
  if (arg->getOption().getKind() != Option::UnknownClass)
    return std::move(arg);
  std::string nearest;
  if (table.findNearest(text, nearest) <= 2 && !nearest.empty())
    return llvm::createStringError("unknown option '%s', did you mean '%s'?",
                                   text.c_str(), nearest.c_str());
  return llvm::createStringError("unknown option '%s': see %s --help",
                                 text.c_str(), command.str().c_str());
}

llvm::Error parse_switches(const OptTable &table,
                           llvm::ArrayRef<const char *> argv,
                           llvm::StringRef command,
                           llvm::function_ref<void(const Arg &)> apply) {
  InputArgList list(argv.begin(), argv.end());
  const std::string name = "gpuexec " + command.str();
  unsigned index = 0;
  while (index < argv.size()) {
    if (argv[index][0] != '-' || !argv[index][1])
      return llvm::createStringError("%s: takes no arguments, found '%s'",
                                     command.str().c_str(), argv[index]);
    llvm::Expected<std::unique_ptr<Arg>> arg =
        next_option(table, list, index, name);
    if (!arg)
      return arg.takeError();
    apply(**arg);
  }
  return llvm::Error::success();
}

llvm::Error bad_value(const Arg &arg, llvm::StringRef expected) {
  return llvm::createStringError("%s: '%s' is not %s",
                                 name_of(arg).str().c_str(), arg.getValue(),
                                 expected.str().c_str());
}

llvm::StringRef name_of(const Arg &arg) { return arg.getSpelling().rtrim('='); }

/// Prints the words of `text`, starting at `column`, in lines shorter than 80.
static void print_wrapped(llvm::raw_ostream &os, llvm::StringRef text,
                          size_t column) {
  constexpr size_t WIDTH = 79;
  size_t at = column;
  bool first = true;
  while (!text.empty()) {
    llvm::StringRef word;
    std::tie(word, text) = text.split(' ');
    if (!first && at + 1 + word.size() > WIDTH) {
      os << '\n';
      os.indent(unsigned(column));
      at = column;
      first = true;
    }
    os << (first ? "" : " ") << word;
    at += word.size() + !first;
    first = false;
  }
  os << '\n';
}

namespace {

constexpr size_t COLUMN = 26; ///< where help texts begin

/// What help texts are printed from.
struct Listing {
  const OptTable &table;
  /// Title of a group -> its options: basic ones first, each part by name.
  std::map<llvm::StringRef,
           std::map<std::pair<bool, llvm::StringRef>, unsigned>>
      by_group;
  std::map<unsigned, std::string> short_forms; ///< of long options
  std::set<llvm::StringRef> without_value;     ///< names that need no value

  explicit Listing(const OptTable &table);
  /// "  --name=<value>, -n"
  std::string left_side(unsigned id) const;
};

Listing::Listing(const OptTable &table) : table(table) {
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    const Option option = table.getOption(id);
    if (!option.isValid() || option.hasFlag(HelpHidden))
      continue;
    if (option.getAlias().isValid() && option.getName().size() == 1)
      short_forms[option.getAlias().getID()] = option.getPrefixedName();
    if (option.getKind() == Option::FlagClass)
      without_value.insert(option.getName());
    if (table.getOptionHelpText(id) && option.getGroup().isValid())
      by_group[table.getOptionHelpText(option.getGroup().getID())]
              [{!option.hasFlag(Basic), option.getName().rtrim('=')}] = id;
  }
}

std::string Listing::left_side(unsigned id) const {
  const Option option = table.getOption(id);
  const char *value = table.getOptionMetaVar(id);
  std::string text = "  " + option.getPrefixedName().str();
  // --name=VALUE of which the value may be left out: --name[=VALUE].
  if (value && without_value.count(option.getName().rtrim('='))) {
    text.pop_back();
    text += "[=" + std::string(value) + "]";
  } else if (value) {
    text += value;
  }
  if (auto found = short_forms.find(id); found != short_forms.end())
    text += ", " + found->second;
  return text;
}

/// Up to the first ";" or the first "." before a space.
llvm::StringRef first_sentence(llvm::StringRef text) {
  return text.take_front(std::min(text.find(';'), text.find(". ")));
}

} // namespace

void print_options(llvm::raw_ostream &os, const OptTable &table,
                   llvm::ArrayRef<llvm::StringRef> groups) {
  const Listing listing(table);
  for (llvm::StringRef group : groups) {
    os << group << ":\n";
    for (const auto &[name, id] : listing.by_group.at(group)) {
      std::string text = listing.left_side(id);
      os << text;
      if (text.size() + 1 > COLUMN) {
        os << '\n';
        text.clear();
      }
      os.indent(unsigned(COLUMN - text.size()));
      print_wrapped(os, table.getOptionHelpText(id), COLUMN);
    }
    os << '\n';
  }
}

void print_basic_options(llvm::raw_ostream &os, const OptTable &table,
                         llvm::ArrayRef<llvm::StringRef> groups) {
  const Listing listing(table);
  for (llvm::StringRef group : groups)
    for (const auto &[name, id] : listing.by_group.at(group))
      if (table.getOption(id).hasFlag(Basic))
        os << llvm::left_justify(listing.left_side(id), COLUMN)
           << first_sentence(table.getOptionHelpText(id)) << '\n';
}

} // namespace gpuexec
