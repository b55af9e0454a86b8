//===-- toolchain/ptx/split.cpp - See split.h -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/ptx/split.h"
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace gpuexec {

namespace {

using Names = std::set<std::string_view>;

bool is_of_name(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
         ('0' <= c && c <= '9') || c == '_' || c == '$' || c == '.';
}

/// The directive of linkage at the start of a line, with the space behind it;
/// "" for a symbol of the module's own.
std::string_view linkage_of(std::string_view line) {
  for (std::string_view linkage :
       {".visible ", ".weak ", ".internal ", ".extern "})
    if (line.substr(0, linkage.size()) == linkage)
      return linkage;
  return "";
}

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  return text;
}

/// The name of a function, from what follows `.func`.
std::string_view name_of_function(std::string_view text) {
  text = without_spaces(text);
  if (!text.empty() && text.front() == '(') // the returned value
    text = without_spaces(
        text.substr(std::min(text.find(')'), text.size() - 1) + 1));
  size_t length = 0;
  while (length < text.size() && is_of_name(text[length]))
    ++length;
  return text.substr(0, length);
}

/// A variable of the module; each is on a line of its own.
struct Variable {
  size_t line;
  std::string_view linkage, name;
  std::string_view declaration; ///< ".global .align 8 .u64 table[2]"
  std::string_view initialiser; ///< "{...}"; "" without one
};

std::optional<Variable> parse_variable(std::string_view line, size_t number) {
  const std::string_view linkage = linkage_of(line);
  std::string_view text = line.substr(linkage.size());
  if (text.substr(0, 8) != ".global " || text.back() != ';')
    return std::nullopt;
  text.remove_suffix(1);
  Variable variable{number, linkage, "", text, ""};
  if (const size_t at = text.find(" = "); at != std::string_view::npos) {
    variable.declaration = text.substr(0, at);
    variable.initialiser = text.substr(at + 3);
  }
  const std::string_view all = variable.declaration;
  const size_t end = std::min(all.find('['), all.size());
  const size_t space = all.rfind(' ', end);
  variable.name = all.substr(space + 1, end - space - 1);
  return variable;
}

/// Adds the names in a text to `names`, if `known` has them.
template <typename Known>
void add_names(std::string_view text, const Known &known, Names &names) {
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_of_name(text[end]))
      ++end;
    if (const auto found = known.find(text.substr(i, end - i));
        end > i && found != known.end())
      names.insert(text.substr(i, end - i));
    i = end + 1;
  }
}

class Module {
public:
  explicit Module(std::string_view text) : text(text) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      lines.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    for (size_t i = 0; i < lines.size();)
      i = parse(i);
    choose();
  }

  size_t function_count() const { return headers.size(); }
  size_t moved_count() const { return moved.size(); }
  std::string main() const;
  std::string tables() const;

private:
  /// A declaration or the first lines of a definition.
  struct Header {
    size_t first;
    std::string_view name;
  };

  /// Reads what begins at a line; returns the number of the line behind it.
  size_t parse(size_t number) {
    const std::string_view line = lines[number];
    const std::string_view rest = line.substr(linkage_of(line).size());
    if (rest.substr(0, 5) == ".func")
      return parse_function(number, name_of_function(rest.substr(5)));
    if (rest.substr(0, 6) == ".entry")
      return parse_function(number, "");
    if (!line.empty())
      if (std::optional<Variable> variable = parse_variable(line, number))
        variables.emplace(variable->name, *variable);
    return number + 1;
  }

  /// `name`: "" for a kernel.
  size_t parse_function(size_t first, std::string_view name) {
    size_t end = first;
    while (end < lines.size() && lines[end].substr(0, 1) != "{" &&
           lines[end].substr(0, 1) != ";" &&
           (lines[end].empty() || lines[end].back() != ';'))
      ++end;
    if (end == lines.size())
      return end;
    if (!name.empty()) {
      headers.push_back({first, name});
      const char *begin = lines[first].data() + linkage_of(lines[first]).size();
      const bool same_line =
          lines[end].substr(0, 1) != "{" && lines[end].substr(0, 1) != ";";
      const char *last = same_line ? &lines[end].back() : lines[end].data();
      std::string_view signature(begin, size_t(last - begin));
      if (!signature.empty() && signature.back() == '\n')
        signature.remove_suffix(1);
      functions.emplace(name, signature); // the declaration comes first
    }
    if (lines[end].substr(0, 1) == "{")
      while (end < lines.size() && lines[end].substr(0, 1) != "}")
        ++end;
    return end + 1;
  }

  void choose() {
    for (const auto &[name, variable] : variables) {
      Names used;
      add_names(variable.initialiser, functions, used);
      if (!used.empty() && variable.linkage != ".extern ")
        moved.insert(name);
      if (!used.empty())
        needed.insert(used.begin(), used.end());
    }
    for (std::string_view name : moved) {
      Names used;
      add_names(variables.at(name).initialiser, variables, used);
      for (std::string_view each : used)
        if (!moved.count(each))
          needed.insert(each);
    }
  }

  std::string_view text;
  std::vector<std::string_view> lines;
  std::vector<Header> headers;
  std::map<std::string_view, std::string_view> functions; ///< their signatures
  std::map<std::string_view, Variable> variables;
  Names moved;
  Names needed; ///< functions and variables that those name
};

std::string Module::main() const {
  std::vector<std::string> changed(lines.begin(), lines.end());
  for (const Header &header : headers)
    if (needed.count(header.name) && linkage_of(lines[header.first]).empty())
      changed[header.first].insert(0, ".visible ");
  for (const auto &[name, variable] : variables)
    if (moved.count(name))
      changed[variable.line] =
          ".extern " + std::string(variable.declaration) + ";";
    else if (needed.count(name) && variable.linkage.empty())
      changed[variable.line].insert(0, ".visible ");
  std::string all;
  all.reserve(text.size() + 16 * needed.size());
  for (const std::string &line : changed)
    all += line + "\n";
  return all;
}

std::string Module::tables() const {
  const std::string_view last = ".address_size 64\n";
  std::string all(text.substr(0, text.find(last) + last.size()));
  for (std::string_view name : needed)
    if (const auto function = functions.find(name); function != functions.end())
      all += ".extern " + std::string(function->second) + "\n;\n";
    else
      all += ".extern " + std::string(variables.at(name).declaration) + ";\n";
  // In the order of the module: a variable is declared before it is named.
  std::vector<const Variable *> order;
  for (std::string_view name : moved)
    order.push_back(&variables.at(name));
  std::sort(order.begin(), order.end(),
            [](auto *a, auto *b) { return a->line < b->line; });
  for (const Variable *variable : order)
    all += (variable->linkage == ".weak " ? ".weak " : ".visible ") +
           std::string(variable->declaration) + " = " +
           std::string(variable->initialiser) + ";\n";
  return all;
}

} // namespace

SplitPtx split_ptx(std::string_view text, size_t least) {
  if (text.find(".section\t.debug_info") != std::string_view::npos ||
      text.find(".entry _start(") == std::string_view::npos ||
      text.find(".address_size 64\n") == std::string_view::npos)
    return {};
  const Module module(text);
  if (module.function_count() < least || !module.moved_count())
    return {};
  return {module.main(), module.tables(), module.moved_count()};
}

} // namespace gpuexec
