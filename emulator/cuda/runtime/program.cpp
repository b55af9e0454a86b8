//===-- emulator/cuda/runtime/program.cpp - See program.h -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/runtime/program.h"
#include "emulator/cuda/runtime/thread.h"
#include "gpu/fat_binary.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

namespace gpuexec::cudart {

namespace {

/// What the driver takes as a module. NVIDIA's takes no wrapper there.
const void *module_image(const void *image) {
  FatBinaryWrapper wrapper;
  memcpy(&wrapper.magic, image, sizeof(wrapper.magic));
  if (wrapper.magic != FAT_BINARY_WRAPPER_MAGIC)
    return image;
  memcpy(&wrapper, image, sizeof(wrapper));
  return wrapper.version == 1
             ? reinterpret_cast<const void *>(wrapper.fat_binary)
             : image;
}

/// The program or shared library with the image, if the image is linked with
/// others; else null.
const void *linked_in(const void *image) {
  FatBinaryHeader file;
  FatBinaryEntry entry;
  Dl_info object;
  memcpy(&file.magic, image, sizeof(file.magic));
  if (file.magic != FAT_BINARY_MAGIC)
    return nullptr;
  memcpy(&file, image, sizeof(file));
  if (file.size < sizeof(entry))
    return nullptr;
  memcpy(&entry, static_cast<const char *>(image) + file.header_size,
         sizeof(entry));
  return (entry.flags & FAT_BINARY_RELOCATABLE) && dladdr(image, &object)
             ? object.dli_fbase
             : nullptr;
}

/// Adds a fat binary to a link.
CUresult add_to(CUlinkState link, const void *image) {
  FatBinaryHeader file;
  memcpy(&file, image, sizeof(file));
  return cuLinkAddData(link, CU_JIT_INPUT_FATBINARY, const_cast<void *>(image),
                       file.header_size + file.size, "device code", 0, nullptr,
                       nullptr);
}

} // namespace

Program &Program::get() {
  static Program *program = new Program; // constructors of a program use it
  return *program;
}

Program::Binary *Program::add(const void *image) {
  std::lock_guard guard(mutex);
  binaries.push_back(std::make_unique<Binary>());
  binaries.back()->image = module_image(image);
  binaries.back()->linked_in = linked_in(binaries.back()->image);
  return binaries.back().get();
}

void Program::remove(Binary *binary) {
  std::lock_guard guard(mutex);
  auto found =
      std::find_if(binaries.begin(), binaries.end(),
                   [&](const auto &other) { return other.get() == binary; });
  if (found == binaries.end())
    return;
  auto belongs = [&](const auto &entry) {
    return entry.second.binary == binary;
  };
  std::erase_if(kernels, belongs);
  std::erase_if(variables, belongs);
  std::erase_if(references, belongs);
  binaries.erase(found); // its modules end with their contexts
}

void Program::add_kernel(Binary *binary, const void *host, const char *name) {
  std::lock_guard guard(mutex);
  kernels[host] = {binary, name, {}, false};
}

void Program::add_variable(Binary *binary, const void *host, const char *name) {
  std::lock_guard guard(mutex);
  variables[host] = {binary, name, {}, false};
}

void Program::add_managed(Binary *binary, void **place, const char *name) {
  std::lock_guard guard(mutex);
  binary->managed.push_back({place, name});
  variables[place] = {binary, name, {}, false};
}

cudaError_t Program::module(Binary &binary, CUcontext context,
                            CUmodule &module) {
  auto kept = binary.modules.find(context);
  if (kept == binary.modules.end()) {
    const CUresult error = load(binary, context);
    if (error)
      return cudaError_t(error);
    kept = binary.modules.find(context);
  }
  module = kept->second;
  return cudaSuccess;
}

CUresult Program::load(Binary &binary, CUcontext context) {
  std::vector<Binary *> together = {&binary};
  if (binary.linked_in) {
    together.clear();
    for (const auto &each : binaries)
      if (each->linked_in == binary.linked_in)
        together.push_back(each.get());
  }
  CUmodule module = nullptr;
  CUresult error = binary.linked_in ? link(together, module)
                                    : cuModuleLoadData(&module, binary.image);
  if (error)
    return error;
  for (Binary *each : together)
    for (Managed &one : each->managed)
      if (!error)
        error = connect(one, context, module);
  if (error) {
    cuModuleUnload(module);
    return error;
  }
  for (Binary *each : together)
    each->modules[context] = module;
  return CUDA_SUCCESS;
}

CUresult Program::connect(Managed &one, CUcontext context, CUmodule module) {
  CUdeviceptr pointer = 0, initial = 0, memory = 0;
  size_t size = 0;
  if (CUresult error =
          cuModuleGetGlobal(&pointer, nullptr, module, one.name.c_str()))
    return error;
  if (cuModuleGetGlobal(&initial, &size, module,
                        (one.name + "__managed").c_str())) {
    *one.place = reinterpret_cast<void *>(pointer); // it is nvcc's
    return CUDA_SUCCESS;
  }
  if (!one.memory) {
    if (CUresult error = cuMemAllocManaged(&memory, size, CU_MEM_ATTACH_GLOBAL))
      return error;
    if (CUresult error =
            cuMemcpyDtoH(reinterpret_cast<void *>(memory), initial, size)) {
      cuMemFree(memory);
      return error;
    }
    one.context = context;
    one.memory = memory;
    one.size = size;
    *one.place = reinterpret_cast<void *>(memory);
  }
  return cuMemcpyHtoD(pointer, &one.memory, sizeof(one.memory));
}

CUresult Program::link(const std::vector<Binary *> &together,
                       CUmodule &module) {
  CUlinkState state = nullptr;
  if (CUresult error = cuLinkCreate(0, nullptr, nullptr, &state))
    return error;
  CUresult error = CUDA_SUCCESS;
  for (const Binary *each : together)
    if (!error)
      error = add_to(state, each->image);
  void *image = nullptr;
  if (!error)
    error = cuLinkComplete(state, &image, nullptr);
  if (!error)
    error = cuModuleLoadData(&module, image);
  cuLinkDestroy(state);
  return error;
}

cudaError_t Program::place_managed(Binary *binary) {
  if (binary->managed.empty() || binary->linked_in)
    return cudaSuccess;
  CUcontext context = nullptr;
  if (cudaError_t error = make_current(context))
    return error;
  std::lock_guard guard(mutex);
  CUmodule loaded = nullptr;
  return module(*binary, context, loaded);
}

cudaError_t Program::kernel(const void *host, CUfunction &function) {
  CUcontext context = nullptr;
  if (cudaError_t error = make_current(context))
    return error;
  std::lock_guard guard(mutex);
  auto found = kernels.find(host);
  if (found == kernels.end())
    return cudaErrorInvalidDeviceFunction;
  Symbol &symbol = found->second;
  CUfunction &kept = symbol.functions[context];
  if (!kept) {
    CUmodule module = nullptr;
    if (cudaError_t error = this->module(*symbol.binary, context, module))
      return error;
    if (CUresult error =
            cuModuleGetFunction(&kept, module, symbol.name.c_str())) {
      symbol.functions.erase(context);
      return error == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction
                                           : cudaError_t(error);
    }
  }
  function = kept;
  return cudaSuccess;
}

const void *Program::host_of(CUfunction function) {
  std::lock_guard guard(mutex);
  for (const auto &[host, symbol] : kernels)
    for (const auto &[context, known] : symbol.functions)
      if (known == function)
        return host;
  return nullptr;
}

template <typename Get>
cudaError_t
Program::ask(const std::unordered_map<const void *, Symbol> &symbols,
             const void *host, cudaError_t missing, Get get) {
  CUcontext context = nullptr;
  if (cudaError_t error = make_current(context))
    return error;
  std::lock_guard guard(mutex);
  auto found = symbols.find(host);
  if (found == symbols.end())
    return missing;
  const Symbol &symbol = found->second;
  CUmodule module = nullptr;
  if (cudaError_t error = this->module(*symbol.binary, context, module))
    return error;
  const CUresult error = get(module, symbol.name.c_str(), symbol);
  return error == CUDA_ERROR_NOT_FOUND ? missing : cudaError_t(error);
}

bool Program::find_managed(const void *address, Variable &variable) {
  std::lock_guard guard(mutex);
  for (const auto &binary : binaries)
    for (const Managed &one : binary->managed)
      if (one.memory && address == reinterpret_cast<void *>(one.memory)) {
        variable = {one.memory, one.size};
        return true;
      }
  return false;
}

cudaError_t Program::variable(const void *host, Variable &variable) {
  if (find_managed(host, variable))
    return cudaSuccess;
  return ask(variables, host, cudaErrorInvalidSymbol,
             [&](CUmodule module, const char *name, const Symbol &) {
               return cuModuleGetGlobal(&variable.address, &variable.size,
                                        module, name);
             });
}

void Program::add_reference(Binary *binary, const void *host, const char *name,
                            bool reads_normalized) {
  std::lock_guard guard(mutex);
  references[host] = {binary, name, {}, reads_normalized};
}

bool Program::is_reference(const void *host) {
  std::lock_guard guard(mutex);
  return references.contains(host);
}

cudaError_t Program::texture(const void *host, CUtexref &texture,
                             bool &reads_normalized) {
  return ask(references, host, cudaErrorInvalidTexture,
             [&](CUmodule module, const char *name, const Symbol &symbol) {
               reads_normalized = symbol.reads_normalized;
               return cuModuleGetTexRef(&texture, module, name);
             });
}

cudaError_t Program::surface(const void *host, CUsurfref &surface) {
  return ask(references, host, cudaErrorInvalidSurface,
             [&](CUmodule module, const char *name, const Symbol &) {
               return cuModuleGetSurfRef(&surface, module, name);
             });
}

void Program::forget(CUcontext context) {
  std::lock_guard guard(mutex);
  for (const auto &binary : binaries) {
    binary->modules.erase(context);
    for (Managed &one : binary->managed)
      if (one.context == context)
        one.memory = 0; // it was freed with the context
  }
  for (auto &[host, symbol] : kernels)
    symbol.functions.erase(context);
}

} // namespace gpuexec::cudart
