//===-- toolchain/gpucc/cuda_uses.cpp - See cuda_uses.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/gpucc/cuda_uses.h"

#include <cctype>
#include <set>
#include <string_view>

namespace gpuexec {

namespace {

constexpr size_t MOST_FILES = 200;

bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

size_t skip_spaces(std::string_view text, size_t at) {
  while (at < text.size() && isspace((unsigned char)text[at]))
    ++at;
  return at;
}

/// The word that ends before `end`, spaces between left out.
std::string_view word_before(std::string_view text, size_t end) {
  while (end && isspace((unsigned char)text[end - 1]))
    --end;
  size_t begin = end;
  while (begin && is_name(text[begin - 1]))
    --begin;
  return text.substr(begin, end - begin);
}

struct Found {
  bool uses = false;    ///< `name<`
  bool defines = false; ///< `class name` or `struct name`
};

void look_for(std::string_view name, std::string_view text, Found &found) {
  for (size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at && is_name(text[at - 1])) ||
        (end < text.size() && is_name(text[end])))
      continue;
    const std::string_view before = word_before(text, at);
    if (before == "class" || before == "struct")
      found.defines = true;
    const size_t next = skip_spaces(text, end);
    // Not a member, and not another namespace's.
    const bool is_bare =
        at == 0 || (text[at - 1] != ':' && text[at - 1] != '.');
    if (next < text.size() && text[next] == '<' && is_bare)
      found.uses = true;
  }
}

/// The names in the text's lines of `#include "name"`.
std::vector<std::string> included(std::string_view text) {
  std::vector<std::string> names;
  for (size_t at = text.find('#'); at != std::string_view::npos;
       at = text.find('#', at + 1)) {
    size_t next = skip_spaces(text, at + 1);
    if (text.substr(next, 7) != "include")
      continue;
    next = skip_spaces(text, next + 7);
    const size_t end = text.find_first_of("\"\n", next + 1);
    if (next < text.size() && text[next] == '"' &&
        end != std::string_view::npos && text[end] == '"')
      names.emplace_back(text.substr(next + 1, end - next - 1));
  }
  return names;
}

std::string folder_of(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

} // namespace

CudaUses cuda_uses(const std::string &source,
                   const std::vector<std::string> &folders,
                   const Machine &machine) {
  Found texture, surface;
  bool managed = false;
  std::set<std::string> seen = {source};
  std::vector<std::string> left = {source};
  size_t files = 0;
  while (!left.empty() && files < MOST_FILES) {
    const std::string path = left.back();
    left.pop_back();
    const std::string text = machine.text_of(path);
    files += !text.empty(); // most places have no such file
    look_for("texture", text, texture);
    look_for("surface", text, surface);
    managed |= text.find("__managed__") != std::string::npos;
    for (const std::string &name : included(text)) {
      std::vector<std::string> places = {folder_of(path) + name};
      for (std::string folder : folders)
        places.push_back(folder.append("/").append(name));
      for (const std::string &place : places)
        if (seen.insert(place).second)
          left.push_back(place);
    }
  }
  return {(texture.uses && !texture.defines) ||
              (surface.uses && !surface.defines),
          managed};
}

std::vector<std::string>
include_folders(const std::vector<std::string> &options) {
  std::vector<std::string> folders;
  for (size_t i = 0; i < options.size(); ++i)
    for (const char *option : {"-I", "-iquote"}) {
      const std::string &word = options[i];
      if (word == option && i + 1 < options.size())
        folders.push_back(options[i + 1]);
      else if (word.starts_with(option) && word != option)
        folders.push_back(word.substr(std::string(option).size()));
    }
  return folders;
}

} // namespace gpuexec
