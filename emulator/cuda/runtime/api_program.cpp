//===-- emulator/cuda/runtime/api_program.cpp - Registration, launches ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that compilers call (clang's CGCUDANV.cpp and CUDA's crt
// headers show their prototypes), launches, and questions about kernels.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/runtime/program.h"
#include "emulator/cuda/runtime/thread.h"

using namespace gpuexec::cudart;

namespace {

struct Configuration {
  dim3 blocks, threads;
  size_t shared = 0;
  void *stream = nullptr;
};

/// Configurations of launches that are not made yet.
std::vector<Configuration> &configurations() {
  thread_local std::vector<Configuration> stack;
  return stack;
}

Program::Binary *binary_of(void **handle) {
  return reinterpret_cast<Program::Binary *>(handle);
}

/// True of a grid and block that no device of CUDA refuses by their sizes.
bool is_valid(const dim3 &blocks, const dim3 &threads) {
  return blocks.x && blocks.y && blocks.z && threads.x && threads.y &&
         threads.z && blocks.x <= INT32_MAX && blocks.y <= 65535 &&
         blocks.z <= 65535 && threads.x <= 1024 && threads.y <= 1024 &&
         threads.z <= 64 && threads.x * threads.y * threads.z <= 1024;
}

} // namespace

GPUEXEC_CUDART_EXPORT void **__cudaRegisterFatBinary(void *image) {
  return reinterpret_cast<void **>(Program::get().add(image));
}

GPUEXEC_CUDART_EXPORT void __cudaRegisterFatBinaryEnd(void **handle) {
  record(Program::get().place_managed(binary_of(handle)));
}

GPUEXEC_CUDART_EXPORT void __cudaUnregisterFatBinary(void **handle) {
  Program::get().remove(binary_of(handle));
}

GPUEXEC_CUDART_EXPORT void __cudaRegisterFunction(void **handle,
                                                  const char *host, char *,
                                                  const char *name, int, void *,
                                                  void *, void *, void *,
                                                  int *) {
  Program::get().add_kernel(binary_of(handle), host, name);
}

GPUEXEC_CUDART_EXPORT void __cudaRegisterVar(void **handle, char *host, char *,
                                             const char *name, int, size_t, int,
                                             int) {
  Program::get().add_variable(binary_of(handle), host, name);
}

// nvcc gives eight arguments, clang six. The first and the fourth are the same.
GPUEXEC_CUDART_EXPORT void __cudaRegisterManagedVar(void **handle, void **place,
                                                    char *, const char *name,
                                                    int, size_t, int, int) {
  Program::get().add_managed(binary_of(handle), place, name);
}

GPUEXEC_CUDART_EXPORT char __cudaInitModule(void **handle) {
  record(Program::get().place_managed(binary_of(handle)));
  return 1;
}

GPUEXEC_CUDART_EXPORT unsigned __cudaPushCallConfiguration(dim3 blocks,
                                                           dim3 threads,
                                                           size_t shared,
                                                           void *stream) {
  configurations().push_back({blocks, threads, shared, stream});
  return 0;
}

GPUEXEC_CUDART_EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *blocks,
                                                             dim3 *threads,
                                                             size_t *shared,
                                                             void *stream) {
  auto &stack = configurations();
  GPUEXEC_CUDART_REQUIRE(!stack.empty(), MissingConfiguration);
  *blocks = stack.back().blocks;
  *threads = stack.back().threads;
  *shared = stack.back().shared;
  *static_cast<void **>(stream) = stack.back().stream;
  stack.pop_back();
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *host, dim3 blocks, dim3 threads,
                             void **arguments, size_t shared,
                             cudaStream_t stream) {
  CUfunction function = nullptr;
  GPUEXEC_CUDART_TRY(Program::get().kernel(host, function));
  GPUEXEC_CUDART_REQUIRE(is_valid(blocks, threads), InvalidConfiguration);
  GPUEXEC_CUDART_REQUIRE(shared <= UINT32_MAX, InvalidValue);
  void *none[] = {nullptr};
  return record(cuLaunchKernel(
      function, blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z,
      unsigned(shared), stream, arguments ? arguments : none, nullptr));
}

cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 blocks,
                                        dim3 threads, void **arguments,
                                        size_t shared, cudaStream_t stream) {
  CUfunction function = nullptr;
  GPUEXEC_CUDART_TRY(Program::get().kernel(host, function));
  GPUEXEC_CUDART_REQUIRE(is_valid(blocks, threads), InvalidConfiguration);
  GPUEXEC_CUDART_REQUIRE(shared <= UINT32_MAX, InvalidValue);
  void *none[] = {nullptr};
  return record(cuLaunchCooperativeKernel(
      function, blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z,
      unsigned(shared), stream, arguments ? arguments : none));
}

// A kernel's handle is the host function that stands for it. CUDA 13's compiler
// calls the two functions with underscores.

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *host) {
  CUfunction function = nullptr;
  GPUEXEC_CUDART_REQUIRE(kernel, InvalidValue);
  GPUEXEC_CUDART_TRY(Program::get().kernel(host, function));
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void *>(host));
  return cudaSuccess;
}

GPUEXEC_CUDART_EXPORT cudaError_t __cudaGetKernel(cudaKernel_t *kernel,
                                                  const void *host) {
  return cudaGetKernel(kernel, host);
}

GPUEXEC_CUDART_EXPORT cudaError_t __cudaLaunchKernel(cudaKernel_t kernel,
                                                     dim3 blocks, dim3 threads,
                                                     void **arguments,
                                                     size_t shared,
                                                     cudaStream_t stream) {
  return cudaLaunchKernel(kernel, blocks, threads, arguments, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *host, void **arguments) {
  GPUEXEC_CUDART_REQUIRE(config, InvalidValue);
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == cudaLaunchAttributeCooperative &&
        config->attrs[i].val.cooperative)
      return cudaLaunchCooperativeKernel(
          host, config->gridDim, config->blockDim, arguments,
          config->dynamicSmemBytes, config->stream);
  return cudaLaunchKernel(host, config->gridDim, config->blockDim, arguments,
                          config->dynamicSmemBytes, config->stream);
}

cudaError_t cudaFuncSetAttribute(const void *host, cudaFuncAttribute attribute,
                                 int value) {
  CUfunction function = nullptr;
  GPUEXEC_CUDART_TRY(Program::get().kernel(host, function));
  return record(
      cuFuncSetAttribute(function, CUfunction_attribute(attribute), value));
}

cudaError_t cudaFuncSetCacheConfig(const void *host, cudaFuncCache config) {
  CUfunction function = nullptr;
  GPUEXEC_CUDART_TRY(Program::get().kernel(host, function));
  return record(cuFuncSetCacheConfig(function, CUfunc_cache(config)));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *host, cudaSharedMemConfig) {
  CUfunction function = nullptr;
  return record(Program::get().kernel(host, function));
}

cudaError_t cudaFuncGetName(const char **name, const void *host) {
  CUfunction function = nullptr;
  GPUEXEC_CUDART_TRY(Program::get().kernel(host, function));
  return record(cuFuncGetName(name, function));
}

cudaError_t cudaFuncGetParamInfo(const void *host, size_t index, size_t *offset,
                                 size_t *size) {
  CUfunction function = nullptr;
  GPUEXEC_CUDART_TRY(Program::get().kernel(host, function));
  return record(cuFuncGetParamInfo(function, index, offset, size));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *host) {
  GPUEXEC_CUDART_REQUIRE(function, InvalidValue);
  return record(Program::get().kernel(host, *function));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *host, int threads, size_t shared, unsigned) {
  CUfunction function = nullptr;
  GPUEXEC_CUDART_TRY(Program::get().kernel(host, function));
  return record(cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function,
                                                            threads, shared));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *host,
                                                          int threads,
                                                          size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, host, threads, shared, 0);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  GPUEXEC_CUDART_REQUIRE(address, InvalidValue);
  Program::Variable variable;
  GPUEXEC_CUDART_TRY(Program::get().variable(symbol, variable));
  *address = reinterpret_cast<void *>(variable.address);
  return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  GPUEXEC_CUDART_REQUIRE(size, InvalidValue);
  Program::Variable variable;
  GPUEXEC_CUDART_TRY(Program::get().variable(symbol, variable));
  *size = variable.size;
  return cudaSuccess;
}
