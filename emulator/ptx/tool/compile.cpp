//===-- emulator/ptx/tool/compile.cpp - See compile.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which passes of toolchain/passes/passes.def code made of PTX needs, by kind
// and stage (those for AMD or All):
//
//   fixes, Backend and later   all, by toolchain/passes/shared/machine_code.h,
//                              and its guards of LLVM's optimiser
//   fixes, Start and Compile   none: faults of clang, whose code for AMD this
//                              is not
//   fixes, Link                note_target: close_module() does it;
//                              agree_on_structures: PTX has one way to pass
//                              them; share_static_variables: GlobalsAA trusts
//                              internal variables only, and those of PTX that
//                              are in memory are external (lower/variables.cpp;
//                              .shared ones end in assumptions of LLVM's about
//                              barriers, which hold)
//   language, openmp, speed    none: for PTX of gpucc they have run before it
//                              was written, in their form for NVIDIA; a
//                              division by zero (trap_divisions) does not trap
#include "emulator/ptx/tool/compile.h"
#include "emulator/ptx/host/host_module.h"
#include "emulator/ptx/lower/module.h"
#include "toolchain/passes/shared/machine_code.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/AMDGPUAddrSpace.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include <mutex>

using namespace llvm;

namespace gpuexec::ptx {

namespace {

Expected<std::unique_ptr<TargetMachine>>
make_machine(const Triple &triple, const CompileSettings &settings) {
  if (!triple.isAMDGPU())
    return make_host_machine();
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser(); // of inline assembly
    static constexpr const char *OPTIONS[] = {"gpuexec-ptx",
                                              GPUEXEC_PTX_LLVM_OPTIONS};
    cl::ParseCommandLineOptions(int(std::size(OPTIONS)), OPTIONS);
  });
  std::string missing;
  const Target *target = TargetRegistry::lookupTarget(triple, missing);
  if (!target)
    return createStringError("error: " + missing);
  static constexpr CodeGenOptLevel LEVELS[] = {
      CodeGenOptLevel::None, CodeGenOptLevel::Less, CodeGenOptLevel::Default,
      CodeGenOptLevel::Aggressive};
  // A machine would print its own message about an unknown processor.
  const std::unique_ptr<MCSubtargetInfo> processors(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!processors || !processors->isCPUStringValid(settings.processor))
    return createStringError("error: LLVM has no processor " +
                             settings.processor);
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, settings.processor, "", TargetOptions(), Reloc::PIC_,
      std::nullopt, LEVELS[std::min(settings.level, 3u)]));
}

/// Keeps LLVM's errors of code generation instead of printing them.
class KeptErrors : public DiagnosticHandler {
public:
  explicit KeptErrors(std::string &text) : text(text) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream out(text);
    DiagnosticPrinterRawOStream printer(out);
    printer << (text.empty() ? "error: " : "; ");
    info.print(printer);
    return true;
  }

private:
  std::string &text;
};

/// Keeps the errors of a context in `text`, as long as it lives.
class KeptErrorsOf {
public:
  KeptErrorsOf(LLVMContext &context, std::string &text) : context(context) {
    before = context.getDiagnosticHandler();
    context.setDiagnosticHandler(std::make_unique<KeptErrors>(text));
  }
  ~KeptErrorsOf() { context.setDiagnosticHandler(std::move(before)); }

private:
  LLVMContext &context;
  std::unique_ptr<DiagnosticHandler> before;
};

/// Adds the functions of the device library that are called.
Error link_device_library(llvm::Module &module, StringRef bitcode) {
  Expected<std::unique_ptr<llvm::Module>> library = getLazyBitcodeModule(
      MemoryBufferRef(bitcode, "the device library"), module.getContext());
  if (!library)
    return library.takeError();
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    return createStringError("error: the device library cannot be linked");
  return Error::success();
}

/// Makes each llvm.trap an `s_trap 2` in assembly. LLVM 22 stops expanding
/// pseudo instructions at the first llvm.trap of a function for gfx11.
void replace_traps(llvm::Module &module) {
  llvm::Function *trap = module.getFunction("llvm.trap");
  if (!trap)
    return;
  FunctionType *type = trap->getFunctionType();
  InlineAsm *text =
      InlineAsm::get(type, "s_trap 2", "", /*hasSideEffects=*/true);
  for (User *user : make_early_inc_range(trap->users())) {
    auto *call = cast<CallInst>(user);
    CallInst *other = CallInst::Create(type, text, "", call->getIterator());
    other->setDebugLoc(call->getDebugLoc());
    call->eraseFromParent();
  }
}

