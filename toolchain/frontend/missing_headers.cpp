//===-- toolchain/frontend/missing_headers.cpp - Why not ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Some headers cannot work on a GPU. They are not installed: __has_include
// would find a header that consists of #error. Instead, the front end adds a
// note to clang's error for a missing header.
//===----------------------------------------------------------------------===//
#include "missing_headers.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/StringRef.h"

using llvm::StringRef;

namespace {

struct Missing {
  StringRef name, why;
};

constexpr Missing MISSING[] = {
#define MISSING_HEADER(NAME, WHY) {NAME, WHY},
#include "missing_headers.def"
};

/// Headers of the libraries that gpucc-port builds, and the names of the ports.
constexpr Missing OF_PORTS[] = {
#define PORT_HEADER(NAME, PORT) {NAME, PORT},
#include "port_headers.def"
};

/// Headers of C++ that C does not have.
constexpr StringRef OF_CPP[] = {
    "algorithm",
    "any",
    "array",
    "atomic",
    "barrier",
    "bit",
    "bitset",
    "cassert",
    "cctype",
    "cerrno",
    "cfenv",
    "cfloat",
    "charconv",
    "chrono",
    "cinttypes",
    "climits",
    "clocale",
    "cmath",
    "codecvt",
    "compare",
    "complex",
    "concepts",
    "condition_variable",
    "coroutine",
    "csignal",
    "cstdarg",
    "cstddef",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctime",
    "cwchar",
    "cwctype",
    "deque",
    "exception",
    "execution",
    "expected",
    "filesystem",
    "format",
    "forward_list",
    "fstream",
    "functional",
    "future",
    "generator",
    "initializer_list",
    "iomanip",
    "ios",
    "iosfwd",
    "iostream",
    "istream",
    "iterator",
    "latch",
    "limits",
    "list",
    "locale",
    "map",
    "mdspan",
    "memory",
    "memory_resource",
    "mutex",
    "new",
    "numbers",
    "numeric",
    "optional",
    "ostream",
    "print",
    "queue",
    "random",
    "ranges",
    "ratio",
    "regex",
    "scoped_allocator",
    "semaphore",
    "set",
    "shared_mutex",
    "source_location",
    "span",
    "spanstream",
    "sstream",
    "stack",
    "stacktrace",
    "stdexcept",
    "stop_token",
    "streambuf",
    "string",
    "string_view",
    "strstream",
    "syncstream",
    "system_error",
    "thread",
    "tuple",
    "type_traits",
    "typeindex",
    "typeinfo",
    "unordered_map",
    "unordered_set",
    "utility",
    "valarray",
    "variant",
    "vector",
    "version",
};

/// The note for a header; "" if there is none. `cpp`: the file is C++.
std::string why_missing(StringRef name, bool cpp) {
  for (const Missing &missing : OF_PORTS)
    if (missing.name.ends_with(name) &&
        (missing.name == name ||
         missing.name.drop_back(name.size()).ends_with("/")))
      return ("gpucc-port install " + missing.why + " builds its library")
          .str();
  for (const Missing &missing : MISSING)
    if (name == missing.name ||
        (missing.name.ends_with("/") && name.starts_with(missing.name)))
      return missing.why.str();
  for (StringRef header : OF_CPP)
    if (name == header)
      return cpp ? "gpuc++ is freestanding for now: of the C++ library it has "
                   "the headers of C (<cstdio>, <cmath> ...), <new> and "
                   "<initializer_list>"
                 : "this header is C++'s, and the file is compiled as C";
  return "";
}

class Callbacks : public clang::PPCallbacks {
public:
  explicit Callbacks(clang::Preprocessor &preprocessor)
      : preprocessor(preprocessor) {}

  void InclusionDirective(clang::SourceLocation, const clang::Token &,
                          StringRef name, bool, clang::CharSourceRange range,
                          clang::OptionalFileEntryRef file, StringRef,
                          StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    if (file)
      return;
    const std::string why =
        why_missing(name, preprocessor.getLangOpts().CPlusPlus);
    clang::DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
    if (!why.empty())
      diagnostics.Report(
          range.getBegin(),
          diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Note, "%0"))
          << why;
  }

private:
  clang::Preprocessor &preprocessor;
};

} // namespace

void gpuexec::explain_missing_headers(clang::Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<Callbacks>(preprocessor));
}
