//===-- emulator/cuda/driver/api_module.cpp - Modules and functions -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"
#include "emulator/cuda/driver/read_file.h"

using namespace gpuexec::cuda;

/// `module`: that of the handle; `context`: where it belongs.
#define GPUEXEC_MODULE(module, handle)                                         \
  std::shared_ptr<Context> context;                                            \
  std::shared_ptr<Module> module;                                              \
  GPUEXEC_TRY(find_owned(Driver::get().modules, handle, module, context))
/// Likewise a function.
#define GPUEXEC_FUNCTION(function, handle)                                     \
  std::shared_ptr<Context> context;                                            \
  std::shared_ptr<Function> function;                                          \
  GPUEXEC_TRY(find_owned(Driver::get().functions, handle, function, context))

namespace {

CUresult load(CUmodule *handle, const void *image, const JitLog &log) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle && image, INVALID_VALUE);
  Driver &driver = Driver::get();
  std::shared_ptr<Module> module;
  std::string text;
  const CUresult error = make_module(driver.hsa(), driver.settings(),
                                     context->services, image, module, text);
  log.tell(text);
  GPUEXEC_TRY(error);
  module->context = context.get();
  *handle = driver.modules.add<CUmodule>(module);
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuModuleLoadData(CUmodule *handle, const void *image) {
  return load(handle, image, {});
}

CUresult cuModuleLoadDataEx(CUmodule *handle, const void *image, unsigned count,
                            CUjit_option *options, void **values) {
  return load(handle, image, JitLog(count, options, values));
}

CUresult cuModuleLoadFatBinary(CUmodule *handle, const void *image) {
  return load(handle, image, {});
}

CUresult cuModuleLoad(CUmodule *handle, const char *name) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle && name, INVALID_VALUE);
  std::string bytes;
  GPUEXEC_REQUIRE(read_file(name, bytes), FILE_NOT_FOUND);
  return load(handle, bytes.c_str(), {});
}

CUresult cuModuleUnload(CUmodule handle) {
  GPUEXEC_MODULE(module, handle);
  context->synchronize();
  Driver::get().modules.take(handle);
  Driver::get().functions.take_all([&](const Function &function) {
    return function.module == module.get();
  });
  Driver::get().references.take_all([&](const TextureReference &reference) {
    return reference.module == module.get();
  });
  return CUDA_SUCCESS;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  GPUEXEC_REQUIRE(mode, INVALID_VALUE);
  *mode = CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *handle, CUmodule module_handle,
                             const char *name) {
  GPUEXEC_MODULE(module, module_handle);
  GPUEXEC_REQUIRE(handle && name, INVALID_VALUE);
  std::shared_ptr<Function> function;
  GPUEXEC_TRY(module->function(name, function));
  *handle = Driver::get().functions.add<CUfunction>(function);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule handle) {
  GPUEXEC_MODULE(module, handle);
  GPUEXEC_REQUIRE(count, INVALID_VALUE);
  std::vector<std::string> names;
  GPUEXEC_TRY(module->names(names));
  *count = unsigned(names.size());
  return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count,
                                    CUmodule handle) {
  GPUEXEC_MODULE(module, handle);
  GPUEXEC_REQUIRE(functions, INVALID_VALUE);
  std::vector<std::string> names;
  GPUEXEC_TRY(module->names(names));
  for (size_t i = 0; i < names.size() && i < count; ++i)
    GPUEXEC_TRY(cuModuleGetFunction(&functions[i], handle, names[i].c_str()));
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *size, CUmodule handle,
                           const char *name) {
  GPUEXEC_MODULE(module, handle);
  GPUEXEC_REQUIRE(name && (address || size), INVALID_VALUE);
  DeviceRange range;
  GPUEXEC_TRY(module->variable(name, range));
  if (address)
    *address = range.begin;
  if (size)
    *size = range.size;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *handle, CUfunction function_handle) {
  GPUEXEC_REQUIRE(handle, INVALID_VALUE);
  auto function = Driver::get().functions.find(function_handle);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  *handle = reinterpret_cast<CUmodule>(const_cast<void *>(function->module));
  return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction handle) {
  auto function = Driver::get().functions.find(handle);
  GPUEXEC_REQUIRE(name, INVALID_VALUE);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  *name = function->name.c_str();
  return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset,
                            size_t *size) {
  auto function = Driver::get().functions.find(handle);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  const auto &parameters = function->facts->parameters;
  GPUEXEC_REQUIRE(offset && index < parameters.size(), INVALID_VALUE);
  *offset = parameters[index].offset;
  if (size)
    *size = parameters[index].size;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction handle) {
  GPUEXEC_FUNCTION(function, handle);
  GPUEXEC_REQUIRE(value && attribute >= 0 && attribute < CU_FUNC_ATTRIBUTE_MAX,
                  INVALID_VALUE);
  const KernelFacts &facts = *function->facts;
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = int(facts.max_threads ? std::min(facts.max_threads, LARGEST_BLOCK)
                                   : LARGEST_BLOCK);
    break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = int(facts.shared_size);
    break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = int(facts.private_size);
    break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = int(facts.registers);
    break;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = Driver::get().settings().capability;
    break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = function->max_dynamic_shared
                 ? int(function->max_dynamic_shared)
                 : int(SHARED_OF_BLOCK -
                       std::min(facts.shared_size, SHARED_OF_BLOCK));
    break;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    *value = function->carveout;
    break;
  default:
    *value = 0;
  }
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute,
                            int value) {
  GPUEXEC_FUNCTION(function, handle);
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    GPUEXEC_REQUIRE(value >= 0 &&
                        unsigned(value) + function->facts->shared_size <=
                            LARGEST_SHARED_OF_BLOCK,
                    INVALID_VALUE);
    function->max_dynamic_shared = value;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    function->carveout = value;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
  case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache) {
  GPUEXEC_REQUIRE(Driver::get().functions.find(handle), INVALID_HANDLE);
  return CUDA_SUCCESS; // caches are not emulated
}

CUresult cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig) {
  GPUEXEC_REQUIRE(Driver::get().functions.find(handle), INVALID_HANDLE);
  return CUDA_SUCCESS;
}