/// Texts that stand one behind the other in one input (what a link of libcuda
/// makes) as inputs: each begins with a line that begins with `.version`.
SmallVector<Input> separate(ArrayRef<Input> inputs) {
  constexpr StringRef BEGIN = "\n.version";
  SmallVector<Input> parts;
  for (const Input &input : inputs) {
    StringRef rest = input.text;
    size_t first = rest.starts_with(BEGIN.drop_front()) ? 0 : rest.find(BEGIN);
    while (first != StringRef::npos) {
      const size_t next = rest.find(BEGIN, first + BEGIN.size());
      if (next == StringRef::npos)
        break;
      parts.push_back({rest.take_front(next + 1), input.name});
      rest = rest.drop_front(next + 1);
      first = 0;
    }
    parts.push_back({rest, input.name});
  }
  return parts;
}

/// Hides static variables whose name both modules have. IRMover then renames.
void hide_static(llvm::Module &one, llvm::Module &other) {
  auto hide = [](GlobalVariable *variable) {
    if (!variable || !is_static(*variable))
      return;
    variable->setVisibility(GlobalValue::DefaultVisibility);
    variable->setLinkage(GlobalValue::InternalLinkage);
  };
  for (GlobalVariable &variable : other.globals())
    if (GlobalVariable *twin = one.getNamedGlobal(variable.getName())) {
      hide(twin);
      hide(&variable);
    }
}

/// Nothing but kernels and variables is seen from outside, and every function
/// is for the processor.
Error close_module(llvm::Module &module, StringRef processor) {
  for (llvm::Function &function : module) {
    if (function.isIntrinsic())
      continue;
    function.addFnAttr("target-cpu", processor);
    function.removeFnAttr("target-features");
    if (function.isDeclaration()) {
      if (!function.use_empty())
        return createStringError("error: the function '" + function.getName() +
                                 "' is not defined");
    } else if (function.getCallingConv() != CallingConv::AMDGPU_KERNEL) {
      function.setVisibility(GlobalValue::DefaultVisibility);
      function.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  for (const GlobalVariable &variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty() &&
        variable.getAddressSpace() != AMDGPUAS::LOCAL_ADDRESS)
      return createStringError("error: the variable '" + variable.getName() +
                               "' is not defined");
  return Error::success();
}

void optimize(llvm::Module &module, TargetMachine &machine, unsigned level) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassInstrumentationCallbacks callbacks;
  if (module.getTargetTriple().isAMDGPU())
    guard_optimizer(callbacks);
  PassBuilder builder(&machine, PipelineTuningOptions(), std::nullopt,
                      &callbacks);
  // No name is a C library's: malloc is what the program calls so.
  TargetLibraryInfoImpl library(module.getTargetTriple());
  library.disableAllFunctions();
  functions.registerPass([&] { return TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes;
  if (level == 0) {
    // Registers in memory would make the code many times slower.
    passes.addPass(
        createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::ModifyCFG)));
    passes.addPass(builder.buildO0DefaultPipeline(OptimizationLevel::O0));
  } else {
    static const OptimizationLevel LEVELS[] = {
        OptimizationLevel::O1, OptimizationLevel::O2, OptimizationLevel::O3};
    passes.addPass(
        builder.buildPerModuleDefaultPipeline(LEVELS[std::min(level, 3u) - 1]));
  }
  passes.run(module, modules);
}

/// The lowered texts in one module.
Expected<std::unique_ptr<llvm::Module>>
lower_all(ArrayRef<Input> inputs, const Triple &triple, LLVMContext &context) {
  std::string errors;
  const KeptErrorsOf kept(context, errors);
  std::unique_ptr<llvm::Module> whole;
  const SmallVector<Input> parts = separate(inputs);
  if (!triple.isAMDGPU() && parts.size() > 1)
    return createStringError("error: several texts are not for the host");
  for (const Input &input : parts) {
    Expected<Module> parsed = parse(input.text, input.name);
    if (!parsed)
      return parsed.takeError();
    Expected<std::unique_ptr<llvm::Module>> lowered =
        lower(*parsed, input.name, context, parts.size() > 1, triple);
    if (!lowered)
      return lowered.takeError();
    std::string problems;
    raw_string_ostream out(problems);
    if (verifyModule(**lowered, &out))
      return createStringError(input.name + ":1: error: it cannot be " +
                               "compiled: " + StringRef(problems).trim());
    if (whole)
      hide_static(*whole, **lowered);
    if (!whole)
      whole = std::move(*lowered);
    else if (Linker::linkModules(*whole, std::move(*lowered)))
      return createStringError(input.name + ":1: " + errors);
  }
  if (!whole)
    return createStringError("error: there is no PTX");
  return whole;
}

} // namespace

