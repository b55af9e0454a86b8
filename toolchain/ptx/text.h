//===-- toolchain/ptx/text.h - Reading PTX as LLVM writes it ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What splitters of modules share. All views are parts of the module's text.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_PTX_TEXT_H
#define GPUEXEC_TOOLCHAIN_PTX_TEXT_H

#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace gpuexec::ptx {

using Names = std::set<std::string_view>;

/// Is the character one of names, of instructions included?
bool is_of_name(char c);

std::vector<std::string_view> lines_of(std::string_view text);

/// The directive of linkage at the start of a line, with the space behind it;
/// "" for a symbol of the module's own.
std::string_view linkage_of(std::string_view line);

/// A variable of the module; each is on a line of its own.
struct Variable {
  size_t line;
  std::string_view linkage, name;
  std::string_view declaration; ///< ".global .align 8 .u64 table[2]"
  std::string_view initialiser; ///< "{...}"; "" without one
};

/// The variable on a line; nothing where there is another thing, or a variable
/// in another space than `space` (".global ").
std::optional<Variable> parse_variable(std::string_view line, size_t number,
                                       std::string_view space);

/// A declaration or definition of a function or kernel.
struct Function {
  size_t first; ///< its first line
  size_t end;   ///< the line behind it
  std::string_view linkage;
  std::string_view name;
  std::string_view signature; ///< without linkage, body and last newline
  std::string_view body;      ///< "{...}"; "" for a declaration
  bool kernel;
};

/// The function that begins at a line; nothing where there is another thing, or
/// where its end is missing.
std::optional<Function>
parse_function(const std::vector<std::string_view> &lines, size_t first);

/// Adds the names in a text to `names`, if `known` has them.
template <typename Known>
void add_names(std::string_view text, const Known &known, Names &names) {
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_of_name(text[end]))
      ++end;
    if (end > i && known.find(text.substr(i, end - i)) != known.end())
      names.insert(text.substr(i, end - i));
    i = end + 1;
  }
}

} // namespace gpuexec::ptx

#endif
