//===-- emulator/cuda/runtime/program.h - A program's device code ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program's constructors have registered: fat binaries, and the kernels
// and variables that stand for things of them. A fat binary becomes a module of
// a context when something of it is used there. The interface has no handle for
// all of this, so the process has one object. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_RUNTIME_PROGRAM_H
#define GPUEXEC_EMULATOR_CUDA_RUNTIME_PROGRAM_H

#include "emulator/cuda/runtime/types.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace gpuexec::cudart {

class Program {
public:
  static Program &get();

  /// A managed variable. nvcc's is one of the device in managed memory. Of
  /// gpucc's, the device has a pointer NAME and initial values NAME__managed.
  struct Managed {
    void **place = nullptr; ///< where the program keeps its address
    std::string name;
    CUcontext context = nullptr; ///< in which `memory` was allocated
    CUdeviceptr memory = 0;
    size_t size = 0;
  };
  struct Binary {
    const void *image = nullptr;
    /// Of device code that may use that of other binaries (-rdc=true): the
    /// program or shared library that it is in. Else null.
    const void *linked_in = nullptr;
    std::map<CUcontext, CUmodule> modules;
    std::vector<Managed> managed;
  };
  struct Variable {
    CUdeviceptr address = 0;
    size_t size = 0;
  };

  Binary *add(const void *image);
  /// Forgets the binary and all that belongs to it, and unloads its modules.
  void remove(Binary *binary);
  void add_kernel(Binary *binary, const void *host, const char *name);
  void add_variable(Binary *binary, const void *host, const char *name);
  void add_managed(Binary *binary, void **place, const char *name);
  /// Fills in the addresses of a binary's managed variables, unless it is
  /// linked with others, which may not be known yet: the first use of those
  /// does that.
  cudaError_t place_managed(Binary *binary);

  /// The kernel that a host function stands for, in the calling thread's
  /// context. InvalidDeviceFunction when it stands for none.
  cudaError_t kernel(const void *host, CUfunction &function);
  /// The host function that stands for a kernel; null if there is none.
  const void *host_of(CUfunction function);
  /// As kernel(); InvalidSymbol.
  cudaError_t variable(const void *host, Variable &variable);
  /// A texture or surface reference. `reads_normalized`: integers are read as
  /// numbers between -1 and 1.
  void add_reference(Binary *binary, const void *host, const char *name,
                     bool reads_normalized);
  bool is_reference(const void *host);
  /// As kernel(); InvalidTexture and InvalidSurface.
  cudaError_t texture(const void *host, CUtexref &texture,
                      bool &reads_normalized);
  cudaError_t surface(const void *host, CUsurfref &surface);
  /// Forgets modules of a context that is gone.
  void forget(CUcontext context);

private:
  struct Symbol {
    Binary *binary = nullptr;
    std::string name;
    std::map<CUcontext, CUfunction> functions;
    bool reads_normalized = false;
  };
  /// `get(module, name, symbol)` of what is registered at an address, in the
  /// calling thread's context; `missing`: the error where there is nothing.
  template <typename Get>
  cudaError_t ask(const std::unordered_map<const void *, Symbol> &symbols,
                  const void *host, cudaError_t missing, Get get);
  /// Whether a managed variable of gpucc's is at the address.
  bool find_managed(const void *address, Variable &variable);
  // These need the mutex.
  /// The binary's module in the context, which is loaded the first time.
  cudaError_t module(Binary &binary, CUcontext context, CUmodule &module);
  /// Loads the module of a binary, and of all that are linked with it.
  CUresult load(Binary &binary, CUcontext context);
  /// Makes one module of several binaries.
  CUresult link(const std::vector<Binary *> &together, CUmodule &module);
  /// Allocates a managed variable, the first time, and tells the module where
  /// it is.
  CUresult connect(Managed &one, CUcontext context, CUmodule module);

  std::mutex mutex; // guards the members below
  std::vector<std::unique_ptr<Binary>> binaries;
  std::unordered_map<const void *, Symbol> kernels, variables, references;
};

} // namespace gpuexec::cudart

#endif
