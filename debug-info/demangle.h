//===-- debug-info/demangle.h - Names of C++ functions ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the names of symbols into those of C++ for people: _Z3addi becomes
// add(int). Names that are not C++'s stay as they are. LLVM's demangler is not
// safe on hostile names, whose text may be exponentially long: it runs in a
// confined child process, and a crash there costs only the readable names.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_DEMANGLE_H
#define GPUEXEC_DEBUG_INFO_DEMANGLE_H

#include "debug-info/confined.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuexec::debug_info {

/// True for a symbol's name that demangle() may change.
inline bool is_mangled(llvm::StringRef name) { return name.starts_with("_Z"); }

/// The readable names, in the order of `names`. A call with a mangled name
/// takes about a millisecond: ask for many names at once. All text may come
/// from an image: pass it through printable() before printing. Thread-safe.
std::vector<std::string> demangle(std::vector<std::string> names,
                                  const Limits &limits = {});

/// The type of C++ whose mangled name std::type_info::name() returns, as GCC's
/// library writes it; "" if it is none. The rest as demangle().
std::string type_name(const std::string &mangled, const Limits &limits = {});

/// Both with a child that the constructor starts: for a process that will
/// not be allowed to fork later. Not thread-safe.
class PreparedDemangler {
public:
  PreparedDemangler();
  std::vector<std::string> demangle(std::vector<std::string> names);
  std::string type_name(const std::string &mangled);

private:
  std::optional<ConfinedServer> server;
};

} // namespace gpuexec::debug_info

#endif
