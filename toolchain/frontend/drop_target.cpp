//===-- toolchain/frontend/drop_target.cpp - Combined directives ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When clang compiles for a device, a target region is executed by the thread
// that reaches it. That is right here, since the thread is on the device. But
// of a combined directive ("target teams distribute parallel for") clang keeps
// only the innermost statement, and the loop would run in one thread. So this
// code rewrites the directive before it is parsed to the inner one ("parallel
// for"), without the clauses of target and teams: gpuexec has one team, and
// they have no effect. Likewise "target update" becomes a flush: there is one
// copy of each variable. And where a program requires unified_shared_memory,
// which it has here, clang would reach variables by addresses that the host's
// runtime fills in: the requirement becomes another one without an effect.
//===----------------------------------------------------------------------===//
#include "drop_target.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using clang::Token;
using llvm::StringRef;
using Tokens = llvm::SmallVector<Token, 32>;

namespace {

/// Is it a word of a combined directive that begins with "target"?
bool is_word(StringRef text) {
  for (StringRef word :
       {"target", "teams", "distribute", "parallel", "for", "simd", "loop"})
    if (text == word)
      return true;
  return false;
}

/// Is it a word that is removed from the directive?
bool is_outer_word(StringRef text) {
  return text == "target" || text == "teams" || text == "distribute";
}

/// Is it a clause that no inner directive takes?
bool is_outer_clause(StringRef text) {
  for (StringRef clause :
       {"map", "device", "nowait", "depend", "defaultmap", "is_device_ptr",
        "has_device_addr", "uses_allocators", "num_teams", "thread_limit",
        "dist_schedule", "ompx_dyn_cgroup_mem"})
    if (text == clause)
      return true;
  return false;
}

class Callbacks : public clang::PPCallbacks {
public:
  explicit Callbacks(clang::Preprocessor &preprocessor)
      : preprocessor(preprocessor) {}

  /// clang calls this before it has read what follows "#pragma".
  void PragmaDirective(clang::SourceLocation,
                       clang::PragmaIntroducerKind) override {
    if (!is_openmp())
      return;
    Tokens read;
    preprocessor.LexUnexpandedToken(read.emplace_back()); // omp
    while (read.back().isNot(clang::tok::eod) &&
           read.back().isNot(clang::tok::eof))
      preprocessor.Lex(read.emplace_back());
    give_back(rewritten(read));
  }

private:
  /// Is the next word "omp"? Looks ahead without consuming it.
  bool is_openmp() const {
    const auto *lexer =
        static_cast<const clang::Lexer *>(preprocessor.getCurrentLexer());
    if (!lexer)
      return false;
    const char *at = lexer->getBufferLocation();
    const char *const end = lexer->getBuffer().end();
    while (at != end && (*at == ' ' || *at == '\t'))
      ++at;
    const StringRef left(at, size_t(end - at));
    return left.starts_with("omp") && left.size() > 3 &&
           !llvm::isAlnum(left[3]) && left[3] != '_';
  }

  /// The word that a token is, or "".
  std::string text(const Token &token) const {
    return token.isAnyIdentifier() || token.getIdentifierInfo()
               ? preprocessor.getSpelling(token)
               : std::string();
  }

  /// The index after the clause at `at`, a name and an optional list in
  /// parentheses.
  size_t end_of_clause(const Tokens &read, size_t at) const {
    if (read[++at].isNot(clang::tok::l_paren))
      return at;
    for (unsigned depth = 0; at + 1 < read.size(); ++at) {
      depth += read[at].is(clang::tok::l_paren);
      depth -= read[at].is(clang::tok::r_paren);
      if (!depth)
        return at + 1;
    }
    return at;
  }

  /// Is the clause at `at` removed?
  bool is_dropped(const Tokens &read, size_t at) const {
    const std::string name = text(read[at]);
    if (is_outer_clause(name))
      return true;
    // if(target : ...)
    return name == "if" && at + 3 < read.size() &&
           is_outer_word(text(read[at + 2])) &&
           read[at + 3].is(clang::tok::colon);
  }

  /// A token in the place of `from` that is another word. clang's parser asks
  /// for its spelling.
  Token word(const Token &from, StringRef text) const {
    Token made;
    made.startToken();
    made.setKind(clang::tok::raw_identifier);
    preprocessor.CreateString(text, made, from.getLocation(),
                              from.getLocation());
    preprocessor.LookUpIdentifierInfo(made);
    return made;
  }

  bool has(const Tokens &read, StringRef clause) const {
    return llvm::any_of(
        read, [&](const Token &token) { return text(token) == clause; });
  }

  /// "requires" with each requirement that the file has not named before, and
  /// unified_shared_memory replaced by another one. What is named already, by
  /// gpuexec's own header too, is left out.
  Tokens new_requirements(const Tokens &read) {
    Tokens kept;
    for (const Token &token : read) {
      StringRef name;
      for (StringRef known : {"unified_shared_memory", "unified_address",
                              "dynamic_allocators", "reverse_offload"})
        if (text(token) == known)
          name = known == "unified_shared_memory" ? "unified_address" : known;
      if (name.empty() || required.insert(name).second)
        kept.push_back(name.empty() ? token : word(token, name));
      else if (kept.back().is(clang::tok::comma))
        kept.pop_back();
    }
    // Only "omp requires" and the end are left: "#pragma region" does nothing.
    return kept.size() > 3 ? kept
                           : Tokens{word(read[0], "region"), read.back()};
  }

  /// The tokens of the inner directive if `read` is a combined one, otherwise
  /// `read`. The last token of either ends the directive.
  Tokens rewritten(const Tokens &read) {
    if (read.size() > 2 && text(read[1]) == "requires")
      return new_requirements(read);
    // One with dependences is a task's, which clang orders.
    if (read.size() > 2 && text(read[1]) == "target" &&
        text(read[2]) == "update" && !has(read, "depend"))
      return {read[0], word(read[1], "flush"), read.back()};
    size_t clauses = 1;
    bool parallel = false;
    for (; clauses < read.size() && is_word(text(read[clauses])); ++clauses)
      parallel |= text(read[clauses]) == "parallel";
    if (!parallel || text(read[1]) != "target")
      return read;
    Tokens kept = {read[0]};
    for (size_t i = 1; i < clauses; ++i)
      if (!is_outer_word(text(read[i])))
        kept.push_back(read[i]);
    for (size_t at = clauses; at + 1 < read.size();) {
      if (read[at].is(clang::tok::comma)) {
        ++at;
        continue;
      }
      const size_t end = end_of_clause(read, at);
      if (!is_dropped(read, at))
        kept.append(read.begin() + at, read.begin() + end);
      at = end;
    }
    kept.push_back(read.back());
    return kept;
  }

  /// Lets clang read these tokens next.
  void give_back(const Tokens &tokens) {
    auto copy = std::make_unique<Token[]>(tokens.size());
    std::copy(tokens.begin(), tokens.end(), copy.get());
    preprocessor.EnterTokenStream(std::move(copy), unsigned(tokens.size()),
                                  /*DisableMacroExpansion=*/true,
                                  /*IsReinject=*/true);
  }

  clang::Preprocessor &preprocessor;
  llvm::StringSet<> required; ///< requirements that have been named so far
};

} // namespace

void gpuexec::drop_target(clang::Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<Callbacks>(preprocessor));
}
