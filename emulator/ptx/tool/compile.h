//===-- emulator/ptx/tool/compile.h - PTX to a code object -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_TOOL_COMPILE_H
#define GPUEXEC_EMULATOR_PTX_TOOL_COMPILE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>
#include <string>

namespace gpuexec::ptx {

struct CompileSettings {
  std::string processor = "gfx1100";
  unsigned level = 2; ///< 0 to 3, of optimisation
  /// A shared library for this machine's processor (emulator/ptx/host/abi.h)
  /// instead of a code object.
  bool is_host = false;
  /// Variables may be defined elsewhere: see reach_external_variables(). Host
  /// code reaches all variables by addresses that its caller fills in.
  bool has_external_variables = false;
};

/// A PTX text, or several one behind the other, and how messages call it.
struct Input {
  llvm::StringRef text, name;
};

/// The optimised module of several PTX texts, which see each other's .visible
/// functions and variables, with what they need of the device library.
llvm::Expected<std::unique_ptr<llvm::Module>>
make_module(llvm::ArrayRef<Input> inputs, const CompileSettings &settings,
            llvm::LLVMContext &context);

/// A relocatable ELF file of the module.
llvm::Expected<llvm::SmallVector<char, 0>>
make_object(llvm::Module &module, const CompileSettings &settings);

/// Makes code reach each variable in memory that the module only declares by an
/// address in a variable of 64 bits (GPUEXEC_CUDA_EXTERNAL), which who loads the
/// code object fills in. external_variables.cpp
void reach_external_variables(llvm::Module &module);

/// Works around a fault of LLVM's code generator. frame_addresses.cpp
void keep_frame_addresses_in_vectors(llvm::Module &module);

/// A code object (or shared library) of a relocatable file, by ld.lld. link.cpp
llvm::Expected<llvm::SmallVector<char, 0>>
link_object(llvm::ArrayRef<char> object, bool is_host = false);

/// All of it.
llvm::Expected<llvm::SmallVector<char, 0>>
compile(llvm::ArrayRef<Input> inputs, const CompileSettings &settings);

/// The bitcode of emulator/ptx/device/.
llvm::StringRef device_library();
/// What it is for host code.
llvm::StringRef host_library();

/// LLVM's code generator for this machine's processor. host_machine.cpp
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> make_host_machine();

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_TOOL_COMPILE_H
