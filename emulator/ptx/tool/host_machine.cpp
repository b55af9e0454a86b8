//===-- emulator/ptx/tool/host_machine.cpp - Code for this processor ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/tool/compile.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <mutex>

using namespace llvm;

namespace gpuexec::ptx {

Expected<std::unique_ptr<TargetMachine>> make_host_machine() {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  const Triple triple(sys::getDefaultTargetTriple());
  std::string missing;
  const Target *target = TargetRegistry::lookupTarget(triple, missing);
  if (!target)
    return createStringError("error: " + missing);
  const StringMap<bool> known = sys::getHostCPUFeatures();
  // A fused multiply-add would be a call of the C library.
  if (triple.isX86() && !known.lookup("fma"))
    return createStringError("error: this processor has no FMA");
  SubtargetFeatures features;
  // Conversions to bfloat take subnormal numbers for zeros there.
  const auto is_wrong = [](StringRef name) {
    return name == "avx512bf16" || name == "amx-bf16" || name == "avxneconvert";
  };
  for (const auto &[name, is_there] : known)
    features.AddFeature(name, is_there && !is_wrong(name));
  for (StringRef name : {"avx512bf16", "amx-bf16", "avxneconvert"})
    if (triple.isX86())
      features.AddFeature(name, false);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Strict;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, sys::getHostCPUName(), features.getString(), options, Reloc::PIC_,
      std::nullopt, CodeGenOptLevel::Default));
}

} // namespace gpuexec::ptx
