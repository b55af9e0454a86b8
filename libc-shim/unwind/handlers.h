//===-- libc-shim/unwind/handlers.h - Who takes an exception ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libsupc++ asks of an unwinder and of the compiler's personality, on
// functions that return one after the other (toolchain/passes/shared/
// exceptions.h). Compiled with libsupc++, whose other files are unchanged
// (toolchain/libstdcxx/).
//===----------------------------------------------------------------------===//
#pragma once
#include "gpu/pass_runtime.h"
#include <typeinfo>
#include <unwind.h>

namespace gpuexec {

/// A row of what one call's landing pad takes, which the pass writes.
struct Clause {
  const std::type_info *type; ///< null: every type
  uint32_t kind;              ///< CLAUSE_...
  int32_t selector;           ///< what the landing pad is told
};

/// Does a handler of the type take the object? Then `object` becomes what the
/// handler gets: of a base class, or the pointer itself.
bool takes(const std::type_info &handler, const std::type_info &thrown,
           void *&object);

/// Does a list of CLAUSE_ALLOWED allow the object?
bool allows(const Clause *allowed, const std::type_info &thrown, void *object);

} // namespace gpuexec
