//===-- toolchain/ptx/split.cpp - See split.h -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/ptx/split.h"
#include "toolchain/ptx/text.h"
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace gpuexec {

namespace {

using namespace ptx;

class Module {
public:
  explicit Module(std::string_view text) : text(text), lines(lines_of(text)) {
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
    if (const std::optional<Function> function =
            parse_function(lines, number)) {
      if (!function->kernel) {
        headers.push_back({function->first, function->name});
        // The declaration comes first.
        functions.emplace(function->name, function->signature);
      }
      return function->end;
    }
    if (std::optional<Variable> variable =
            parse_variable(lines[number], number, ".global "))
      variables.emplace(variable->name, *variable);
    return number + 1;
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
