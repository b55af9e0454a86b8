//===-- toolchain/link/codegen.cpp - See codegen.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/link/codegen.h"
#include "toolchain/link/omitted_passes.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/InitializePasses.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/PassRegistry.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace llvm;

namespace gpuexec {

namespace {

// Registers LLVM's options that InitTargetOptionsFromCodeGenFlags() reads.
const codegen::RegisterCodeGenFlags FLAGS;

/// Collects the registers that each function uses, before its code is emitted.
class CountRegisters : public MachineFunctionPass {
public:
  explicit CountRegisters(Registers &found)
      : MachineFunctionPass(id), found(found) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    const MachineRegisterInfo &used = function.getRegInfo();
    const TargetRegisterInfo &registers =
        *function.getSubtarget().getRegisterInfo();
    for (unsigned i = 1; i < registers.getNumRegs(); ++i) {
      const StringRef name = registers.getName(i);
      for (auto [prefix, count] : {std::pair("VGPR", &found.vector),
                                   std::pair("AGPR", &found.accumulation),
                                   std::pair("SGPR", &found.scalar)}) {
        unsigned number;
        StringRef digits = name;
        if (!digits.consume_front(prefix) || digits.getAsInteger(10, number) ||
            number < *count || !used.isPhysRegUsed(i, /*SkipRegMaskTest=*/true))
          continue;
        *count = number + 1;
      }
    }
    return false;
  }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

private:
  static char id;
  Registers &found;
};
char CountRegisters::id;

/// Prints LLVM's messages except remarks in the style of ld.lld. Clears
/// `silent` when it prints one, and sets `failed` at an error.
class Messages : public DiagnosticHandler {
public:
  Messages(bool &silent, bool &failed) : silent(silent), failed(failed) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() == DS_Remark)
      return true;
    static std::mutex printing; // several threads compile
    const std::lock_guard lock(printing);
    silent = false;
    raw_ostream &out = errs();
    out << "gpucc-ld: ";
    switch (info.getSeverity()) {
    case DS_Error:
      failed = true;
      WithColor::error(out);
      break;
    case DS_Warning:
      WithColor::warning(out);
      break;
    default:
      WithColor::note(out);
    }
    DiagnosticPrinterRawOStream printer(out);
    info.print(printer);
    out << '\n';
    return true;
  }

private:
  bool &silent, &failed;
};

Error problem(const Twine &text) {
  return createStringError(inconvertibleErrorCode(), text);
}

/// Adds a function that nobody calls and that uses the registers `least`. LLVM
/// gives a kernel whose callees it does not see as many registers as any
/// function of its module uses.
void use_registers(Module &module, const Registers &least) {
  // Every kernel uses the first scalar registers anyway, and LLVM reserves
  // some.
  constexpr uint32_t FIRST_FREE_SCALAR = 40;
  std::string clobbers;
  for (auto [prefix, count, from] :
       {std::tuple('v', least.vector, 0u),
        std::tuple('a', least.accumulation, 0u),
        std::tuple('s', least.scalar, FIRST_FREE_SCALAR)})
    if (count > from)
      clobbers += formatv("{0}~{{{1}{2}}", clobbers.empty() ? "" : ",", prefix,
                          count - 1);
  if (clobbers.empty())
    return;
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getVoidTy(context), false);
  auto *function =
      Function::Create(type, GlobalValue::ExternalLinkage,
                       "__gpuexec_registers_of_other_pieces", module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  for (const Function &other : module)
    if (other.getCallingConv() == CallingConv::AMDGPU_KERNEL)
      for (const char *name : {"target-cpu", "target-features"})
        if (Attribute attribute = other.getFnAttribute(name);
            attribute.isValid())
          function->addFnAttr(attribute);
  // LLVM counts at least one accumulation register where they are allowed, so
  // they are forbidden if possible. A function that may be in blocks of 1024
  // threads has 128 registers of both kinds together; more need smaller blocks.
  constexpr uint32_t BUDGET = 128;
  if (!least.accumulation && least.vector <= BUDGET) {
    function->addFnAttr("amdgpu-agpr-alloc", "0");
  } else {
    function->addFnAttr("amdgpu-flat-work-group-size", "1,64");
    function->addFnAttr("amdgpu-waves-per-eu", "1,1");
  }
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  builder.CreateCall(type, InlineAsm::get(type, "", clobbers, true));
  builder.CreateRetVoid();
}

