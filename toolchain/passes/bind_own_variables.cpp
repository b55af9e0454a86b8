//===-- toolchain/passes/bind_own_variables.cpp - extern int errno; -------===//
// errno, optarg and their like belong to a thread: the headers make them calls
// of functions. Old programs declare them themselves instead (`extern int
// errno;`). The library defines each also as a variable, beside a reference to
// its function, so that the linker takes both. At the link, this pass replaces
// the variable's address with the function's result. A program that defines
// such a variable itself, as one with a getopt() of its own does, means that
// variable everywhere: the function then returns its address.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

using namespace llvm;

/// Variables, and what returns their addresses (libc-shim/stdlib/getopt.c).
static constexpr struct {
  const char *name, *function;
} variables[] = {{"errno", "__errno"},
                 {"optarg", "__gpuexec_optarg"},
                 {"optind", "__gpuexec_optind"},
                 {"opterr", "__gpuexec_opterr"},
                 {"optopt", "__gpuexec_optopt"}};

static void bind(GlobalVariable &variable, Function &function) {
  convertUsersOfConstantsToInstructions({&variable});
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue; // an initialiser: the variable's own address
    auto *phi = dyn_cast<PHINode>(user);
    IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator()
                            : user);
    Value *address = builder.CreateCall(&function);
    if (address->getType() != variable.getType())
      address = builder.CreateAddrSpaceCast(address, variable.getType());
    use.set(address);
  }
}

/// The function returns the address of the program's own variable.
static void give(Function &function, GlobalVariable &variable) {
  function.deleteBody();
  function.setLinkage(GlobalValue::InternalLinkage);
  function.setVisibility(GlobalValue::DefaultVisibility);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  builder.CreateRet(builder.CreatePointerBitCastOrAddrSpaceCast(
      &variable, function.getReturnType()));
}

PreservedAnalyses gpuexec::bind_own_variables(Module &module,
                                              ModuleAnalysisManager &) {
  bool changed = false;
  for (auto &[name, function_name] : variables) {
    GlobalVariable *variable =
        module.getGlobalVariable(name, /*AllowInternal=*/true);
    Function *function = module.getFunction(function_name);
    if (!variable || !function || variable->isDeclaration())
      continue;
    if (variable->getSection() == "gpuexec.per_thread") {
      variable->setSection("");
      bind(*variable, *function);
    } else {
      give(*function, *variable);
    }
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
