//===-- toolchain/ptx/text.cpp - See text.h -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/ptx/text.h"
#include <algorithm>

namespace gpuexec::ptx {

bool is_of_name(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
         ('0' <= c && c <= '9') || c == '_' || c == '$' || c == '.';
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string_view linkage_of(std::string_view line) {
  for (std::string_view linkage :
       {".visible ", ".weak ", ".internal ", ".extern "})
    if (line.substr(0, linkage.size()) == linkage)
      return linkage;
  return "";
}

static std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  return text;
}

/// The name of a function, from what follows `.func`.
static std::string_view name_of_function(std::string_view text) {
  text = without_spaces(text);
  if (!text.empty() && text.front() == '(') // the returned value
    text = without_spaces(
        text.substr(std::min(text.find(')'), text.size() - 1) + 1));
  size_t length = 0;
  while (length < text.size() && is_of_name(text[length]))
    ++length;
  return text.substr(0, length);
}

std::optional<Variable> parse_variable(std::string_view line, size_t number,
                                       std::string_view space) {
  const std::string_view linkage = linkage_of(line);
  std::string_view text = line.substr(linkage.size());
  if (text.substr(0, space.size()) != space || text.back() != ';')
    return std::nullopt;
  text.remove_suffix(1);
  Variable variable{number, linkage, "", text, ""};
  if (const size_t at = text.find(" = "); at != std::string_view::npos) {
    variable.declaration = text.substr(0, at);
    variable.initialiser = text.substr(at + 3);
  }
  const std::string_view all = variable.declaration;
  const size_t end = std::min(all.find('['), all.size());
  const size_t before = all.rfind(' ', end);
  variable.name = all.substr(before + 1, end - before - 1);
  return variable;
}

std::optional<Function>
parse_function(const std::vector<std::string_view> &lines, size_t first) {
  const std::string_view linkage = linkage_of(lines[first]);
  const std::string_view rest = lines[first].substr(linkage.size());
  const bool kernel = rest.substr(0, 6) == ".entry";
  if (!kernel && rest.substr(0, 5) != ".func")
    return std::nullopt;
  size_t end = first;
  while (end < lines.size() && lines[end].substr(0, 1) != "{" &&
         lines[end].substr(0, 1) != ";" &&
         (lines[end].empty() || lines[end].back() != ';'))
    ++end;
  if (end == lines.size())
    return std::nullopt;
  const bool defined = lines[end].substr(0, 1) == "{";
  const bool same_line = !defined && lines[end].substr(0, 1) != ";";
  const char *last = same_line ? &lines[end].back() : lines[end].data();
  std::string_view signature(rest.data(), size_t(last - rest.data()));
  if (!signature.empty() && signature.back() == '\n')
    signature.remove_suffix(1);
  std::string_view body;
  if (defined) {
    const char *begin = lines[end].data();
    while (end < lines.size() && lines[end].substr(0, 1) != "}")
      ++end;
    if (end == lines.size())
      return std::nullopt;
    body = {begin, size_t(lines[end].data() + lines[end].size() - begin)};
  }
  return Function{first,     end + 1,
                  linkage,   name_of_function(rest.substr(kernel ? 6 : 5)),
                  signature, body,
                  kernel};
}

} // namespace gpuexec::ptx
