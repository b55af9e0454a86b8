//===-- toolchain/passes/speed/note_virtual_calls.cpp - Marked calls ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frontend makes clang load the address of a virtual function by
// llvm.type.checked.load, which names the class, and name the classes of
// virtual tables (type metadata). This pass makes calls of functions by name of
// the intrinsics, for drop_virtual_functions at the link (virtual_calls.h). On
// the way it repairs:
//   - For AMD, clang 22 gives the intrinsic an address of global memory where
//     it takes a generic one, and makes a bitcast of its result: IR that cannot
//     be read again.
//   - Classes that are local to the file have nodes for names. Here they get
//     names; that those of two files may have the same keeps functions, at
//     worst.
//   - A call through a pointer to a member names the pointer's type, which may
//     differ from the function's (noexcept, a derived class as result). The
//     link looks at the class in it alone; where the type is local to the file,
//     it may be any.
// An attribute says of each function that its virtual calls are noted.
// Functions without it come from elsewhere, such as another compiler.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/virtual_calls.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using namespace gpuexec;

namespace {

/// clang's own flag, which would start LLVM's own elimination at the link.
constexpr char CLANG_FLAG[] = "Virtual Function Elim";

/// Takes CLANG_FLAG from the module. Returns whether it was there.
bool take_clang_flag(Module &module) {
  if (!module.getModuleFlag(CLANG_FLAG))
    return false;
  NamedMDNode *flags = module.getModuleFlagsMetadata();
  SmallVector<MDNode *> others;
  for (MDNode *flag : flags->operands())
    if (cast<MDString>(flag->getOperand(1))->getString() != CLANG_FLAG)
      others.push_back(flag);
  flags->clearOperands();
  for (MDNode *flag : others)
    flags->addOperand(flag);
  return true;
}

/// Names of classes.
class Names {
public:
  explicit Names(const Module &module) : prefix(module.getSourceFileName()) {}

  std::string of(const Metadata *type) {
    if (auto *name = dyn_cast<MDString>(type))
      return name->getString().str();
    auto [local, added] = locals.try_emplace(type, locals.size());
    return (prefix + "." + Twine(local->second)).str();
  }

private:
  const std::string prefix;
  DenseMap<const Metadata *, size_t> locals;
};

/// Gives the classes of virtual tables names.
void name_tables(Module &module, Names &names) {
  for (GlobalVariable &variable : module.globals()) {
    SmallVector<MDNode *> types;
    variable.getMetadata(LLVMContext::MD_type, types);
    if (types.empty())
      continue;
    variable.eraseMetadata(LLVMContext::MD_type);
    for (MDNode *type : types)
      variable.addTypeMetadata(
          mdconst::extract<ConstantInt>(type->getOperand(0))->getZExtValue(),
          MDString::get(module.getContext(),
                        names.of(type->getOperand(1).get())));
  }
}

const Metadata *class_of(const CallInst &call, unsigned operand) {
  return cast<MetadataAsValue>(call.getArgOperand(operand))->getMetadata();
}

/// Does the call look for a pointer to a member? The place in the table is then
/// part of the address; for other calls the address is the object's.
bool is_by_member_pointer(const CallInst &call) {
  return isa<GetElementPtrInst>(call.getArgOperand(0)->stripPointerCasts());
}

/// Makes a proper cast of a bitcast between address spaces.
void repair_casts(Value &address) {
  for (User *user : make_early_inc_range(address.users()))
    if (auto *cast = dyn_cast<BitCastInst>(user);
        cast && cast->getType() != address.getType()) {
      IRBuilder<> builder(cast);
      cast->replaceAllUsesWith(
          builder.CreateAddrSpaceCast(&address, cast->getType()));
      cast->eraseFromParent();
    }
}

void note_load(CallInst &call, Names &names) {
  IRBuilder<> builder(&call);
  Value *table = call.getArgOperand(0);
  const Metadata *type = class_of(call, 2);
  const std::string name = is_by_member_pointer(call) && !isa<MDString>(type)
                               ? ANY_CLASS
                               : names.of(type);
  FunctionCallee search = call.getModule()->getOrInsertFunction(
      VIRTUAL_FUNCTION + name, builder.getPtrTy(), table->getType(),
      builder.getInt64Ty());
  auto &declared = *cast<Function>(search.getCallee());
  declared.setDoesNotAccessMemory();
  declared.setDoesNotThrow();
  declared.setWillReturn();
  CallInst *address = builder.CreateCall(
      search,
      {table, builder.CreateZExt(call.getArgOperand(1), builder.getInt64Ty())});
  for (User *user : make_early_inc_range(call.users())) {
    auto *part = cast<ExtractValueInst>(user);
    if (part->getIndices()[0] == 0) {
      repair_casts(*part);
      part->replaceAllUsesWith(address);
    } else {
      part->replaceAllUsesWith(builder.getTrue());
    }
    part->eraseFromParent();
  }
  call.eraseFromParent();
}

/// clang tests the class where it loads the address itself: the class is
/// visible to other programs, it believes.
void note_test(CallInst &call, Names &names) {
  IRBuilder<> builder(&call);
  FunctionCallee all = call.getModule()->getOrInsertFunction(
      VIRTUAL_FUNCTIONS + names.of(class_of(call, 1)), builder.getVoidTy());
  auto &declared = *cast<Function>(all.getCallee());
  declared.setOnlyAccessesInaccessibleMemory();
  declared.setDoesNotThrow();
  declared.setWillReturn();
  builder.CreateCall(all);
  call.replaceAllUsesWith(builder.getTrue());
  call.eraseFromParent();
}

void note(Module &module, Intrinsic::ID intrinsic,
          void (&one)(CallInst &, Names &), Names &names) {
  Function *declaration = Intrinsic::getDeclarationIfExists(&module, intrinsic);
  if (!declaration)
    return;
  for (User *user : make_early_inc_range(declaration->users()))
    one(*cast<CallInst>(user), names);
  declaration->eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::note_virtual_calls(Module &module,
                                              ModuleAnalysisManager &) {
  if (!take_clang_flag(module))
    return PreservedAnalyses::all();
  Names names(module);
  name_tables(module, names);
  note(module, Intrinsic::type_checked_load, note_load, names);
  note(module, Intrinsic::type_test, note_test, names);
  note(module, Intrinsic::public_type_test, note_test, names);
  for (Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(VIRTUAL_CALLS_MARKED);
  return PreservedAnalyses::none();
}