Expected<std::unique_ptr<llvm::Module>>
make_host_code(ArrayRef<Input> inputs, unsigned level, LLVMContext &context) {
  Expected<std::unique_ptr<TargetMachine>> machine = make_host_machine();
  if (!machine)
    return machine.takeError();
  Expected<std::unique_ptr<llvm::Module>> lowered =
      lower_all(inputs, (*machine)->getTargetTriple(), context);
  if (!lowered)
    return lowered;
  llvm::Module &module = **lowered;
  module.setDataLayout((*machine)->createDataLayout());
  if (Error error = link_device_library(module, host_library()))
    return error;
  for (llvm::Function &function : module)
    if (!function.isIntrinsic()) {
      function.removeFnAttr("target-cpu");
      function.removeFnAttr("target-features");
      function.removeFnAttr("tune-cpu");
    }
  host::make_host_module(module, **machine);
  std::string problems;
  raw_string_ostream out(problems);
  if (verifyModule(module, &out))
    return createStringError("error: host code: " + problems);
  if (level)
    optimize(module, **machine, 2);
  return lowered;
}

Expected<std::unique_ptr<llvm::Module>>
make_module(ArrayRef<Input> inputs, const CompileSettings &settings,
            LLVMContext &context) {
  if (settings.is_host)
    return make_host_code(inputs, settings.level, context);
  std::string errors;
  const KeptErrorsOf kept(context, errors);
  Expected<std::unique_ptr<llvm::Module>> lowered =
      lower_all(inputs, Triple("amdgcn-amd-amdhsa"), context);
  if (!lowered)
    return lowered;
  std::unique_ptr<llvm::Module> whole = std::move(*lowered);
  Expected<std::unique_ptr<TargetMachine>> machine =
      make_machine(whole->getTargetTriple(), settings);
  if (!machine)
    return machine.takeError();
  if (Error error = link_device_library(*whole, device_library()))
    return error;
  if (settings.has_external_variables)
    reach_external_variables(*whole);
  if (Error error = close_module(*whole, settings.processor))
    return createStringError(inputs[0].name +
                             ":1: " + toString(std::move(error)));
  replace_traps(*whole);
  optimize(*whole, **machine, settings.level);
  keep_frame_addresses_in_vectors(*whole);
  fix_before_code_generation(*whole);
  return whole;
}

Expected<SmallVector<char, 0>> make_object(llvm::Module &module,
                                           const CompileSettings &settings) {
  static const RegisterTargetPassConfigCallback with_fixes(
      [](TargetMachine &machine, legacy::PassManagerBase &,
         TargetPassConfig *config) {
        if (machine.getTargetTriple().isAMDGPU())
          add_code_generation_stages(machine, config);
      });
  Expected<std::unique_ptr<TargetMachine>> machine =
      make_machine(module.getTargetTriple(), settings);
  if (!machine)
    return machine.takeError();
  std::string errors;
  const KeptErrorsOf kept(module.getContext(), errors);
  SmallVector<char, 0> object;
  raw_svector_ostream out(object);
  legacy::PassManager passes;
  TargetLibraryInfoImpl library(module.getTargetTriple());
  library.disableAllFunctions();
  passes.add(new TargetLibraryInfoWrapperPass(library));
  if ((*machine)->addPassesToEmitFile(passes, out, nullptr,
                                      CodeGenFileType::ObjectFile))
    return createStringError("error: LLVM makes no object files for " +
                             settings.processor);
  passes.run(module);
  if (!errors.empty())
    return createStringError(errors);
  return object;
}

Expected<SmallVector<char, 0>> compile(ArrayRef<Input> inputs,
                                       const CompileSettings &settings) {
  LLVMContext context;
  context.setDiscardValueNames(true);
  Expected<std::unique_ptr<llvm::Module>> module =
      make_module(inputs, settings, context);
  if (!module)
    return module.takeError();
  Expected<SmallVector<char, 0>> object = make_object(**module, settings);
  if (!object)
    return object.takeError();
  return link_object(*object, settings.is_host);
}

} // namespace gpuexec::ptx
