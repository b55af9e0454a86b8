//===-- toolchain/passes/shared/runtime.cpp - See runtime.h ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/runtime.h"
#include "gpu/start_up.h"
#include <string_view>

using namespace llvm;

namespace gpuexec {

namespace {

/// The types of the table.
enum class Kind : unsigned char {
  VOID,
  I16,
  I32,
  U32,
  U64,
  F32,
  F64,
  POINTER,
  BLOCK_POINTER
};
using enum Kind;
#define POINTER_TO(type) POINTER
#define BLOCK_POINTER_TO(type) BLOCK_POINTER

/// Whether the lanes of a wave act together in a function.
enum class Lanes : unsigned char { ALONE, TOGETHER };
using enum Lanes;

struct Signature {
  static constexpr unsigned MOST = 6;
  Kind result;
  Kind parameters[MOST]; // VOID after the last one
};

template <typename... Kinds>
constexpr Signature signature(Kind result, Kinds... parameters) {
  static_assert(sizeof...(parameters) <= Signature::MOST);
  return {result, {parameters...}};
}

struct Row {
  StringLiteral symbol;
  Signature signature;
  Lanes lanes = ALONE;
};

#define UNPACK(...) __VA_ARGS__
constexpr Row FUNCTIONS[] = {
#define RUNTIME_FUNCTION(id, symbol, lanes, result, parameters)                \
  {#symbol, signature(result, UNPACK parameters), lanes},
#define RUNTIME_C_FUNCTION(name, result, parameters)                           \
  {#name, signature(result, UNPACK parameters)},
#define RUNTIME_PLACEHOLDER(id, symbol, result, parameters)                    \
  {#symbol, signature(result, UNPACK parameters)},
#include "gpu/pass_runtime.def"
};

constexpr StringLiteral NAMES[] = {
#define RUNTIME_VARIABLE(id, symbol) #symbol,
#define RUNTIME_CLANG_NAME(id, symbol) #symbol,
#define RUNTIME_PASS_NAME(id, symbol) #symbol,
#include "gpu/pass_runtime.def"
};

constexpr Signature CALLBACKS[] = {
#define RUNTIME_CALLBACK(type, result, parameters)                             \
  signature(result, UNPACK parameters),
#include "gpu/pass_runtime.def"
};

constexpr uint64_t OFFSETS[] = {
#define RUNTIME_MEMBER(id, record, member, offset, bytes) offset,
#include "gpu/pass_runtime.def"
};

Type *type_of(const Module &module, Kind kind) {
  LLVMContext &context = module.getContext();
  switch (kind) {
  case VOID:
    return Type::getVoidTy(context);
  case I16:
    return Type::getInt16Ty(context);
  case I32:
  case U32:
    return Type::getInt32Ty(context);
  case U64:
    return Type::getInt64Ty(context);
  case F32:
    return Type::getFloatTy(context);
  case F64:
    return Type::getDoubleTy(context);
  case POINTER:
    return PointerType::get(context, 0);
  case BLOCK_POINTER:
    return PointerType::get(context,
                            module.getTargetTriple().isNVPTX() ? 3 : 1);
  }
}

FunctionType *type_of(const Module &module, const Signature &signature) {
  SmallVector<Type *> parameters;
  for (Kind kind : signature.parameters)
    if (kind != VOID)
      parameters.push_back(type_of(module, kind));
  return FunctionType::get(type_of(module, signature.result), parameters,
                           false);
}

// The loader knows the variable by this name.
static_assert(
    std::string_view(NAMES[unsigned(RuntimeName::recursion_limit)].data()) ==
    GPUEXEC_RECURSION_LIMIT);

} // namespace

StringRef name_of(Runtime function) {
  return FUNCTIONS[unsigned(function)].symbol;
}
StringRef name_of(RuntimeName name) { return NAMES[unsigned(name)]; }

ArrayRef<StringRef> names_of(RuntimeGroup group) {
  struct Member {
    RuntimeGroup group;
    StringLiteral name;
  };
  static constexpr Member members[] = {
#define RUNTIME_NAME(group, symbol) {RuntimeGroup::group, #symbol},
#include "gpu/pass_runtime.def"
  };
  static constexpr StringRef names[] = {
#define RUNTIME_NAME(group, symbol) StringLiteral(#symbol),
#include "gpu/pass_runtime.def"
  };
  size_t first = 0, count = 0; // the table has a group's names together
  while (members[first].group != group)
    ++first;
  while (first + count < std::size(members) &&
         members[first + count].group == group)
    ++count;
  return ArrayRef(names).slice(first, count);
}

bool is_in(RuntimeGroup group, const Function &function) {
  return is_contained(names_of(group), function.getName());
}

FunctionCallee runtime_function(Module &module, Runtime which) {
  const Row &row = FUNCTIONS[unsigned(which)];
  FunctionCallee callee =
      module.getOrInsertFunction(row.symbol, type_of(module, row.signature));
  if (row.lanes == TOGETHER)
    cast<Function>(callee.getCallee())->setConvergent();
  return callee;
}

CallInst *call_runtime(IRBuilder<> &builder, Runtime which,
                       ArrayRef<Value *> arguments) {
  return builder.CreateCall(
      runtime_function(*builder.GetInsertBlock()->getModule(), which),
      arguments);
}

Function *find_runtime(const Module &module, Runtime which) {
  return module.getFunction(name_of(which));
}
Function *find_runtime(const Module &module, RuntimeName which) {
  return module.getFunction(name_of(which));
}

Function *find_definition(const Module &module, Runtime which) {
  Function *function = find_runtime(module, which);
  return function && !function->isDeclaration() ? function : nullptr;
}

GlobalVariable *find_variable(const Module &module, RuntimeName which) {
  return const_cast<GlobalVariable *>(module.getNamedGlobal(name_of(which)));
}

FunctionType *type_of(const Module &module, RuntimeCallback which) {
  return type_of(module, CALLBACKS[unsigned(which)]);
}

Value *member(IRBuilder<> &builder, Value *record, RuntimeMember which) {
  const uint64_t offset = OFFSETS[unsigned(which)];
  return offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                     record, offset)
                : record;
}

} // namespace gpuexec
