//===-- emulator/cuda/runtime/program.cpp - See program.h -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/runtime/program.h"
#include "emulator/cuda/runtime/thread.h"

#include <algorithm>
#include <cstring>

namespace gpuexec::cudart {

namespace {

/// What compilers hand over: a fat binary's wrapper.
struct Wrapper {
  uint32_t magic, version;
  const void *fat_binary;
};
constexpr uint32_t WRAPPER_MAGIC = 0x466243b1;

/// What the driver takes as a module. NVIDIA's takes no wrapper there.
const void *module_image(const void *image) {
  Wrapper wrapper;
  memcpy(&wrapper.magic, image, sizeof(wrapper.magic));
  if (wrapper.magic != WRAPPER_MAGIC)
    return image;
  memcpy(&wrapper, image, sizeof(wrapper));
  return wrapper.version == 1 ? wrapper.fat_binary : image;
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
  binaries.erase(found); // its modules end with their contexts
}

void Program::add_kernel(Binary *binary, const void *host, const char *name) {
  std::lock_guard guard(mutex);
  kernels[host] = {binary, name, {}};
}

void Program::add_variable(Binary *binary, const void *host, const char *name) {
  std::lock_guard guard(mutex);
  variables[host] = {binary, name, {}};
}

void Program::add_managed(Binary *binary, void **place, const char *name) {
  std::lock_guard guard(mutex);
  binary->managed.emplace_back(place, name);
  variables[place] = {binary, name, {}};
}

cudaError_t Program::module(Binary &binary, CUcontext context,
                            CUmodule &module) {
  CUmodule &kept = binary.modules[context];
  if (!kept)
    if (CUresult error = cuModuleLoadData(&kept, binary.image)) {
      binary.modules.erase(context);
      return cudaError_t(error);
    }
  module = kept;
  return cudaSuccess;
}

cudaError_t Program::place_managed(Binary *binary) {
  CUcontext context = nullptr;
  if (cudaError_t error = make_current(context))
    return error;
  std::lock_guard guard(mutex);
  CUmodule module = nullptr;
  for (const auto &[place, name] : binary->managed) {
    CUdeviceptr address = 0;
    if (cudaError_t error = this->module(*binary, context, module))
      return error;
    if (CUresult error =
            cuModuleGetGlobal(&address, nullptr, module, name.c_str()))
      return cudaError_t(error);
    *place = reinterpret_cast<void *>(address);
  }
  return cudaSuccess;
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

cudaError_t Program::variable(const void *host, Variable &variable) {
  CUcontext context = nullptr;
  if (cudaError_t error = make_current(context))
    return error;
  std::lock_guard guard(mutex);
  auto found = variables.find(host);
  if (found == variables.end())
    return cudaErrorInvalidSymbol;
  CUmodule module = nullptr;
  if (cudaError_t error = this->module(*found->second.binary, context, module))
    return error;
  if (CUresult error = cuModuleGetGlobal(&variable.address, &variable.size,
                                         module, found->second.name.c_str()))
    return error == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol
                                         : cudaError_t(error);
  return cudaSuccess;
}

void Program::forget(CUcontext context) {
  std::lock_guard guard(mutex);
  for (const auto &binary : binaries)
    binary->modules.erase(context);
  for (auto &[host, symbol] : kernels)
    symbol.functions.erase(context);
}

} // namespace gpuexec::cudart
