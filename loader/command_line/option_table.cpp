//===-- loader/command_line/option_table.cpp - Options by a table ---------===//
#include "loader/command_line/option_table.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
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

void print_options(llvm::raw_ostream &os, const OptTable &table,
                   llvm::ArrayRef<llvm::StringRef> groups) {
  // Sorted by group and name. Short forms are printed beside the long ones.
  std::map<llvm::StringRef, std::map<llvm::StringRef, unsigned>> by_group;
  std::map<unsigned, std::string> short_forms;
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    const Option option = table.getOption(id);
    if (!option.isValid() || option.hasFlag(HelpHidden))
      continue;
    if (option.getAlias().isValid() && option.getName().size() == 1)
      short_forms[option.getAlias().getID()] = option.getPrefixedName();
    if (table.getOptionHelpText(id) && option.getGroup().isValid())
      by_group[table.getOptionHelpText(option.getGroup().getID())]
              [option.getName().rtrim('=')] = id;
  }
  constexpr size_t COLUMN = 26;
  for (llvm::StringRef group : groups) {
    os << group << ":\n";
    for (const auto &[name, id] : by_group[group]) {
      std::string text = "  " + table.getOption(id).getPrefixedName().str();
      if (const char *value = table.getOptionMetaVar(id))
        text += value;
      if (auto found = short_forms.find(id); found != short_forms.end())
        text += ", " + found->second;
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

} // namespace gpuexec
