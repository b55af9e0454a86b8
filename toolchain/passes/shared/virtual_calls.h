//===-- toolchain/passes/shared/virtual_calls.h - Names -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names by which the passes of compilation tell those of the link about virtual
// calls.
//===----------------------------------------------------------------------===//
#pragma once

namespace gpuexec {

/// Attribute of a function of C++ whose virtual calls are marked
/// (note_virtual_calls.cpp).
inline constexpr char VIRTUAL_CALLS_MARKED[] = "gpuexec-virtual-calls-marked";

/// What a function is called that stands for the search of a virtual function:
/// the prefix, then the class. It takes the address in a virtual table from
/// which the place counts, and the place in bytes, and returns the function's
/// address. The link makes a load of it. LLVM's own intrinsics are not kept:
/// ld.lld refuses them beside bitcode without a summary.
inline constexpr char VIRTUAL_FUNCTION[] = "__gpuexec_virtual_function.";

/// Likewise, without parameters and result: each virtual function of objects of
/// the class may be called.
inline constexpr char VIRTUAL_FUNCTIONS[] = "__gpuexec_virtual_functions.";

/// In the place of a class: any.
inline constexpr char ANY_CLASS[] = "any";

} // namespace gpuexec
