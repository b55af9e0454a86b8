//===-- toolchain/passes/fixes/complete_main.cpp - main of 3 parameters ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvlink compares the type of a function at its definition with the type at its
// calls. It rejects `int main(void)`, because start-up code passes three
// arguments (argc, argv, envp). A link of bitcode does not compare types. In
// machine code made before the link (-fno-lto) this pass adds a main with three
// parameters that calls the program's main.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::complete_main(Module &module,
                                         ModuleAnalysisManager &) {
  Function *written = module.getFunction("main");
  if (!written || written->isDeclaration() ||
      !written->getReturnType()->isIntegerTy(32) || written->isVarArg())
    return PreservedAnalyses::all();
  LLVMContext &context = module.getContext();
  Type *word = Type::getInt32Ty(context);
  Type *pointer = PointerType::get(context, 0);
  FunctionType *whole =
      FunctionType::get(word, {word, pointer, pointer}, false);
  FunctionType *type = written->getFunctionType();
  if (type == whole || type->getNumParams() > whole->getNumParams() ||
      !std::equal(type->param_begin(), type->param_end(), whole->param_begin()))
    return PreservedAnalyses::all(); // already complete, or not a valid main

  Function *complete = Function::Create(
      whole, written->getLinkage(), written->getAddressSpace(), "", &module);
  complete->takeName(written);
  complete->copyAttributesFrom(written);
  complete->removeFnAttr(Attribute::OptimizeNone);
  complete->removeFnAttr(Attribute::NoInline);
  written->setName("main.written");
  written->setLinkage(GlobalValue::InternalLinkage);
  written->setVisibility(GlobalValue::DefaultVisibility);
  written->setDSOLocal(true);

  IRBuilder<> builder(BasicBlock::Create(context, "", complete));
  SmallVector<Value *, 3> arguments;
  for (unsigned i = 0; i < type->getNumParams(); ++i)
    arguments.push_back(complete->getArg(i));
  CallInst *call = builder.CreateCall(written, arguments);
  call->setCallingConv(written->getCallingConv());
  builder.CreateRet(call);
  return PreservedAnalyses::none();
}
