//===-- toolchain/passes/shared/generic_pointers.h - Not private *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On AMD local variables, and structs that are passed in memory, have private
// addresses, in an address space of their own. When a pass moves such a
// variable to other memory, pointers computed from its address must become
// generic.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <optional>

namespace gpuexec {

/// The size in bytes of the struct, or of the place for one, whose private
/// address is argument `index` of a call; empty if it is not known.
std::optional<uint64_t> passed_bytes(const llvm::CallBase &call,
                                     unsigned index);

/// For each argument of a call that is a private address and for which `moves`
/// is true: passes the address of a copy in private memory instead, which is
/// allocated in `entry`, and copies changes back after the call.
void pass_private_copies(llvm::CallBase &call, llvm::BasicBlock &entry,
                         llvm::function_ref<bool(const llvm::Value &)> moves);

/// Can all pointers computed from these addresses become generic? Calls may use
/// them only if `is_to_group` is true for the call, or if they pass structs of
/// known size.
bool can_become_generic(
    llvm::ArrayRef<const llvm::Value *> roots,
    llvm::function_ref<bool(const llvm::CallBase &)> is_to_group);

/// Makes the types of the roots, and of pointers computed from them, generic.
/// The caller has to change calls that have them as arguments.
void make_generic(llvm::ArrayRef<llvm::Value *> roots);

/// The casts to private addresses of pointers computed from generic addresses
/// of variables. (On NVIDIA addresses of variables are generic until LLVM
/// infers their address space.)
llvm::SmallVector<llvm::AddrSpaceCastInst *>
private_casts(llvm::ArrayRef<llvm::Value *> variables);

/// make_generic() for these casts, and erases them.
void drop_casts(llvm::ArrayRef<llvm::AddrSpaceCastInst *> casts);

} // namespace gpuexec
