//===-- toolchain/passes/shared/runtime.h - The C library -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions, names, records and numbers that passes and the device's C
// library share (gpu/pass_runtime.def), as values of LLVM. Passes use them
// through this interface and never by a string.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace gpuexec {

/// Functions whose types the table has.
enum class Runtime : unsigned {
#define RUNTIME_FUNCTION(id, ...) id,
#define RUNTIME_C_FUNCTION(name, ...) name,
#define RUNTIME_PLACEHOLDER(id, ...) id,
#include "gpu/pass_runtime.def"
};

/// Variables, and functions whose types passes do not need.
enum class RuntimeName : unsigned {
#define RUNTIME_VARIABLE(id, symbol) id,
#define RUNTIME_CLANG_NAME(id, symbol) id,
#define RUNTIME_PASS_NAME(id, symbol) id,
#include "gpu/pass_runtime.def"
};

/// Functions that a program may call by several names.
enum class RuntimeGroup : unsigned {
#define RUNTIME_GROUP(group) group,
#include "gpu/pass_runtime.def"
};

/// Types of functions that a pass makes for the C library.
enum class RuntimeCallback : unsigned {
#define RUNTIME_CALLBACK(type, ...) type,
#include "gpu/pass_runtime.def"
};

/// Members of the C library's records.
enum class RuntimeMember : unsigned {
#define RUNTIME_MEMBER(id, ...) id,
#include "gpu/pass_runtime.def"
};

#define RUNTIME_CONSTANT(id, value) inline constexpr uint64_t id = value;
#include "gpu/pass_runtime.def"

/// The prefix of the functions that clang calls for OpenMP.
inline constexpr char OPENMP_PREFIX[] = "__kmpc_";

/// The section of the C library's own variables (gpu/pass_runtime.h).
inline constexpr char OWN_VARIABLES[] = "gpuexec.per_thread";

llvm::StringRef name_of(Runtime function);
llvm::StringRef name_of(RuntimeName name);

/// The functions of a group, in the order of the table.
llvm::ArrayRef<llvm::StringRef> names_of(RuntimeGroup group);
bool is_in(RuntimeGroup group, const llvm::Function &function);

/// The function; declares it if the module does not have it.
llvm::FunctionCallee runtime_function(llvm::Module &module, Runtime which);

/// Adds a call of the function at the builder's position.
llvm::CallInst *call_runtime(llvm::IRBuilder<> &builder, Runtime which,
                             llvm::ArrayRef<llvm::Value *> arguments = {});

/// The function if the module declares or defines it, else null.
llvm::Function *find_runtime(const llvm::Module &module, Runtime which);
llvm::Function *find_runtime(const llvm::Module &module, RuntimeName which);

/// The function if the module defines it, else null.
llvm::Function *find_definition(const llvm::Module &module, Runtime which);

/// The variable if the module declares or defines it, else null.
llvm::GlobalVariable *find_variable(const llvm::Module &module,
                                    RuntimeName which);

llvm::FunctionType *type_of(const llvm::Module &module, RuntimeCallback which);

/// The address of a member of the record at `record`.
llvm::Value *member(llvm::IRBuilder<> &builder, llvm::Value *record,
                    RuntimeMember which);

/// Variables that programs use like static ones, and of which each thread has
/// its own.
struct OwnVariable {
  const char *name;
  const char *function; ///< returns the address of the calling thread's
};
inline constexpr OwnVariable OWN_VARIABLE_TABLE[] = {
#define RUNTIME_OWN_VARIABLE(variable, type, function) {#variable, #function},
#include "gpu/pass_runtime.def"
};

/// Functions that need another name on NVIDIA (rename_system_calls).
struct SystemCall {
  const char *name, *renamed;
};
inline constexpr SystemCall SYSTEM_CALLS[] = {
#define RUNTIME_SYSTEM_CALL(name, symbol) {#name, #symbol},
#include "gpu/pass_runtime.def"
};

} // namespace gpuexec
