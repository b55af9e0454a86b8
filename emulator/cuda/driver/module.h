//===-- emulator/cuda/driver/module.h - Modules and functions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module is an image and, once something of it is needed, loaded code
// objects. Of a fat binary each kernel is compiled when the program first asks
// for it, where that is possible (kernel_texts.h), and else all of it when the
// program first asks for a function or variable; other images at once.
// Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_MODULE_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_MODULE_H

#include "emulator/cuda/driver/code.h"
#include "emulator/cuda/driver/hsa.h"
#include "emulator/cuda/driver/kernel_texts.h"
#include "emulator/cuda/driver/services.h"
#include "emulator/cuda/driver/types.h"
#include "emulator/cuda/host/library.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace gpuexec::cuda {

class TextureReference;

/// A code object in the device's memory.
class Executable {
public:
  Executable(const Hsa &hsa, std::shared_ptr<Services> services)
      : services(std::move(services)), hsa(hsa) {}
  Executable(const Executable &) = delete;
  ~Executable();
  /// Loads `code`, which the caller has filled in.
  bool load(std::string &log);
  /// The address of a kernel's descriptor; 0: there is none.
  uint64_t kernel(const std::string &symbol) const;
  /// A variable; size 0: there is none.
  DeviceRange variable(const std::string &name) const;
  /// Tells a part where the variables are that another code object defines;
  /// null: none does. False, with a reason in `log`, if one is missing.
  bool connect(const Executable *definitions, std::string &log) const;

  Code code;
  /// What its kernels ask of the host; null: they ask for nothing.
  std::shared_ptr<Services> services;

private:
  bool find(const std::string &name, hsa_executable_symbol_t &symbol) const;
  bool attach(std::string &log);
  const Hsa &hsa;
  hsa_executable_t handle{};
  hsa_code_object_reader_t reader{};
};

struct Function {
  std::string name;
  std::shared_ptr<Executable> executable; ///< null: `host` is all there is
  /// Its code for this machine's processor; null: it runs as waves.
  const host::Kernel *host = nullptr;
  std::shared_ptr<host::Library> library; ///< holds `host`
  const KernelFacts *facts = nullptr;
  uint64_t kernel_object = 0;
  const void *module = nullptr, *context = nullptr; ///< where it belongs
  /// As the program has set it (CU_FUNC_ATTRIBUTE_*).
  std::atomic<int> max_dynamic_shared{0}, carveout{-1};
};

class Module {
public:
  Module(const Hsa &hsa, CodeSettings settings,
         std::shared_ptr<Services> services, Source source)
      : hsa(hsa), settings(std::move(settings)), services(std::move(services)),
        source(std::move(source)) {}

  /// Checks the image; compiles and loads it unless it is a fat binary. `log`:
  /// the reason of an error.
  CUresult prepare(std::string &log);
  /// Functions live as long as the module.
  CUresult function(const std::string &name, std::shared_ptr<Function> &found);
  CUresult variable(const std::string &name, DeviceRange &range);
  /// A texture or surface reference: one object for each variable.
  CUresult reference(const std::string &name,
                     std::shared_ptr<TextureReference> &found);
  /// The names of all kernels.
  CUresult names(std::vector<std::string> &names);

  const void *context = nullptr;

private:
  /// Compiles and loads, the first time. Needs the mutex.
  CUresult load(std::string &log);
  /// load() for who has no place for the log, which goes to standard error.
  CUresult load();
  /// Host code, code of the device, or both, of all kernels.
  CUresult load_whole(const std::string &ptx, std::string &log);
  /// The variables of `texts`.
  CUresult load_variables(std::string &log);
  CUresult keep(CodeError error, std::shared_ptr<Executable> made,
                std::string &log);
  /// Compiles and loads one kernel of `texts`. Null, with `error` set, when it
  /// cannot be.
  std::shared_ptr<Function> make_part_function(const std::string &name,
                                               CUresult &error);
  /// The one of a kernel of what is loaded; null: there is none.
  std::shared_ptr<Function> make_function(const std::string &name);
  /// Host code of a text; null if the settings do not permit it, or it is not
  /// fit.
  std::shared_ptr<host::Library> load_host(const std::string &ptx);

  const Hsa &hsa;
  const CodeSettings settings;
  const std::shared_ptr<Services> services; ///< of the context
  std::mutex mutex;                         // guards the members below
  Source source;
  CUresult result = CUDA_SUCCESS; ///< of the first load()
  bool is_loaded = false;
  /// Null: all kernels are loaded together.
  std::unique_ptr<KernelTexts> texts;
  /// With `texts` it has the variables alone. Null: `library` is enough, or
  /// there are no variables.
  std::shared_ptr<Executable> executable;
  std::shared_ptr<host::Library> library;   ///< null: all kernels run as waves
  std::map<std::string, KernelFacts> facts; ///< of the loaded kernels
  std::map<std::string, std::shared_ptr<Function>> functions;
  std::map<std::string, std::shared_ptr<TextureReference>> references;
};

/// The values of the interface for errors of compilations and images.
CUresult result_of(CodeError error);
CUresult result_of(SourceError error);

/// Reads an image and makes a module of it.
CUresult make_module(const Hsa &hsa, const CodeSettings &settings,
                     const std::shared_ptr<Services> &services,
                     const void *image, std::shared_ptr<Module> &module,
                     std::string &log);

} // namespace gpuexec::cuda

#endif
