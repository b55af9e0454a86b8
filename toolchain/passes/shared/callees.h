//===-- toolchain/passes/shared/callees.h - Functions behind pointers -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_PASSES_CALLEES_H
#define GPUEXEC_PASSES_CALLEES_H

#include <llvm/ADT/StringRef.h>

namespace gpuexec {

/// An attribute of functions of the program, not of its C library, whose
/// address is taken: note_callees() gives it, announce_callees() reads it.
inline constexpr llvm::StringLiteral IS_CALLEE = "gpuexec-callee";

} // namespace gpuexec

#endif
