//===-- toolchain/ptx/parts.cpp - See parts.h -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/ptx/parts.h"
#include "toolchain/ptx/text.h"
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <tuple>

namespace gpuexec {

namespace {

using namespace ptx;

/// A part ends behind a function whose name has a hash without these bits, if
/// it is large enough (ENOUGH_SHARE).
constexpr uint64_t END_MASK = 3;
constexpr size_t ENOUGH_SHARE = 4;

/// FNV-1a: the same for all builds, since cached parts depend on it.
uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : text)
    hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

bool starts_with(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

/// Text with other names.
using Renamed = std::map<std::string_view, std::string>;

/// Copies the text of a function, with other names, and without the numbers
/// that LLVM counts through the module.
class Rewriter {
public:
  explicit Rewriter(const Renamed &renamed) : renamed(renamed) {}

  std::string operator()(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (size_t i = 0; i < text.size();) {
      size_t end = i;
      while (end < text.size() && is_of_name(text[end]))
        ++end;
      if (end > i) {
        add_name(text.substr(i, end - i), result);
      } else if (starts_with(text.substr(i), "// callseq")) {
        end = std::min(text.find('\n', i), text.size());
      } else {
        result += text[end++];
      }
      i = end;
    }
    return result;
  }

private:
  void add_name(std::string_view name, std::string &result) {
    if (const auto found = renamed.find(name); found != renamed.end()) {
      result += found->second;
      return;
    }
    if (starts_with(name, "$L__BB")) { // $L__BB<function>_<block>
      result += "$L__BB0";
      result += name.substr(std::min(name.find('_', 6), name.size()));
      return;
    }
    for (std::string_view counted : {"$L_brx_", "prototype_", "__local_depot"})
      if (starts_with(name, counted) &&
          name.find_first_not_of("0123456789", counted.size()) == name.npos) {
        const size_t number =
            numbers.emplace(name, numbers.size()).first->second;
        result += counted;
        result += std::to_string(number);
        return;
      }
    result += name;
  }

  const Renamed &renamed;
  std::map<std::string_view, size_t> numbers;
};

class Program {
public:
  explicit Program(std::string_view text) {
    const std::vector<std::string_view> lines = lines_of(text);
    for (size_t i = 0; i < lines.size();)
      i = read(lines, i);
    const std::string_view last = ".address_size 64\n";
    head = text.substr(0, text.find(last) + last.size());
    sort_variables();
    rename();
  }

  size_t size() const {
    size_t bytes = 0;
    for (const Function &function : functions)
      bytes += function.body.size();
    return bytes;
  }

  std::vector<std::string> parts(size_t part_size) const;

private:
  size_t read(const std::vector<std::string_view> &lines, size_t number) {
    if (const std::optional<Function> function =
            parse_function(lines, number)) {
      signatures.emplace(function->name, *function); // the declaration is first
      if (!function->body.empty())
        (function->kernel ? kernels : functions).push_back(*function);
      return function->end;
    }
    if (starts_with(lines[number], "\t.file\t"))
      files += std::string(lines[number]) + "\n";
    for (std::string_view space : {".global ", ".const "})
      if (const std::optional<Variable> variable =
              parse_variable(lines[number], number, space)) {
        variables.push_back(*variable);
        known.emplace(variable->name, variables.size() - 1);
      }
    return number + 1;
  }

  /// Sorts the variables by name, but so that each comes behind those that its
  /// initialiser names. LLVM's order differs from run to run.
  void sort_variables() {
    std::vector<size_t> levels(variables.size());
    // In LLVM's order a variable comes behind those that it names.
    for (size_t i = 0; i < variables.size(); ++i) {
      Names used;
      add_names(variables[i].initialiser, known, used);
      for (std::string_view name : used)
        levels[i] = std::max(levels[i], levels[known.at(name)] + 1);
    }
    std::vector<std::pair<size_t, Variable>> order;
    for (size_t i = 0; i < variables.size(); ++i)
      order.emplace_back(levels[i], variables[i]);
    std::sort(order.begin(), order.end(), [](const auto &a, const auto &b) {
      return std::tie(a.first, a.second.name) <
             std::tie(b.first, b.second.name);
    });
    for (size_t i = 0; i < variables.size(); ++i) {
      variables[i] = order[i].second;
      known[variables[i].name] = i;
    }
  }

  /// Chooses other names: for strings, whose names are numbers, and for
  /// functions that ptxas and nvlink would take for CUDA's own.
  void rename() {
    std::map<uint64_t, unsigned> same;
    for (const Variable &variable : variables)
      if (variable.linkage.empty() && starts_with(variable.name, "_$_str")) {
        const size_t end = variable.name.data() - variable.declaration.data();
        const uint64_t hash =
            hash_of(std::string(variable.declaration.substr(0, end)) +
                    std::string(variable.initialiser));
        char name[48];
        std::snprintf(name, sizeof(name), "str$%016llx$%u",
                      static_cast<unsigned long long>(hash), same[hash]++);
        renamed.emplace(variable.name, name);
      }
    for (const Function &function : functions)
      for (std::string_view cuda : {"malloc", "free", "vprintf"})
        if (function.name == cuda)
          renamed.emplace(cuda, std::string(cuda) + "$");
  }

  std::string with_names(std::string_view text) const {
    return Rewriter(renamed)(text);
  }

  /// A variable's declaration. LLVM writes .pred for a variable of one bit,
  /// which is a byte, and ptxas does not know that as an external one.
  std::string declaration_of(const Variable &variable) const {
    std::string text = with_names(variable.declaration);
    if (const size_t at = text.find(" .pred "); at != text.npos)
      text.replace(at, 7, " .u8 ");
    return text;
  }

  /// Declares the names, except those in `own`.
  std::string declare(const Names &names, const Names &own) const {
    std::string text;
    for (std::string_view name : names)
      if (const auto found = known.find(name); found != known.end())
        text += ".extern " + declaration_of(variables[found->second]) + ";\n";
      else if (!own.count(name))
        text +=
            ".extern " + with_names(signatures.at(name).signature) + "\n;\n";
    return text;
  }

  /// The module of some functions.
  std::string module_of(const std::vector<const Function *> &all) const {
    Names used, own;
    for (const Function *function : all) {
      own.insert(function->name);
      add_names(function->body, known, used);
      add_names(function->body, signatures, used);
    }
    std::string text = std::string(head) + declare(used, own);
    // In PTX a function is declared before it is called.
    for (const Function *function : all)
      if (!function->kernel)
        text += linkage_for(*function) +
                with_names(signatures.at(function->name).signature) + "\n;\n";
    for (const Function *function : all)
      text += linkage_for(*function) + with_names(function->signature) + "\n" +
              with_names(function->body) + "\n";
    return text + files;
  }

  template <typename Symbol>
  static std::string linkage_for(const Symbol &symbol) {
    return symbol.linkage == ".weak " ? ".weak " : ".visible ";
  }

  /// The module of all variables.
  std::string variables_module() const {
    Names used;
    for (const Variable &variable : variables)
      add_names(variable.initialiser, signatures, used);
    std::string text = std::string(head) + declare(used, {});
    for (const Variable &variable : variables) {
      const bool external = variable.linkage == ".extern ";
      text += (external ? ".extern " : linkage_for(variable)) +
              declaration_of(variable);
      if (!variable.initialiser.empty())
        text += " = " + with_names(variable.initialiser);
      text += ";\n";
    }
    return text;
  }

  std::string_view head;
  std::string files; ///< the names of the files of lines (.loc)
  std::vector<Function> functions, kernels; ///< definitions
  std::vector<Variable> variables;
  std::map<std::string_view, Function> signatures;
  std::map<std::string_view, size_t> known; ///< variables' numbers
  Renamed renamed;
};

std::vector<std::string> Program::parts(size_t part_size) const {
  std::vector<const Function *> all;
  for (const Function &kernel : kernels)
    all.push_back(&kernel);
  std::vector<std::string> parts = {module_of(all), variables_module()};
  all.clear();
  size_t bytes = 0;
  for (const Function &function : functions) {
    all.push_back(&function);
    bytes += function.body.size();
    if (bytes >= part_size || (bytes >= part_size / ENOUGH_SHARE &&
                               !(hash_of(function.name) & END_MASK))) {
      parts.push_back(module_of(all));
      all.clear();
      bytes = 0;
    }
  }
  if (!all.empty())
    parts.push_back(module_of(all));
  return parts;
}

} // namespace

std::vector<std::string> ptx_parts(std::string_view text, size_t least,
                                   size_t part_size) {
  auto has = [&](std::string_view what) {
    return text.find(what) != text.npos;
  };
  if (has(".section\t.debug_info") || has("\n.shared ") || has("\n.alias ") ||
      has("\n.visible .shared ") || !has(".entry _start(") ||
      !has(".address_size 64\n"))
    return {};
  const Program program(text);
  if (program.size() < least)
    return {};
  return program.parts(part_size);
}

} // namespace gpuexec
