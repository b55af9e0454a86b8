//===-- toolchain/link/split.h - A program in pieces ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After a program has been optimised as a whole, machine code can be made of
// its functions independently. The pieces are chosen so that a change of one
// source file changes few of them: what has not changed is in the store.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_LINK_SPLIT_H
#define GPUEXEC_TOOLCHAIN_LINK_SPLIT_H

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace gpuexec {

/// A part of a program, to be compiled on its own.
struct Piece {
  std::string name;                             ///< of its first definition
  std::vector<llvm::GlobalValue *> definitions; ///< in the module's order
  uint64_t cost = 0;                            ///< number of LLVM instructions
  bool kernels = false; ///< what the loader launches, and nothing else
};

/// Makes everything in the module visible to its other pieces, and chooses the
/// pieces. The last one has the kernels. Definitions that must be in one
/// object (an alias and what it names; a function and a table of the addresses
/// of its labels) are in one piece. A program with variables in shared memory
/// is one piece: which kernel needs them is seen in the whole program only.
std::vector<Piece> split(llvm::Module &module);

/// LLVM bitcode of a module that has the piece's definitions, the constants
/// that they use, and declarations of everything else that they use. The same
/// definitions give the same bytes.
llvm::SmallString<0> extract(llvm::Module &module, const Piece &piece);

} // namespace gpuexec

#endif
