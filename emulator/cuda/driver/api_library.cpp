//===-- emulator/cuda/driver/api_library.cpp - Libraries and kernels ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"
#include "emulator/cuda/driver/read_file.h"

using namespace gpuexec::cuda;

namespace {

CUresult load(CUlibrary *handle, const void *image, const JitLog &log) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle && image, INVALID_VALUE);
  Driver &driver = Driver::get();
  Source source;
  std::string text;
  CUresult error = result_of(read_source(reinterpret_cast<uint64_t>(image),
                                         read_own_memory, source, text));
  auto library =
      std::make_shared<Library>(driver.settings(), std::move(source));
  std::shared_ptr<Module> module;
  if (error == CUDA_SUCCESS)
    error = library->module(*context, module, text);
  log.tell(text);
  GPUEXEC_TRY(error);
  *handle = driver.libraries.add<CUlibrary>(std::move(library));
  return CUDA_SUCCESS;
}

/// The library's module in the calling thread's context.
CUresult find_module(CUlibrary handle, std::shared_ptr<Module> &module) {
  GPUEXEC_CURRENT(context);
  auto library = Driver::get().libraries.find(handle);
  GPUEXEC_REQUIRE(library, INVALID_HANDLE);
  std::string text;
  return library->module(*context, module, text);
}

/// The function that the kernel is in the calling thread's context, as a
/// handle.
CUresult function_of(CUkernel handle, CUfunction &function_handle) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(Driver::get().kernels.find(handle), INVALID_HANDLE);
  auto function = find_function(*context, reinterpret_cast<CUfunction>(handle));
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  function_handle = Driver::get().functions.add<CUfunction>(function);
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuLibraryLoadData(CUlibrary *library, const void *code,
                           CUjit_option *options, void **values, unsigned count,
                           CUlibraryOption *, void **, unsigned) {
  return load(library, code, JitLog(count, options, values));
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path,
                               CUjit_option *options, void **values,
                               unsigned count, CUlibraryOption *, void **,
                               unsigned) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(library && path, INVALID_VALUE);
  std::string bytes;
  GPUEXEC_REQUIRE(read_file(path, bytes), FILE_NOT_FOUND);
  return load(library, bytes.c_str(), JitLog(count, options, values));
}

CUresult cuLibraryUnload(CUlibrary handle) {
  GPUEXEC_CURRENT(context);
  Driver &driver = Driver::get();
  auto library = driver.libraries.take(handle);
  GPUEXEC_REQUIRE(library, INVALID_HANDLE);
  context->synchronize();
  driver.kernels.take_all([&](const LibraryKernel &kernel) {
    return kernel.library == library.get();
  });
  for (const std::shared_ptr<Module> &module : library->take_modules()) {
    driver.modules.take(module.get());
    driver.functions.take_all([&](const Function &function) {
      return function.module == module.get();
    });
  }
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule *module_handle, CUlibrary handle) {
  std::shared_ptr<Module> module;
  GPUEXEC_REQUIRE(module_handle, INVALID_VALUE);
  GPUEXEC_TRY(find_module(handle, module));
  *module_handle = Driver::get().modules.add<CUmodule>(module);
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *kernel_handle, CUlibrary handle,
                            const char *name) {
  std::shared_ptr<LibraryKernel> kernel;
  GPUEXEC_REQUIRE(kernel_handle && name, INVALID_VALUE);
  GPUEXEC_CURRENT(context);
  auto library = Driver::get().libraries.find(handle);
  GPUEXEC_REQUIRE(library, INVALID_HANDLE);
  GPUEXEC_TRY(library->kernel(*context, name, kernel));
  *kernel_handle = Driver::get().kernels.add<CUkernel>(kernel);
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary handle) {
  CUmodule module = nullptr;
  GPUEXEC_REQUIRE(count, INVALID_VALUE);
  GPUEXEC_TRY(cuLibraryGetModule(&module, handle));
  return cuModuleGetFunctionCount(count, module);
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned count,
                                   CUlibrary handle) {
  std::shared_ptr<Module> module;
  std::vector<std::string> names;
  GPUEXEC_REQUIRE(kernels, INVALID_VALUE);
  GPUEXEC_TRY(find_module(handle, module));
  GPUEXEC_TRY(module->names(names));
  for (size_t i = 0; i < names.size() && i < count; ++i)
    GPUEXEC_TRY(cuLibraryGetKernel(&kernels[i], handle, names[i].c_str()));
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *size,
                            CUlibrary handle, const char *name) {
  CUmodule module = nullptr;
  GPUEXEC_REQUIRE(name && (address || size), INVALID_VALUE);
  GPUEXEC_TRY(cuLibraryGetModule(&module, handle));
  return cuModuleGetGlobal(address, size, module, name);
}

CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *size,
                             CUlibrary handle, const char *name) {
  return cuLibraryGetGlobal(address, size, handle, name);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  GPUEXEC_REQUIRE(function, INVALID_VALUE);
  return function_of(kernel, *function);
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel handle) {
  auto kernel = Driver::get().kernels.find(handle);
  GPUEXEC_REQUIRE(library, INVALID_VALUE);
  GPUEXEC_REQUIRE(kernel, INVALID_HANDLE);
  *library = reinterpret_cast<CUlibrary>(kernel->library);
  return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **name, CUkernel handle) {
  auto kernel = Driver::get().kernels.find(handle);
  GPUEXEC_REQUIRE(name, INVALID_VALUE);
  GPUEXEC_REQUIRE(kernel, INVALID_HANDLE);
  *name = kernel->name.c_str();
  return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset,
                              size_t *size) {
  CUfunction function = nullptr;
  GPUEXEC_TRY(function_of(kernel, function));
  return cuFuncGetParamInfo(function, index, offset, size);
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute,
                              CUkernel kernel, CUdevice device) {
  CUfunction function = nullptr;
  GPUEXEC_REQUIRE(device == 0, INVALID_DEVICE);
  GPUEXEC_TRY(function_of(kernel, function));
  return cuFuncGetAttribute(value, attribute, function);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value,
                              CUkernel kernel, CUdevice device) {
  CUfunction function = nullptr;
  GPUEXEC_REQUIRE(device == 0, INVALID_DEVICE);
  GPUEXEC_TRY(function_of(kernel, function));
  return cuFuncSetAttribute(function, attribute, value);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache, CUdevice) {
  GPUEXEC_REQUIRE(Driver::get().kernels.find(kernel), INVALID_HANDLE);
  return CUDA_SUCCESS; // caches are not emulated
}
