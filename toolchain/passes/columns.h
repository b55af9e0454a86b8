//===-- toolchain/passes/columns.h - Words of passes.def --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in the columns of passes.def, which says what each word means.
//===----------------------------------------------------------------------===//
#pragma once

namespace gpuexec::columns {

// NOLINTBEGIN(readability-identifier-naming): they are written as in the table
enum class Kind { language, openmp, fixes, speed };
enum class Gpus { AMD, NVIDIA, All };
/// In the order in which they come.
enum class Stage {
  Start,
  Compile,
  Link,
  Backend,
  Structurizer,
  Selection,
  Spilling,
  Emission
};
// NOLINTEND(readability-identifier-naming)

} // namespace gpuexec::columns
