//===-- toolchain/passes/shared/generic_pointers.h - Not private *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's backend has local variables and structs that are passed in memory in an
// address space of their own. Where such a variable moves to other memory, what
// is computed from its address must become generic.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <optional>

namespace gpuexec {

/// Bytes of the struct, or of the place for one, whose private address a call
/// passes by argument `index`. Empty when that is not known.
std::optional<uint64_t> passed_bytes(const llvm::CallBase &call,
                                     unsigned index);

/// Gives a call copies in private memory of the structs that it passes there,
/// where `moves` says so of an argument; the copies are allocated in `entry`.
void pass_private_copies(llvm::CallBase &call, llvm::BasicBlock &entry,
                         llvm::function_ref<bool(const llvm::Value &)> moves);

/// Can all that is computed from these addresses become generic, except in
/// calls: those to `group`, and those with structs of known size?
bool can_become_generic(
    llvm::ArrayRef<const llvm::Value *> roots,
    llvm::function_ref<bool(const llvm::CallBase &)> is_to_group);

/// Changes the types of the roots and of what is computed from them. The
/// operands of calls are changed too, the calls are not.
void make_generic(llvm::ArrayRef<llvm::Value *> roots);

/// Casts to private addresses of what is computed from generic addresses of
/// variables: NVIDIA's variables are generic until LLVM infers what they are.
llvm::SmallVector<llvm::AddrSpaceCastInst *>
private_casts(llvm::ArrayRef<llvm::Value *> variables);

/// make_generic() for these casts, which are gone then.
void drop_casts(llvm::ArrayRef<llvm::AddrSpaceCastInst *> casts);

} // namespace gpuexec
