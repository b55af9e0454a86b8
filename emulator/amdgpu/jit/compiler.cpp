//===-- emulator/amdgpu/jit/compiler.cpp - From LLVM IR to code -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/compiler.h"
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/jit/object_linker.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <iterator>
#include <mutex>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

// The bitcode of operations.cpp (jit/CMakeLists.txt makes it).
alignas(8) static const char BITCODE[] = {
#embed "operations.bc"
};

/// The names of the functions in BITCODE begin with it.
static constexpr StringRef PREFIX = "op_";

/// Gives the module copies of its own of what the operations share, such as
/// constants. Modules would else use the first one's, which may be more than
/// 2 GiB away: the processor's instructions do not reach it there.
static void own_shared_definitions(Module &module) {
  for (GlobalObject &object : module.global_objects())
    if (!object.isDeclaration() && object.isWeakForLinker()) {
      object.setComdat(nullptr);
      object.setLinkage(GlobalValue::InternalLinkage);
    }
}

/// The library of operations, parsed lazily once in a context of its own: for
/// names only.
struct Compiler::Operations {
  LLVMContext context;
  std::unique_ptr<Module> names;
};

static Expected<std::unique_ptr<Module>> lazy_operations(LLVMContext &context) {
  MemoryBufferRef bytes(StringRef(BITCODE, sizeof(BITCODE)), "operations");
  return getLazyBitcodeModule(bytes, context);
}

Compiler::Compiler() = default;
Compiler::~Compiler() = default;

/// A code generator for the processor that this process runs on.
static std::unique_ptr<TargetMachine> make_machine(CodeGenOptLevel level,
                                                   std::string &error) {
  const Triple triple(sys::getProcessTriple());
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  SubtargetFeatures features;
  for (const auto &feature : sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, sys::getHostCPUName(), features.getString(), TargetOptions(),
      Reloc::PIC_, CodeModel::Small, level, /*JIT=*/true));
}

/// The GPU's compiler has reduced the strength of address arithmetic already:
/// done again, it takes the checks of addresses apart. LLVM has a flag of the
/// process for it; this library has an LLVM of its own.
static void keep_address_arithmetic() {
  const char *const options[] = {"jit", "-disable-lsr"};
  cl::ParseCommandLineOptions(std::size(options), options);
}

Expected<std::unique_ptr<Compiler>> Compiler::create() {
  static std::once_flag once;
  std::call_once(once, keep_address_arithmetic);
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  std::unique_ptr<Compiler> compiler(new Compiler);
  // The level above Less takes half as long again for code of the same size.
  constexpr CodeGenOptLevel LEVELS[TIERS] = {CodeGenOptLevel::None,
                                             CodeGenOptLevel::Less};
  for (Tier tier : {Tier::quick, Tier::optimised}) {
    std::string error;
    auto &machine = compiler->machines[unsigned(tier)];
    machine = make_machine(LEVELS[unsigned(tier)], error);
    if (!machine)
      return createStringError("JIT: " + error);
    // Instruction selection by FastISel where it can: most of a region's IR are
    // stores and branches in side exits, and the DAG costs half of all the time
    // that it takes to generate code.
    machine->setFastISel(true);
  }
  compiler->operations = std::make_unique<Operations>();
  auto names = lazy_operations(compiler->operations->context);
  if (!names)
    return names.takeError();
  compiler->operations->names = std::move(*names);
  return compiler;
}

Compiler::Work Compiler::begin(StringRef name) {
  Work work;
  work.context = std::make_unique<LLVMContext>();
  work.module = std::make_unique<Module>(name, *work.context);
  work.module->setDataLayout(machines[0]->createDataLayout());
  work.module->setTargetTriple(machines[0]->getTargetTriple());
  return work;
}

Function *Compiler::operation(Module &module, const Operation &operation,
                              Variant variant) {
  std::string symbol = PREFIX.str() + operation.name;
  if (variant == Variant::saturating)
    symbol += "_sat";
  if (Function *known = module.getFunction(symbol))
    return known;
  if (!operations->names->getFunction(symbol))
    return nullptr;
  LLVMContext &context = module.getContext();
  using llvm::Type;
  Type *i64 = Type::getInt64Ty(context), *i32 = Type::getInt32Ty(context),
       *i1 = Type::getInt1Ty(context), *ptr = PointerType::get(context, 0);
  auto *type =
      FunctionType::get(i64, {i64, i64, i64, i1, i32, i32, i64, ptr}, false);
  auto *function =
      Function::Create(type, GlobalValue::ExternalLinkage, symbol, module);
  function->addParamAttr(3, Attribute::ZExt);
  return function;
}

Error Compiler::link_operations(Work &work) {
  auto library = lazy_operations(*work.context);
  if (!library)
    return library.takeError();
  (*library)->setTargetTriple(work.module->getTargetTriple());
  (*library)->setDataLayout(work.module->getDataLayout());
  // llvm.used would keep every operation alive.
  for (const char *list : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *used = (*library)->getGlobalVariable(list))
      used->eraseFromParent();
  if (Linker::linkModules(*work.module, std::move(*library),
                          Linker::Flags::LinkOnlyNeeded))
    return createStringError("JIT: cannot link the operations");
  own_shared_definitions(*work.module);
  for (Function &function : *work.module) {
    if (function.isDeclaration())
      continue;
    // One processor for all of the module, or nothing would be inlined.
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("tune-cpu");
    function.removeFnAttr("target-features");
    function.addFnAttr("target-cpu", machines[0]->getTargetCPU());
    function.addFnAttr("target-features",
                       machines[0]->getTargetFeatureString());
    if (function.getName().starts_with(PREFIX)) {
      function.setLinkage(GlobalValue::InternalLinkage);
      function.removeFnAttr(Attribute::NoInline);
      function.addFnAttr(Attribute::AlwaysInline);
    }
  }
  return Error::success();
}

/// The registers stay variables: the quick code generator keeps no value from
/// one block to the next but in memory, whatever these passes find.
static void add_quick_passes(FunctionPassManager &passes) {
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
}

static void add_passes(FunctionPassManager &passes) {
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(GVNPass());
  LoopPassManager invariant;
  invariant.addPass(LoopRotatePass());
  invariant.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(invariant),
                                                 /*UseMemorySSA=*/true));
  passes.addPass(DSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
}

void Compiler::optimise(Module &module, Tier tier) {
  PipelineTuningOptions tuning;
  PassBuilder builder(machines[unsigned(tier)].get(), tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
  passes.addPass(GlobalDCEPass());
  FunctionPassManager simplify;
  if (tier == Tier::quick)
    add_quick_passes(simplify);
  else
    add_passes(simplify);
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(simplify)));
  passes.run(module, modules);
}

Expected<std::unique_ptr<MemoryBuffer>> Compiler::generate(Module &module,
                                                           Tier tier) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream out(bytes);
  legacy::PassManager passes;
  MCContext *context = nullptr;
  if (machines[unsigned(tier)]->addPassesToEmitMC(passes, context, out,
                                                  /*DisableVerify=*/true))
    return createStringError("JIT: no object files for this processor");
  passes.run(module);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(bytes), "region");
}

Expected<CompiledCode> Compiler::finish(Work work, Tier tier, unsigned entries,
                                        std::vector<HostPointer> pointers) {
  if (Error error = link_operations(work))
    return error;
  optimise(*work.module, tier);
  auto object = generate(*work.module, tier);
  if (!object)
    return object.takeError();
  return link_object(**object, entries, std::move(pointers));
}

} // namespace gpuexec::emulator::amdgpu::jit
