//===-- toolchain/link/split.h - A program in pieces ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After a program has been optimised as a whole, its functions can be compiled
// to machine code independently of each other. The pieces are chosen so that a
// change of one source file changes few of them: the others are in the store.
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
  std::string name;                             ///< its first definition's
  std::vector<llvm::GlobalValue *> definitions; ///< in the module's order
  uint64_t cost = 0;                            ///< number of LLVM instructions
  bool kernels = false; ///< it has the program's kernels
};

/// Gives the module's definitions names and linkage by which other pieces can
/// refer to them, and divides them into pieces. The last piece has the kernels
/// and no other functions. Definitions that must be in one object (an alias and
/// its target; a function and a table of the addresses of its labels) are in
/// one piece. A program with variables in shared memory is one piece, because
/// LLVM has to see the whole program to know which kernel needs them.
std::vector<Piece> split(llvm::Module &module);

/// LLVM bitcode of a module that has the piece's definitions, the constants
/// that they use, and declarations of everything else that they use. The same
/// definitions give the same bytes.
llvm::SmallString<0> extract(llvm::Module &module, const Piece &piece);

} // namespace gpuexec

#endif
