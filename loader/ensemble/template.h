//===-- loader/ensemble/template.h - Texts with placeholders ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `{}` and its relatives, as GNU parallel has them:
//   {}            all words of the instance
//   {2} {-1}      its second word, its last one
//   {#} {%}       its number, from 1 on, and that of its slot
//   {.} {/} {//} {/.}  {} without its extension; its last part; its folder; its
//                 last part without the extension. So {2.}, {2/}, ...
//   {{x}}         stands for {x}
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_ENSEMBLE_TEMPLATE_H
#define GPUEXEC_LOADER_ENSEMBLE_TEMPLATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gpuexec::ensemble {

/// One run of the program.
struct Instance {
  uint64_t number = 0;            ///< from 1 on
  std::vector<std::string> words; ///< its own
  std::string origin;             ///< where they come from: "FILE:3"
  std::string name() const;       ///< "instance 7 (FILE:9)", for messages
};

class Template {
public:
  /// Errors: Failure when a placeholder is not known.
  static llvm::Expected<Template> parse(llvm::StringRef text);

  bool has_placeholder() const;
  /// True if it is `{}` and nothing else: it stands for any number of words.
  bool is_all_words() const;
  /// The text for an instance in a slot. Errors: Failure when it has too few
  /// words.
  llvm::Expected<std::string> fill(const Instance &instance,
                                   unsigned slot) const;

private:
  enum class Kind { literal, all_words, word, number, slot };
  /// What is taken of a word, which may be the name of a file.
  enum class Part { whole, no_extension, last, folder, last_no_extension };
  struct Piece {
    Kind kind = Kind::literal;
    std::string text; ///< of a literal
    int word = 0;     ///< which one; negative: from the end
    Part part = Part::whole;
  };
  static bool read_placeholder(llvm::StringRef inside, Piece &piece);
  static std::string take_part(llvm::StringRef word, Part part);
  void add_literal(llvm::StringRef text);
  std::vector<Piece> pieces;
};

/// The arguments of the program: those of the command line, with placeholders.
class Arguments {
public:
  static llvm::Expected<Arguments> parse(llvm::ArrayRef<std::string> texts);
  /// The arguments of an instance. Without any placeholder its words follow the
  /// other arguments.
  llvm::Expected<std::vector<std::string>> fill(const Instance &instance,
                                                unsigned slot) const;

private:
  std::vector<Template> templates;
  bool have_placeholder = false;
};

} // namespace gpuexec::ensemble

#endif
