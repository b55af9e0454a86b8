//===-- loader/command_line/option_table.cpp - See option_table.h ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/option_table.h"
#include "support/failure.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <map>

namespace gpuexec {
namespace {

constexpr size_t COLUMN = 26;        ///< where help texts begin
constexpr unsigned MOST_EDITS = 2;   ///< of a name that was meant
constexpr size_t SHORTEST_MEANT = 4; ///< a shorter name is near to any word

bool is_group(const OptionRow &row) { return row.name.empty(); }

llvm::StringRef long_name(const OptionRow &row) {
  return row.name.split(',').first;
}

llvm::StringRef letter(const OptionRow &row) {
  return row.name.split(',').second;
}

bool needs_value(const OptionRow &row) { return row.value.starts_with("<"); }

/// True when `word`, without a value, names the option.
bool names(llvm::StringRef word, const OptionRow &row) {
  if (is_group(row) || !word.consume_front("-"))
    return false;
  const bool short_form = !letter(row).empty() && word == letter(row);
  word.consume_front("-");
  return short_form || (!word.empty() && word == long_name(row));
}

const OptionRow *find(llvm::ArrayRef<OptionRow> rows, llvm::StringRef word) {
  for (const OptionRow &row : rows)
    if (names(word, row))
      return &row;
  return nullptr;
}

/// The option of a word like -j8: a letter, and behind it the value.
const OptionRow *find_letter(llvm::ArrayRef<OptionRow> rows,
                             llvm::StringRef word) {
  if (word.size() < 3 || word[0] != '-' || !llvm::isDigit(word[2]))
    return nullptr;
  for (const OptionRow &row : rows)
    if (needs_value(row) && letter(row) == word.substr(1, 1))
      return &row;
  return nullptr;
}

/// What the user may have meant by a word that is no option; "" where none is
/// near to it.
std::string nearest_to(llvm::ArrayRef<OptionRow> rows, llvm::StringRef word) {
  unsigned fewest = MOST_EDITS + 1;
  std::string nearest;
  for (const OptionRow &row : rows) {
    const size_t equals =
        row.value.empty() ? llvm::StringRef::npos : word.find('=');
    for (llvm::StringRef dashes : {"--", "-"}) {
      const std::string spelling = (dashes + long_name(row)).str();
      const unsigned edits = llvm::StringRef(spelling).edit_distance(
          word.substr(0, equals), /*AllowReplacements=*/true, fewest);
      if (edits >= fewest || row.help.empty() ||
          long_name(row).size() + !row.value.empty() < SHORTEST_MEANT)
        continue;
      fewest = edits;
      nearest = spelling;
      if (equals != llvm::StringRef::npos)
        nearest += word.substr(equals);
    }
  }
  return nearest;
}

/// Prints the words of `text`, starting at COLUMN, in lines shorter than 80.
void print_wrapped(llvm::raw_ostream &os, llvm::StringRef text) {
  constexpr size_t WIDTH = 79;
  size_t at = COLUMN;
  bool first = true;
  while (!text.empty()) {
    llvm::StringRef word;
    std::tie(word, text) = text.split(' ');
    if (!first && at + 1 + word.size() > WIDTH) {
      os << '\n';
      os.indent(unsigned(COLUMN));
      at = COLUMN;
      first = true;
    }
    os << (first ? "" : " ") << word;
    at += word.size() + !first;
    first = false;
  }
  os << '\n';
}

/// "  --name=<value>, -n"
std::string left_side(const OptionRow &row) {
  std::string text = ("  --" + long_name(row)).str();
  llvm::StringRef value = row.value;
  if (value.consume_front("["))
    text += ("[=" + value).str();
  else if (!value.empty())
    text += ("=" + value).str();
  if (!letter(row).empty())
    text += (", -" + letter(row)).str();
  return text;
}

/// The options of the group that begins at `rows`: basic ones first, each part
/// by name. `rows` becomes what follows.
std::map<std::pair<bool, llvm::StringRef>, const OptionRow *>
take_group(llvm::ArrayRef<OptionRow> &rows) {
  std::map<std::pair<bool, llvm::StringRef>, const OptionRow *> group;
  for (rows = rows.drop_front(); !rows.empty() && !is_group(rows.front());
       rows = rows.drop_front())
    if (const OptionRow &row = rows.front(); !row.help.empty())
      group[{!(row.flags & BASIC), long_name(row)}] = &row;
  return group;
}

/// Up to the first ";" or the first "." before a space.
llvm::StringRef first_sentence(llvm::StringRef text) {
  return text.take_front(std::min(text.find(';'), text.find(". ")));
}

} // namespace

llvm::Error Given::is_not(llvm::StringRef expected) const {
  return failure(Reason::failed, "{0}: '{1}' is not {2}", name,
                 value ? value : "", expected);
}

llvm::Expected<size_t> OptionTable::read(llvm::ArrayRef<const char *> words,
                                         CommandOptions &options) const {
  size_t next = 0;
  while (next < words.size()) {
    const llvm::StringRef word = words[next];
    if (!word.starts_with("-") || word == "-" || word == "--")
      break;
    ++next;
    const size_t equals = word.find('=');
    const OptionRow *row = find(rows, word.substr(0, equals));
    const OptionRow *by_letter = row ? nullptr : find_letter(rows, word);
    if (by_letter)
      row = by_letter;
    if (!row || (row->value.empty() && equals != llvm::StringRef::npos)) {
      const std::string nearest = nearest_to(rows, word);
      if (!nearest.empty())
        return failure(Reason::failed,
                       "unknown option '{0}', did you mean '{1}'?", word,
                       nearest);
      return failure(Reason::failed, "unknown option '{0}': see {1} --help",
                     word, command);
    }
    Given given{long_name(*row).empty() ? word.str()
                                        : ("--" + long_name(*row)).str()};
    if (by_letter)
      given.value = word.data() + 2;
    else if (equals != llvm::StringRef::npos)
      given.value = word.data() + equals + 1;
    else if (needs_value(*row) && next == words.size())
      return failure(Reason::failed, "{0}: needs a value", word);
    else if (needs_value(*row))
      given.value = words[next++];
    if (llvm::Error error = row->set(given, options))
      return failure(Reason::failed, "{0}{1}", prefix,
                     llvm::toString(std::move(error)));
    if (row->flags & STOPS)
      break;
  }
  return next;
}

void print_options(llvm::raw_ostream &os, llvm::ArrayRef<OptionRow> rows) {
  while (!rows.empty()) {
    os << rows.front().help << ":\n";
    for (const auto &[name, row] : take_group(rows)) {
      std::string text = left_side(*row);
      os << text;
      if (text.size() + 1 > COLUMN) {
        os << '\n';
        text.clear();
      }
      os.indent(unsigned(COLUMN - text.size()));
      print_wrapped(os, row->help);
    }
    os << '\n';
  }
}

void print_basic_options(llvm::raw_ostream &os,
                         llvm::ArrayRef<OptionRow> rows) {
  while (!rows.empty())
    for (const auto &[name, row] : take_group(rows))
      if (row->flags & BASIC)
        os << llvm::left_justify(left_side(*row), COLUMN)
           << first_sentence(row->help) << '\n';
}

std::vector<std::string> complete_option(llvm::ArrayRef<OptionRow> rows,
                                         llvm::StringRef prefix) {
  std::vector<std::string> lines;
  for (const OptionRow &row : rows)
    for (llvm::StringRef dashes : {"--", "-"}) {
      const std::string line = (dashes + long_name(row) +
                                (needs_value(row) ? "=\t" : "\t") + row.help)
                                   .str();
      if (!is_group(row) && !row.help.empty() &&
          llvm::StringRef(line).starts_with(prefix))
        lines.push_back(line);
    }
  return lines;
}

llvm::StringRef offers_of(llvm::ArrayRef<OptionRow> rows,
                          llvm::StringRef name) {
  const OptionRow *row = find(rows, name);
  return row ? row->offers : "";
}

} // namespace gpuexec
