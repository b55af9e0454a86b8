//===-- toolchain/frontend/missing_headers.cpp - Why not ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Some headers cannot work on a GPU. They are not installed: __has_include
// would find a header that consists of #error. Instead, the front end adds a
// note to clang's error for a missing header.
//===----------------------------------------------------------------------===//
#include "missing_headers.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/STLExtras.h"
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

constexpr char IS_OF_CPP[] =
    "this header is C++'s, and the file is compiled as C";

/// `./run FILE.c` does not wait for C++'s library.
constexpr char NOT_BUILT[] =
    "C++'s library has not been built; in gpuexec's sources "
    "'cmake --build build --target products' builds it";

/// Headers of C++ that GCC 12's library, which programs have, does not have,
/// and what to do instead.
constexpr Missing NEWER_THAN_LIBRARY[] = {
    {"flat_map", "<map> is there"},
    {"flat_set", "<set> is there"},
    {"format", "use the library {fmt}"},
    {"generator", "<coroutine> is there to write one with"},
    {"linalg", "gpucc has BLAS: <cblas.h>"},
    {"mdspan", "<span> is there, and Kokkos's mdspan is headers alone"},
    {"print", "use the library {fmt}"},
    {"stdfloat", "_Float16, float and double are there"},
};

/// Other headers of C++ that C does not have.
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
    "forward_list",
    "fstream",
    "functional",
    "future",
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
    "memory",
    "memory_resource",
    "mutex",
    "new",
    "numbers",
    "numeric",
    "optional",
    "ostream",
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
  for (const Missing &missing : NEWER_THAN_LIBRARY)
    if (name == missing.name)
      return cpp ? "gpuc++ has the library of GCC 12, which has no <" +
                       name.str() + ">; " + missing.why.str()
                 : IS_OF_CPP;
  if (llvm::is_contained(OF_CPP, name))
    return cpp ? NOT_BUILT : IS_OF_CPP;
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
