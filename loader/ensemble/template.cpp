//===-- loader/ensemble/template.cpp - See template.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/template.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuexec::ensemble {
namespace {

/// Characters of placeholders, and of those that somebody may have meant. Other
/// texts in braces, as in JSON, are left as they are.
bool may_be_placeholder(llvm::StringRef inside) {
  return llvm::all_of(inside, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_./#%+-").contains(c);
  });
}

llvm::Error unknown_placeholder(llvm::StringRef inside) {
  return failure(Reason::failed,
                 "unknown placeholder '{{{0}}': there are {{}, {{1}, {{2} ..., "
                 "{{-1}, {{#}, {{%}, {{.}, {{/}, {{//}, {{/.} and {{1.} ...; "
                 "{{{{{0}}} stands for the text {{{0}}",
                 inside);
}

/// True if there is an instance's word with this number.
bool has_word(const Instance &instance, int number) {
  const int count = int(instance.words.size());
  return number > 0 ? number <= count : -number <= count;
}

} // namespace

std::string Instance::name() const {
  return "instance " + std::to_string(number) + " (" + origin + ")";
}

bool Template::read_placeholder(llvm::StringRef inside, Piece &piece) {
  piece.kind = inside == "#"   ? Kind::number
               : inside == "%" ? Kind::slot
                               : Kind::all_words;
  if (piece.kind != Kind::all_words)
    return true;
  const size_t digits = inside.find_first_not_of("0123456789", //
                                                 inside.starts_with("-"));
  if (const llvm::StringRef number = inside.substr(0, digits);
      !number.empty()) {
    piece.kind = Kind::word;
    if (!llvm::to_integer(number, piece.word, 10) || piece.word == 0)
      return false;
    inside = inside.substr(number.size());
  }
  constexpr std::pair<llvm::StringLiteral, Part> PARTS[] = {
      {"", Part::whole},
      {".", Part::no_extension},
      {"/", Part::last},
      {"//", Part::folder},
      {"/.", Part::last_no_extension}};
  for (const auto &[name, part] : PARTS)
    if (name == inside) {
      piece.part = part;
      return true;
    }
  return false;
}

void Template::add_literal(llvm::StringRef text) {
  if (pieces.empty() || pieces.back().kind != Kind::literal)
    pieces.emplace_back();
  pieces.back().text += text;
}

llvm::Expected<Template> Template::parse(llvm::StringRef text) {
  Template result;
  while (!text.empty()) {
    const size_t brace = text.find('{');
    if (brace != 0) {
      result.add_literal(text.substr(0, brace));
      text = text.substr(std::min(brace, text.size()));
      continue;
    }
    const bool is_doubled = text.starts_with("{{");
    const size_t begin = is_doubled ? 2 : 1, end = text.find('}', begin);
    const llvm::StringRef inside = text.slice(begin, end);
    const bool is_closed =
        end != text.npos && (!is_doubled || text.substr(end).starts_with("}}"));
    if (!is_closed || !may_be_placeholder(inside)) {
      result.add_literal("{");
      text = text.drop_front();
      continue;
    }
    text = text.substr(end + begin);
    if (is_doubled) {
      result.add_literal(("{" + inside + "}").str());
      continue;
    }
    Piece piece;
    if (!read_placeholder(inside, piece))
      return unknown_placeholder(inside);
    result.pieces.push_back(std::move(piece));
  }
  return result;
}

bool Template::has_placeholder() const {
  return llvm::any_of(
      pieces, [](const Piece &piece) { return piece.kind != Kind::literal; });
}

bool Template::is_all_words() const {
  return pieces.size() == 1 && pieces[0].kind == Kind::all_words &&
         pieces[0].part == Part::whole;
}

std::string Template::take_part(llvm::StringRef word, Part part) {
  const size_t slash = word.rfind('/');
  if (part == Part::folder)
    return slash == word.npos ? "."
           : slash == 0       ? "/"
                              : word.substr(0, slash).str();
  const llvm::StringRef folder =
      word.take_front(slash == word.npos ? 0 : slash + 1);
  llvm::StringRef last = word.drop_front(folder.size());
  const size_t dot = last.rfind('.');
  const bool cuts =
      part == Part::no_extension || part == Part::last_no_extension;
  if (cuts && dot != last.npos && dot + 1 < last.size())
    last = last.take_front(dot);
  const bool keeps_folder = part == Part::whole || part == Part::no_extension;
  return ((keeps_folder ? folder : "") + last).str();
}

llvm::Expected<std::string> Template::fill(const Instance &instance,
                                           unsigned slot) const {
  std::string text;
  for (const Piece &piece : pieces)
    switch (piece.kind) {
    case Kind::literal:
      text += piece.text;
      break;
    case Kind::number:
      text += std::to_string(instance.number);
      break;
    case Kind::slot:
      text += std::to_string(slot);
      break;
    case Kind::all_words:
      text += take_part(llvm::join(instance.words, " "), piece.part);
      break;
    case Kind::word:
      if (!has_word(instance, piece.word))
        return failure(Reason::failed, "{0}: {{{1}} asks for more than {2} {3}",
                       instance.name(), piece.word, instance.words.size(),
                       instance.words.size() == 1 ? "word" : "words");
      text +=
          take_part(instance.words[piece.word > 0 ? size_t(piece.word - 1)
                                                  : instance.words.size() -
                                                        size_t(-piece.word)],
                    piece.part);
      break;
    }
  return text;
}

llvm::Expected<Arguments> Arguments::parse(llvm::ArrayRef<std::string> texts) {
  Arguments result;
  for (const std::string &text : texts) {
    llvm::Expected<Template> parsed = Template::parse(text);
    if (!parsed)
      return parsed.takeError();
    result.have_placeholder |= parsed->has_placeholder();
    result.templates.push_back(std::move(*parsed));
  }
  return result;
}

llvm::Expected<std::vector<std::string>>
Arguments::fill(const Instance &instance, unsigned slot) const {
  std::vector<std::string> arguments;
  for (const Template &text : templates) {
    if (text.is_all_words()) {
      llvm::append_range(arguments, instance.words);
      continue;
    }
    llvm::Expected<std::string> filled = text.fill(instance, slot);
    if (!filled)
      return filled.takeError();
    arguments.push_back(std::move(*filled));
  }
  if (!have_placeholder)
    llvm::append_range(arguments, instance.words);
  return arguments;
}

} // namespace gpuexec::ensemble
