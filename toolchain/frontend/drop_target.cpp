//===-- toolchain/frontend/drop_target.cpp - Combined directives ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When clang compiles for a device, a target region is executed by the thread
// that reaches it. That is right here, since the thread is on the device. But
// of a combined directive ("target teams distribute parallel for") clang keeps
// only the innermost statement, and the loop would run in one thread. So this
// code makes two directives of it before it is parsed: "target", with the
// clauses of data, and the inner one ("parallel for") with its own clauses.
// Those of teams have no effect, because gpuexec has one team; a limit of the
// team's threads becomes the number of threads.
//
// Programs see the GPU as the host of OpenMP, which has no other device, so
//   - target update becomes a flush: there is one copy of each variable,
//   - declare target is of every function and variable already: what it says
//     of links and of kinds of devices has no effect,
//   - the device has the kind "host" where variants and metadirectives ask,
//   - unified_shared_memory, which the program has here, becomes another
//     requirement without an effect: clang would reach variables by addresses
//     that the host's runtime fills in.
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

bool is_one_of(StringRef text, std::initializer_list<StringRef> words) {
  return llvm::is_contained(words, text);
}

/// Does the directive stand among declarations?
bool is_declarative(StringRef word) {
  return is_one_of(word, {"allocate", "assumes", "begin", "declare", "end",
                          "groupprivate", "requires", "threadprivate"});
}

/// Is it a word of a combined directive that begins with "target"?
bool is_word(StringRef text) {
  return is_one_of(text, {"target", "teams", "distribute", "parallel", "for",
                          "simd", "loop"});
}

/// Is it a word that is removed from the directive?
bool is_outer_word(StringRef text) {
  return is_one_of(text, {"target", "teams", "distribute"});
}

/// Is it a clause of target that says which data the region shares?
bool is_data_clause(StringRef text) {
  return is_one_of(text,
                   {"map", "defaultmap", "is_device_ptr", "has_device_addr"});
}

/// Is it a clause without an effect that no inner directive takes?
bool is_outer_clause(StringRef text) {
  return is_one_of(text, {"device", "nowait", "depend", "uses_allocators",
                          "num_teams", "thread_limit", "dist_schedule",
                          "in_reduction", "ompx_dyn_cgroup_mem"});
}

/// Is it a clause that changes the variables in its list? Then the target
/// region shares them.
bool is_result_clause(StringRef text) {
  return is_one_of(text, {"reduction", "lastprivate", "linear"});
}

class Callbacks : public clang::PPCallbacks {
public:
  Callbacks(clang::Preprocessor &preprocessor,
            std::shared_ptr<gpuexec::DeclareTarget> declare_target)
      : preprocessor(preprocessor), declare_target(std::move(declare_target)) {}

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
    if (read.size() > 1 && !is_declarative(text(read[1])))
      declare_target->suspend();
    if (read.size() > 1 && text(read[1]) == "taskgraph")
      refuse(read[1]);
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

