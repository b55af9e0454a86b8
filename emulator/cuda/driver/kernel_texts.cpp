//===-- emulator/cuda/driver/kernel_texts.cpp - See kernel_texts.h --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/kernel_texts.h"
#include "gpu/start_up.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using llvm::StringRef;

namespace gpuexec::cuda {

namespace {

/// Characters of names and of directives (PTX ISA, "Identifiers").
bool is_name_character(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/// Steps over blanks and comments.
void skip_blanks(StringRef &text) {
  for (;;) {
    text = text.ltrim();
    size_t end;
    if (text.starts_with("//"))
      end = text.find('\n');
    else if (text.starts_with("/*"))
      end = text.find("*/", 2);
    else
      return;
    text = text.drop_front(std::min(end, text.size()));
    text.consume_front("*/");
  }
}

/// Takes the next token: a word, a text in quotes, or one character. Empty at
/// the end.
StringRef take_token(StringRef &text) {
  skip_blanks(text);
  size_t size = 0;
  if (text.starts_with("\"")) {
    const size_t end = text.find('"', 1);
    size = end == StringRef::npos ? text.size() : end + 1;
  } else {
    while (size < text.size() && is_name_character(text[size]))
      ++size;
    size = std::max<size_t>(size, !text.empty());
  }
  const StringRef token = text.take_front(size);
  text = text.drop_front(size);
  return token;
}

/// Steps over a statement or a definition: to the first `;` that is in no
/// braces, or the brace that closes the first one that opens a body. Braces
/// behind `=` are values. False at the end of the text.
bool skip_item(StringRef &text) {
  bool has_values = false;
  for (unsigned depth = 0;;) {
    const StringRef token = take_token(text);
    if (token.empty())
      return false;
    has_values |= token == "=";
    depth += token == "{";
    if (token == "}" && (depth == 0 || (--depth == 0 && !has_values)))
      return true;
    if (token == ";" && depth == 0)
      return true;
  }
}

/// A directive that ends with its line.
bool is_line(StringRef word) {
  return word == ".version" || word == ".target" || word == ".address_size" ||
         word == ".file" || word == ".pragma";
}

/// The name that a declaration gives: the last word before its parameters,
/// dimensions, values or end.
StringRef name_of_variable(StringRef text) {
  StringRef name;
  for (;;) {
    const StringRef token = take_token(text);
    if (token.empty() || token == ";" || token == "[" || token == "=")
      return name;
    name = token;
  }
}

/// `.func (.param .b32 result) name (...)`, `.entry name (...)`.
StringRef name_of_function(StringRef text) {
  StringRef token = take_token(text);
  while (!token.empty() && token != ".func" && token != ".entry")
    token = take_token(text);
  token = take_token(text);
  if (token == "(") {
    while (!token.empty() && token != ")")
      token = take_token(text);
    token = take_token(text);
  }
  return token;
}

/// The declaration of a variable that another text defines.
std::string declared_elsewhere(StringRef text) {
  std::string made = ".extern";
  for (;;) {
    const StringRef token = take_token(text);
    if (token.empty() || token == ";" || token == "=")
      return made + ";\n";
    if (token != ".visible" && token != ".weak" && token != ".common" &&
        token != ".extern")
      made += " " + token.str();
  }
}

/// Do the words make a variable of which this knows enough? One name, in
/// memory or in the memory of a block, no texture.
bool is_plain_variable(StringRef text, bool &is_shared) {
  bool is_in_memory = false, has_values = false;
  for (StringRef token = take_token(text); !token.empty();
       token = take_token(text)) {
    is_shared |= token == ".shared";
    is_in_memory |= token == ".global" || token == ".const";
    has_values |= token == "=";
    if (token == ".attribute" || token == ".texref" || token == ".surfref" ||
        token == ".samplerref" || (token == "," && !has_values))
      return false;
  }
  return is_shared != is_in_memory;
}

} // namespace

std::unique_ptr<KernelTexts> KernelTexts::divide(std::string ptx) {
  // A program of gpucc's own C library is one kernel and its host's.
  for (const char *word : {GPUEXEC_RPC_CLIENT, ".callprototype", ".calltargets",
                           ".alias", ".section"})
    if (ptx.find(word) != ptx.npos)
      return nullptr;
  std::unique_ptr<KernelTexts> made(new KernelTexts(std::move(ptx)));
  return made->read() && made->find_uses() ? std::move(made) : nullptr;
}

bool KernelTexts::read() {
  StringRef rest = ptx;
  for (skip_blanks(rest); !rest.empty(); skip_blanks(rest))
    if (!read_item(rest))
      return false;
  size_t kernel_count = 0, variable_count = 0;
  for (size_t at = 0; at < items.size(); ++at) {
    const Item &item = items[at];
    kernel_count += item.kind == Item::kernel;
    variable_count += item.kind == Item::variable;
    if (item.kind != Item::heading)
      by_name[item.name].push_back(at);
  }
  return kernel_count && kernel_count + variable_count > 1;
}

bool KernelTexts::read_item(StringRef &rest) {
  Item item;
  const char *begin = rest.begin();
  StringRef ahead = rest;
  const StringRef first = take_token(ahead);
  if (is_line(first)) {
    // A second text behind the first one is for a linker.
    if (first == ".version" && !items.empty())
      return false;
    rest = rest.drop_front(std::min(rest.find('\n'), rest.size()));
    item.text = StringRef(begin, size_t(rest.begin() - begin));
    items.push_back(item);
    return true;
  }
  if (!first.starts_with(".") || !skip_item(rest))
    return false;
  item.text = StringRef(begin, size_t(rest.begin() - begin));
  bool is_function = false, is_entry = false;
  for (StringRef head = item.text, token = take_token(head);
       token.starts_with("."); token = take_token(head)) {
    is_function |= token == ".func";
    is_entry |= token == ".entry";
  }
  if (is_function || is_entry) {
    item.kind = item.text.ends_with(";") ? Item::declaration
                : is_entry               ? Item::kernel
                                         : Item::function;
    item.name = name_of_function(item.text);
  } else {
    bool is_shared = false;
    if (!is_plain_variable(item.text, is_shared))
      return false;
    item.kind = is_shared ? Item::shared : Item::variable;
    item.name = name_of_variable(item.text);
  }
  items.push_back(item);
  return !item.name.empty();
}

bool KernelTexts::find_uses() {
  for (Item &item : items)
    if (item.kind != Item::heading && !find_uses_of(item))
      return false;
  return true;
}

/// False where a function's name stands for its address.
bool KernelTexts::find_uses_of(Item &item) {
  llvm::SmallDenseSet<size_t, 8> found;
  bool is_call = false, begins = true;
  StringRef rest = item.text;
  for (StringRef token = take_token(rest); !token.empty();
       token = take_token(rest)) {
    if (token == ";" || token == "{" || token == "}" || token == ":") {
      begins = true;
      is_call = false;
      continue;
    }
    const bool is_guard =
        begins && (token == "@" || token == "!" || token.starts_with("%"));
    if (begins && !is_guard) {
      is_call = token == "call" || token.starts_with("call.");
      begins = false;
    }
    const auto known = by_name.find(token);
    if (known == by_name.end() || token == item.name)
      continue;
    for (size_t at : known->second) {
      const Item::Kind kind = items[at].kind;
      if (kind != Item::shared && kind != Item::variable && !is_call)
        return false;
      found.insert(at);
    }
  }
  item.uses.assign(found.begin(), found.end());
  return true;
}

std::vector<std::string> KernelTexts::kernels() const {
  std::vector<std::string> names;
  for (const Item &item : items)
    if (item.kind == Item::kernel)
      names.push_back(item.name.str());
  return names;
}

std::string KernelTexts::text_of(StringRef kernel) const {
  llvm::SmallVector<size_t, 16> due;
  if (const auto known = by_name.find(kernel); known != by_name.end())
    for (size_t at : known->second)
      if (items[at].kind == Item::kernel)
        due.push_back(at);
  if (due.empty())
    return "";
  llvm::DenseSet<size_t> needed(due.begin(), due.end());
  while (!due.empty())
    for (size_t at : items[due.pop_back_val()].uses)
      if (needed.insert(at).second && items[at].kind != Item::variable)
        due.push_back(at);
  // Without lines the same template of two programs is the same text.
  const bool has_lines =
      std::any_of(needed.begin(), needed.end(), [&](size_t at) {
        return items[at].text.contains(".loc\t") ||
               items[at].text.contains(".loc ");
      });
  std::string text;
  for (size_t at = 0; at < items.size(); ++at) {
    const Item &item = items[at];
    if (item.kind == Item::heading
            ? !has_lines && item.text.starts_with(".file")
            : !needed.contains(at))
      continue;
    text += item.kind == Item::variable ? declared_elsewhere(item.text)
                                        : item.text.str() + "\n";
  }
  return text;
}

std::string KernelTexts::variables() const {
  std::string text;
  bool is_any = false;
  for (const Item &item : items) {
    is_any |= item.kind == Item::variable;
    if (item.kind == Item::variable || item.kind == Item::heading)
      text += item.text.str() + "\n";
  }
  return is_any ? text : "";
}

} // namespace gpuexec::cuda
