//===-- emulator/ptx/host/host_module.cpp - See host_module.h -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/host/host_module.h"
#include "emulator/ptx/host/bfloat.h"
#include "emulator/ptx/host/fitness.h"
#include "emulator/ptx/host/regions.h"
#include "emulator/ptx/host/table.h"
#include "emulator/ptx/lower/names.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace gpuexec::ptx::host {

namespace {

/// The analyses that passes need, and their order of destruction.
struct Analyses {
  explicit Analyses(llvm::Module &module, TargetMachine &machine)
      : builder(&machine), library(module.getTargetTriple()) {
    library.disableAllFunctions();
    functions.registerPass([&] { return TargetLibraryAnalysis(library); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  TargetLibraryInfoImpl library;
};

bool is_kernel(const Function &function) {
  return !function.isDeclaration() && function.getSection() == KERNEL_SECTION;
}

Value *call_number(IRBuilder<> &ir, llvm::Module &module, StringRef name) {
  FunctionCallee callee =
      module.getOrInsertFunction(name, FunctionType::get(ir.getPtrTy(), false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setSpeculatable();
  return ir.CreateCall(callee);
}

Value *offset_of(IRBuilder<> &ir, Value *base, uint64_t offset) {
  return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), base, offset);
}

/// Parameters are at their offsets in the block of arguments.
void place_parameters(Function &kernel, TableRow &row) {
  const DataLayout &layout = kernel.getDataLayout();
  IRBuilder<> ir(&*kernel.getEntryBlock().getFirstInsertionPt());
  Value *base = call_number(ir, *kernel.getParent(), ARGUMENTS);
  uint32_t end = 0;
  for (Argument &argument : kernel.args()) {
    const uint32_t offset = alignTo(end, argument.getParamAlign().valueOrOne());
    const uint32_t size = layout.getTypeAllocSize(argument.getParamByRefType());
    argument.replaceAllUsesWith(offset_of(ir, base, offset));
    row.parameters.push_back({offset, size});
    end = offset + size;
  }
  row.kernel.parameters_size = end;
}

/// Loads of arguments are of what no kernel changes.
void mark_argument_loads(Function &kernel) {
  for (Instruction &each : instructions(kernel)) {
    auto *load = dyn_cast<LoadInst>(&each);
    if (!load || load->isVolatile() || load->isAtomic())
      continue;
    APInt offset(64, 0);
    const Value *base =
        load->getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(
            kernel.getDataLayout(), offset);
    if (number_called(base) == ARGUMENTS)
      load->setMetadata(LLVMContext::MD_invariant_load,
                        MDNode::get(kernel.getContext(), {}));
  }
}

/// The uses of a global variable in one function.
SmallVector<Use *, 8> uses_in(GlobalVariable &variable, Function &function) {
  SmallVector<Use *, 8> uses;
  for (Use &use : variable.uses())
    if (auto *user = dyn_cast<Instruction>(use.getUser());
        user && user->getFunction() == &function)
      uses.push_back(&use);
  return uses;
}

template <typename Make>
void replace_in(GlobalVariable &variable, Function &kernel, Make make) {
  SmallVector<Use *, 8> uses = uses_in(variable, kernel);
  if (uses.empty())
    return;
  IRBuilder<> ir(&*kernel.getEntryBlock().getFirstInsertionPt());
  Value *address = make(ir);
  for (Use *use : uses)
    use->set(address);
}

class Maker {
public:
  Maker(llvm::Module &module, TargetMachine &machine)
      : module(module), analyses(module, machine) {}

  void make() {
    StripDebugInfo(module);
    expand_bfloat_roundings(module);
    collect();
    inline_functions();
    convert_constants(); // inlining has made some anew
    for (Function *kernel : kernels)
      place_parameters(*kernel, row_of(*kernel));
    for (Function *kernel : kernels)
      place_variables(*kernel, row_of(*kernel));
    simplify();
    for (Function *kernel : kernels)
      finish(*kernel, row_of(*kernel));
    emit_table(module, table);
    remove_rest();
  }

private:
  TableRow &row_of(Function &kernel) { return rows[&kernel]; }

  void collect() {
    for (Function &function : module)
      if (is_kernel(function))
        kernels.push_back(&function);
    for (GlobalVariable &variable : module.globals()) {
      if (variable.getSection() == SHARED_SECTION)
        shared.push_back(&variable);
      else if (variable.getSection() == VARIABLE_SECTION)
        variables.push_back(&variable);
      else
        continue;
      globals.push_back(&variable);
    }
    convert_constants();
    for (GlobalVariable *variable : variables)
      table.variables.push_back(variable->getName().str());
  }

  /// Addresses of variables become operands of instructions.
  void convert_constants() { convertUsersOfConstantsToInstructions(globals); }

  void inline_functions() {
    for (Function &function : module)
      if (!function.isDeclaration() && !is_kernel(function)) {
        function.removeFnAttr(Attribute::NoInline);
        function.removeFnAttr(Attribute::OptimizeNone);
        function.addFnAttr(Attribute::AlwaysInline);
        function.setLinkage(GlobalValue::InternalLinkage);
      }
    ModulePassManager passes;
    passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
    passes.run(module, analyses.modules);
  }

  /// Shared variables lie one behind the other in the block's memory, the
  /// dynamic ones behind all others.
  void place_variables(Function &kernel, TableRow &row) {
    const DataLayout &layout = module.getDataLayout();
    uint32_t end = 0;
    for (bool is_dynamic : {false, true}) {
      if (is_dynamic)
        end = alignTo(end, 16);
      for (GlobalVariable *variable : shared) {
        const uint32_t size = layout.getTypeAllocSize(variable->getValueType());
        if ((size == 0) != is_dynamic || uses_in(*variable, kernel).empty())
          continue;
        const uint32_t offset = alignTo(end, variable->getAlign().valueOrOne());
        replace_in(*variable, kernel, [&](IRBuilder<> &ir) {
          return offset_of(ir, call_number(ir, module, SHARED_BASE), offset);
        });
        end = offset + size;
      }
    }
    row.kernel.shared_bytes = end;
    for (auto [at, variable] : enumerate(variables))
      replace_in(*variable, kernel, [&, at = at](IRBuilder<> &ir) {
        LoadInst *load = ir.CreateLoad(
            ir.getPtrTy(),
            offset_of(ir, call_number(ir, module, VARIABLES), 8 * at));
        load->setMetadata(LLVMContext::MD_invariant_load,
                          MDNode::get(ir.getContext(), {}));
        return load;
      });
  }

  void simplify() {
    FunctionPassManager passes =
        analyses.builder.buildFunctionSimplificationPipeline(
            OptimizationLevel::O2, ThinOrFullLTOPhase::None);
    for (Function *kernel : kernels)
      passes.run(*kernel, analyses.functions);
    analyses.functions.clear();
    analyses.modules.clear();
  }

  void finish(Function &kernel, TableRow &row) {
    row.name = kernel.getName().str();
    row.unfit = why_unfit(kernel);
    uint32_t most = MOST_THREADS;
    StringRef threads =
        kernel.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
    threads.split(',').second.getAsInteger(10, most);
    row.kernel.max_threads = most;
    if (row.unfit.empty()) {
      mark_argument_loads(kernel);
      row.cut = cut_kernel(kernel, most);
    }
    table.rows.push_back(std::move(row));
  }

  /// Nothing but the table is seen from outside.
  void remove_rest() {
    for (Function *kernel : kernels)
      kernel->deleteBody();
    for (GlobalVariable *variable : variables) {
      variable->setInitializer(nullptr);
      variable->setLinkage(GlobalValue::ExternalLinkage);
    }
    ModulePassManager passes;
    passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
    passes.addPass(GlobalDCEPass());
    passes.run(module, analyses.modules);
  }

  llvm::Module &module;
  Analyses analyses;
  std::vector<Function *> kernels;
  std::vector<GlobalVariable *> shared, variables;
  SmallVector<Constant *, 16> globals; ///< both
  DenseMap<Function *, TableRow> rows;
  TableContent table;
};

} // namespace

void make_host_module(llvm::Module &module, TargetMachine &machine) {
  Maker(module, machine).make();
}

} // namespace gpuexec::ptx::host