  /// clang would crash at the directive.
  void refuse(const Token &name) const {
    clang::DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
    diagnostics.Report(name.getLocation(),
                       diagnostics.getCustomDiagID(
                           clang::DiagnosticsEngine::Error,
                           "clang 22 cannot compile 'taskgraph'; without the "
                           "directive its tasks are made anew each time"));
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

  /// Is the clause at `at` if(target : ...)?
  bool is_outer_if(const Tokens &read, size_t at) const {
    return text(read[at]) == "if" && at + 3 < read.size() &&
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

  /// The index of the clause of that name, behind the directive's words; 0 if
  /// there is none.
  size_t find_clause(const Tokens &read, StringRef name) const {
    size_t at = 1;
    while (at < read.size() && is_word(text(read[at])))
      ++at;
    for (; at + 1 < read.size(); at = end_of_clause(read, at))
      if (text(read[at]) == name)
        return at;
    return 0;
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

  /// "declare target" without what is of other devices only.
  Tokens new_declaration(const Tokens &read) const {
    Tokens kept;
    for (size_t at = 0; at < read.size();)
      if (text(read[at]) == "device_type") {
        at = end_of_clause(read, at);
        if (kept.back().is(clang::tok::comma))
          kept.pop_back();
      } else {
        kept.push_back(text(read[at]) == "link" ? word(read[at], "to")
                                                : read[at]);
        ++at;
      }
    return kept;
  }

  /// The directive with the other kind of device in selectors.
  Tokens with_host(Tokens read) const {
    for (size_t at = 2; at + 3 < read.size(); ++at)
      if (text(read[at]) == "kind" && read[at + 1].is(clang::tok::l_paren))
        for (size_t end = end_of_clause(read, at); at < end; ++at)
          if (text(read[at]) == "host")
            read[at] = word(read[at], "nohost");
          else if (text(read[at]) == "nohost")
            read[at] = word(read[at], "host");
    return read;
  }

  /// The variables of the list of the clause at `at` that are names. `known`:
  /// those of other lists, to which these are added.
  void add_names(const Tokens &read, size_t at, Tokens &names,
                 llvm::StringSet<> &known) const {
    const size_t end = end_of_clause(read, at);
    size_t first = at + 2;
    if (text(read[at]) != "linear") // behind "reduction(task, + :"
      for (size_t i = first; i < end; ++i)
        if (read[i].is(clang::tok::colon)) {
          first = i + 1;
          break;
        }
    for (size_t i = first; i + 1 < end; ++i)
      if (read[i].is(clang::tok::identifier) &&
          (i == first || read[i - 1].is(clang::tok::comma)) &&
          (read[i + 1].is(clang::tok::comma) ||
           read[i + 1].is(clang::tok::r_paren)) &&
          known.insert(text(read[i])).second)
        names.push_back(read[i]);
  }

  Token number(const Token &from, StringRef digits) const {
    Token made = token(from, clang::tok::numeric_constant);
    preprocessor.CreateString(digits, made, from.getLocation(),
                              from.getLocation());
    return made;
  }

  static Token token(const Token &from, clang::tok::TokenKind kind) {
    Token made;
    made.startToken();
    made.setKind(kind);
    made.setLocation(from.getLocation());
    return made;
  }

  /// Appends "map(tofrom : names)".
  void append_map(Tokens &to, const Tokens &names) const {
    if (names.empty())
      return;
    const Token place = names.front();
    to.append({word(place, "map"), token(place, clang::tok::l_paren),
               word(place, "tofrom"), token(place, clang::tok::colon)});
    for (const Token &name : names) {
      to.push_back(name);
      to.push_back(token(place, clang::tok::comma));
    }
    to.back().setKind(clang::tok::r_paren);
  }

  /// "target" and the inner directive, in the place of a combined one whose
  /// clauses begin at `clauses`. clang's parser gets the second one as what its
  /// preprocessor makes of a directive.
  Tokens split(const Tokens &read, size_t clauses) const {
    Tokens target = {read[0], read[1]}, inner, names;
    llvm::StringSet<> known;
    for (size_t i = 1; i < clauses; ++i)
      if (!is_outer_word(text(read[i])))
        inner.push_back(read[i]);
    for (size_t at = clauses; at + 1 < read.size();
         at = end_of_clause(read, at))
      if (is_data_clause(text(read[at])))
        for (size_t i = at; i < end_of_clause(read, at); ++i)
          known.insert(text(read[i]));
    for (size_t at = clauses; at + 1 < read.size();) {
      const size_t end = end_of_clause(read, at);
      const std::string name = text(read[at]);
      if (is_result_clause(name))
        add_names(read, at, names, known);
      if (is_data_clause(name)) {
        target.append(read.begin() + at, read.begin() + end);
      } else if (name == "thread_limit" && !find_clause(read, "num_threads")) {
        inner.push_back(word(read[at], "num_threads"));
        inner.append(read.begin() + at + 1, read.begin() + end);
      } else if (read[at].isNot(clang::tok::comma) && !is_outer_clause(name) &&
                 !is_outer_if(read, at)) {
        inner.append(read.begin() + at, read.begin() + end);
      }
      at = end;
    }
    append_map(target, names);
    target.push_back(read.back());
    target.push_back(token(read[1], clang::tok::annot_pragma_openmp));
    target.append(inner);
    target.push_back(token(read.back(), clang::tok::annot_pragma_openmp_end));
    return target;
  }

  /// The beginning of a statement that limits the threads of parallel regions
  /// while the rest of it is executed. The clause thread_limit is at `at`.
  ///   for (int before = limit(N), once = 1; once; once = 0, limit(before))
  Tokens limit_of(const Tokens &read, size_t at) const {
    using namespace clang::tok;
    const Token &place = read[1];
    const Token before = word(place, "__gpuexec_before"),
                once = word(place, "__gpuexec_once"),
                limit = word(place, "__gpuexec_omp_limit_threads");
    const Token zero = number(place, "0"), one = number(place, "1");
    Tokens made = {word(place, "for"),  token(place, l_paren),
                   word(place, "int"),  before,
                   token(place, equal), limit};
    made.append(read.begin() + at + 1, read.begin() + end_of_clause(read, at));
    made.append({token(place, comma), once, token(place, equal), one,
                 token(place, semi), once, token(place, semi), once,
                 token(place, equal), zero, token(place, comma), limit,
                 token(place, l_paren), before, token(place, r_paren),
                 token(place, r_paren)});
    return made;
  }

  /// The directive with the clause thread_limit at `at`, and its limit: around
  /// a target region; in a teams region, which may be all of a target region.
  Tokens limited(const Tokens &read, size_t at) const {
    if (text(read[1]) == "teams") {
      Tokens made = read;
      made.append(limit_of(read, at));
      return made;
    }
    // The preprocessor reads "#pragma region" and nothing behind it.
    Tokens made = {word(read[0], "region")};
    made.append(limit_of(read, at));
    made.push_back(token(read[1], clang::tok::annot_pragma_openmp));
    made.append(read.begin() + 1, read.end() - 1);
    made.push_back(token(read.back(), clang::tok::annot_pragma_openmp_end));
    return made;
  }

  /// What clang is to read in the place of `read`, whose last token ends the
  /// directive.
  Tokens rewritten(const Tokens &read) {
    if (read.size() < 3)
      return read;
    const std::string first = text(read[1]), second = text(read[2]);
    if (first == "requires")
      return new_requirements(read);
    if (first == "declare" && second == "target")
      return new_declaration(read);
    if (is_one_of(first, {"declare", "begin", "metadirective"}))
      return with_host(read);
    // One with dependences is a task's, which clang orders.
    if (first == "target" && second == "update" &&
        llvm::none_of(
            read, [&](const Token &token) { return text(token) == "depend"; }))
      return {read[0], word(read[1], "flush"), read.back()};
    size_t clauses = 1;
    bool parallel = false;
    for (; clauses < read.size() && is_word(text(read[clauses])); ++clauses)
      parallel |= text(read[clauses]) == "parallel";
    if (parallel && first == "target")
      return split(read, clauses);
    if (first == "target" || (first == "teams" && clauses == 2))
      if (const size_t limit = find_clause(read, "thread_limit"))
        return limited(read, limit);
    return read;
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
  std::shared_ptr<gpuexec::DeclareTarget> declare_target;
  llvm::StringSet<> required; ///< requirements that have been named so far
};

} // namespace

void gpuexec::drop_target(clang::Preprocessor &preprocessor,
                          std::shared_ptr<DeclareTarget> declare_target) {
  preprocessor.addPPCallbacks(
      std::make_unique<Callbacks>(preprocessor, std::move(declare_target)));
}