/// Removes the section .note from an object.
Error remove_notes(SmallVectorImpl<char> &object) {
  Expected<std::unique_ptr<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(
          MemoryBufferRef(StringRef(object.data(), object.size()), "piece"));
  if (!file)
    return file.takeError();
  objcopy::ConfigManager config;
  if (Error error = config.Common.ToRemove.addMatcher(
          objcopy::NameOrPattern::create(".note", objcopy::MatchStyle::Literal,
                                         [](Error error) { return error; })))
    return error;
  config.Common.OutputFilename = "-";
  SmallVector<char, 0> smaller;
  raw_svector_ostream out(smaller);
  if (Error error = objcopy::executeObjcopyOnBinary(config, **file, out))
    return error;
  object.assign(smaller.begin(), smaller.end());
  return Error::success();
}

/// Passes on to another manager the passes that are added to it, except
/// some.
class PassesWithout : public legacy::PassManagerBase {
public:
  PassesWithout(legacy::PassManagerBase &passes,
                SmallVector<AnalysisID> omitted)
      : passes(passes), omitted(std::move(omitted)) {}

  void add(Pass *pass) override {
    if (is_contained(omitted, pass->getPassID()))
      delete pass;
    else
      passes.add(pass);
  }

private:
  legacy::PassManagerBase &passes;
  SmallVector<AnalysisID> omitted;
};

/// Compiles the module by LLVM's own pipeline, with the passes of plugins, and
/// CountRegisters before the last pass.
Error make_object(Module &module, TargetMachine &machine, bool one_thread,
                  ObjectCode &result) {
  legacy::PassManager passes;
  PassesWithout wanted(passes, omitted_passes(module, one_thread));
  passes.add(new TargetLibraryInfoWrapperPass(
      TargetLibraryInfoImpl(module.getTargetTriple())));
  TargetPassConfig *config = machine.createPassConfig(wanted);
  invokeGlobalTargetPassConfigCallbacks(machine, passes, config);
  auto *info = new MachineModuleInfoWrapperPass(&machine);
  passes.add(config);
  passes.add(info);
  if (config->addISelPasses())
    return problem("LLVM has no code generator for this processor");
  config->addMachinePasses();
  config->setInitialized();
  passes.add(new CountRegisters(result.registers));
  raw_svector_ostream out(result.object);
  if (machine.addAsmPrinter(passes, out, nullptr, CodeGenFileType::ObjectFile,
                            info->getMMI().getContext()))
    return problem("LLVM makes no object files for this processor");
  passes.add(createFreeMachineFunctionPass());
  passes.run(module);
  return Error::success();
}

} // namespace

void Registers::raise_to(const Registers &other) {
  vector = std::max(vector, other.vector);
  accumulation = std::max(accumulation, other.accumulation);
  scalar = std::max(scalar, other.scalar);
}

Error initialize_codegen(const std::vector<std::string> &options,
                         const std::vector<std::string> &plugins) {
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  InitializeAllAsmParsers();
  PassRegistry &registry = *PassRegistry::getPassRegistry();
  initializeCore(registry);
  initializeCodeGen(registry);
  initializeTarget(registry);
  std::vector<const char *> arguments = {"gpucc-ld"};
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  cl::ParseCommandLineOptions(arguments.size(), arguments.data());
  for (const std::string &path : plugins)
    if (Expected<PassPlugin> plugin = PassPlugin::Load(path); !plugin)
      return plugin.takeError();
  return Error::success();
}

Expected<ObjectCode> compile(MemoryBufferRef bitcode,
                             const CodeGenSettings &settings, bool kernels,
                             const Registers &least) {
  ObjectCode result;
  bool failed = false;
  LLVMContext context;
  context.setDiagnosticHandler(
      std::make_unique<Messages>(result.silent, failed));
  context.setDiscardValueNames(true);
  Expected<std::unique_ptr<Module>> module = parseBitcodeFile(bitcode, context);
  if (!module)
    return module.takeError();
  const Triple &triple = (*module)->getTargetTriple();
  std::string missing;
  const Target *target = TargetRegistry::lookupTarget(triple, missing);
  if (!target)
    return problem(missing);
  TargetOptions options = codegen::InitTargetOptionsFromCodeGenFlags(triple);
  options.FunctionSections = options.DataSections = true;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, settings.processor, join(settings.attributes, ","), options,
      Reloc::PIC_, std::nullopt, settings.level));
  if (!machine)
    return problem("LLVM cannot compile for " + settings.processor);
  if (kernels)
    use_registers(**module, least);
  if (Error error =
          make_object(**module, *machine, settings.one_thread, result))
    return error;
  if (failed)
    return problem("code generation failed");
  if (!kernels)
    if (Error error = remove_notes(result.object))
      return error;
  return result;
}

} // namespace gpuexec
