//===-- emulator/cuda/driver/code.h - Machine code of a module --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a module's image to a code object of the AMD GPU below and the facts of
// its kernels. PTX is translated by gpuexec-ptx, a program of its own; results
// are kept on disk (GPUEXEC_PTX_CACHE: another folder, or "off").
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_CODE_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_CODE_H

#include "emulator/cuda/driver/source.h"

#include <map>
#include <vector>

namespace gpuexec::cuda {

/// What a launch must know of one argument; bytes of the argument block.
struct ParameterFacts {
  uint32_t offset = 0, size = 0;
};

/// An argument that the runtime fills in.
struct HiddenFacts {
  enum Kind {
    block_count, ///< `dimension` counts
    group_size,
    remainder,
    grid_dimensions,
    dynamic_shared,
    private_base,
    shared_base,
    queue,
    zero, ///< whatever has no meaning here
  } kind = zero;
  unsigned dimension = 0;
  uint32_t offset = 0, size = 0;
};

struct KernelFacts {
  std::string symbol; ///< of its descriptor
  std::vector<ParameterFacts> parameters;
  std::vector<HiddenFacts> hidden;
  uint32_t parameters_size = 0; ///< end of the last parameter
  uint32_t kernarg_size = 0;
  uint32_t shared_size = 0, private_size = 0;
  bool dynamic_stack = false;
  uint32_t registers = 0;
  uint32_t max_threads = 0; ///< of a block
};

struct Code {
  std::string object; ///< the code object
  std::map<std::string, KernelFacts> kernels;
  std::vector<std::string> variables; ///< names that the loader knows
};

enum class CodeError {
  none,
  invalid_image,
  no_binary, ///< nothing in it that this device runs
  invalid_ptx,
  no_compiler, ///< gpuexec-ptx is missing or cannot be started
};

/// How kernels run: as waves of the emulated GPU, or as code of this machine's
/// processor (those that are fit for it).
enum class CodeChoice { automatic, waves, host };

struct CodeSettings {
  std::string processor;
  CodeChoice choice = CodeChoice::automatic;
  bool tells_why = false; ///< why a kernel does not run as host code
  int capability = 80;    ///< major * 10 + minor
  /// Where a fat binary has no PTX up to the capability, that for the oldest of
  /// newer processors is taken. A user who asked for a capability has it.
  bool takes_newer = false;
};

/// Makes code of an image. `log`: what the compiler printed, or one line.
CodeError make_code(const Source &source, const CodeSettings &settings,
                    Code &code, std::string &log);

/// Looks into a fat binary without compiling: whether it has something that
/// make_code() can use.
CodeError check_source(const Source &source, const CodeSettings &settings,
                       std::string &log);

/// The PTX of an image that is PTX or a fat binary, which make_code() would
/// translate.
CodeError find_ptx(const Source &source, const CodeSettings &settings,
                   std::string &ptx, std::string &log);

/// What gpuexec-ptx makes of PTX.
enum class Made {
  code_object, ///< for the processor of the settings
  part,        ///< likewise; it may use variables of another code object
  host_code,   ///< for this machine (emulator/cuda/host/library.h)
};

/// Translates PTX by gpuexec-ptx, or takes the result of an earlier run.
CodeError translate(const std::string &ptx, const CodeSettings &settings,
                    Made made, std::string &object, std::string &log);

/// Makes code of PTX, which find_ptx() has found, or of a part of it. made:
/// code_object or part.
CodeError make_code(const std::string &ptx, const CodeSettings &settings,
                    Made made, Code &code, std::string &log);

} // namespace gpuexec::cuda

#endif
