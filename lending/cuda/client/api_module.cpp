//===-- lending/cuda/client/api_module.cpp - Modules, kernels, launches ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/jit_log.h"
#include "lending/cuda/client/api.h"
#include "lending/cuda/image.h"

#include <array>
#include <cstdio>
#include <fcntl.h>

using namespace gpuexec;
using namespace gpuexec::lent_cuda;

namespace {

void read_logs(Reader &from, void *data) {
  const std::string information(from.take_text());
  static_cast<const cuda::JitLog *>(data)->write(information,
                                                 std::string(from.take_text()));
}

CUresult load(CUmodule *module, const void *image, unsigned count,
              CUjit_option *options, void **values) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(module && image, INVALID_VALUE);
  FatBinaryWrapper wrapper;
  std::memcpy(&wrapper.magic, image, sizeof(wrapper.magic));
  if (wrapper.magic == FAT_BINARY_WRAPPER_MAGIC) {
    std::memcpy(&wrapper, image, sizeof(wrapper));
    if (wrapper.version != 1) {
      std::fprintf(stderr, "gpuexec cuda: device code of several files that "
                           "call each other is not supported\n");
      return CUDA_ERROR_NOT_SUPPORTED;
    }
    image = reinterpret_cast<const void *>(wrapper.fat_binary);
  }
  Writer writer;
  Session &session = Session::get();
  const uint64_t handle = session.add(Kind::module);
  uint64_t size = image_size(image);
  uint32_t magic = 0;
  std::memcpy(&magic, image, sizeof(magic));
  if (magic != FAT_BINARY_MAGIC && std::memcmp(&magic, ELFMAG, SELFMAG) != 0)
    --size; // text: its zero comes by itself
  uint32_t plain = 0;
  for (unsigned i = 0; i < count; ++i)
    plain += is_plain_option(options[i]);
  writer.put(handle);
  writer.put(size);
  writer.put(plain);
  cuda::JitLog log(count, options, values);
  writer.put(uint32_t(log.is_wanted()));
  for (unsigned i = 0; i < count; ++i)
    if (is_plain_option(options[i])) {
      writer.put(uint32_t(options[i]));
      writer.put(reinterpret_cast<uint64_t>(values[i]));
    }
  const CUresult result = session.load(writer, image, size, read_logs, &log);
  if (result != CUDA_SUCCESS) {
    session.remove(Kind::module, handle);
    return result;
  }
  *module = reinterpret_cast<CUmodule>(handle);
  return CUDA_SUCCESS;
}

using Size = std::array<unsigned, 3>;

/// Checks what the driver would refuse at once: the worker's errors come late.
CUresult check_sizes(const Function &function, const Size &blocks,
                     const Size &threads, unsigned shared) {
  const DeviceFacts &facts = Session::get().facts();
  auto at_most = [&](unsigned value, int attribute) {
    return value && value <= unsigned(facts.attributes[attribute]);
  };
  for (int i : {0, 1, 2})
    GPUEXEC_REQUIRE(
        at_most(blocks[i], CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i) &&
            at_most(threads[i], CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i),
        INVALID_VALUE);
  const uint64_t all = uint64_t(threads[0]) * threads[1] * threads[2];
  GPUEXEC_REQUIRE(
      all <=
          unsigned(facts.attributes[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK]),
      INVALID_VALUE);
  const int *known = function.facts.attributes;
  GPUEXEC_REQUIRE(all <=
                      unsigned(known[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK]),
                  LAUNCH_OUT_OF_RESOURCES);
  GPUEXEC_REQUIRE(
      shared <=
          unsigned(known[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES]),
      INVALID_VALUE);
  return CUDA_SUCCESS;
}

/// Packs the arguments of a launch at their offsets.
CUresult pack(const Function &function, void **parameters, void **extra,
              std::byte *to) {
  if (parameters) {
    GPUEXEC_REQUIRE(!extra, INVALID_VALUE);
    for (size_t i = 0; i < function.parameters.size(); ++i) {
      GPUEXEC_REQUIRE(parameters[i], INVALID_VALUE);
      std::memcpy(to + function.parameters[i].offset, parameters[i],
                  function.parameters[i].size);
    }
    return CUDA_SUCCESS;
  }
  const void *buffer = nullptr;
  size_t size = 0;
  for (void **at = extra; at && *at != CU_LAUNCH_PARAM_END; at += 2)
    if (*at == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = at[1];
    else if (*at == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = *static_cast<size_t *>(at[1]);
    else
      return CUDA_ERROR_INVALID_VALUE;
  GPUEXEC_REQUIRE(function.parameters.empty() || (buffer && size),
                  INVALID_VALUE);
  if (buffer)
    std::memcpy(to, buffer, std::min<size_t>(size, function.size));
  return CUDA_SUCCESS;
}

CUresult launch(CUfunction handle, const Size &blocks, const Size &threads,
                unsigned shared, CUstream stream, void **parameters,
                void **extra, bool cooperative = false) {
  GPUEXEC_CURRENT(context);
  Session &session = Session::get();
  const Function *function = session.function(handle);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  GPUEXEC_TRY(check_stream(stream));
  GPUEXEC_TRY(check_sizes(*function, blocks, threads, shared));
  Writer writer;
  writer.put(LaunchCall{number_of(handle),
                        number_of(stream),
                        {blocks[0], blocks[1], blocks[2]},
                        {threads[0], threads[1], threads[2]},
                        shared,
                        cooperative,
                        function->size});
  GPUEXEC_REQUIRE(function->size <= LARGEST_CALL - writer.size - CALL_STEP,
                  NOT_SUPPORTED);
  GPUEXEC_TRY(pack(*function, parameters, extra, writer.bytes + writer.size));
  writer.size += function->size;
  return cooperative ? session.ask(Call::Launch, writer)
                     : session.post(Call::Launch, writer);
}

} // namespace

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return load(module, image, 0, nullptr, nullptr);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            CUjit_option *options, void **values) {
  return load(module, image, count, options, values);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return load(module, image, 0, nullptr, nullptr);
}

CUresult cuModuleLoad(CUmodule *module, const char *name) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(module && name, INVALID_VALUE);
  UniqueFd file(::open(name, O_RDONLY | O_CLOEXEC));
  GPUEXEC_REQUIRE(file, FILE_NOT_FOUND);
  const std::string bytes = read_all(file.get(), uint64_t(1) << 32);
  GPUEXEC_REQUIRE(bytes.size() >= 4, FILE_NOT_FOUND);
  return load(module, bytes.c_str(), 0, nullptr, nullptr);
}

CUresult cuModuleUnload(CUmodule module) {
  GPUEXEC_CURRENT(context);
  return Session::get().destroy(Kind::module, number_of(module));
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  GPUEXEC_REQUIRE(mode, INVALID_VALUE);
  *mode = CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(function && name, INVALID_VALUE);
  Session &session = Session::get();
  GPUEXEC_REQUIRE(session.has(Kind::module, number_of(module)), INVALID_HANDLE);
  auto made = std::make_shared<Function>();
  made->name = name;
  made->module = module;
  const uint64_t handle = session.add(Kind::function, 0, made);
  Writer writer;
  writer.put(handle);
  writer.put(number_of(module));
  writer.put_text(name);
  const CUresult result =
      session.ask(Call::GetFunction, writer, [&](Reader &from) {
        made->facts = from.take<FunctionFacts>();
        for (unsigned i = 0; i < made->facts.parameters && from.ok; ++i) {
          made->parameters.push_back(from.take<ParameterFacts>());
          made->size =
              std::max(made->size, uint32_t(made->parameters.back().offset) +
                                       made->parameters.back().size);
        }
      });
  if (result != CUDA_SUCCESS) {
    session.remove(Kind::function, handle);
    return result;
  }
  *function = reinterpret_cast<CUfunction>(handle);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(count, INVALID_VALUE);
  Writer writer;
  writer.put(number_of(module));
  return Session::get().ask(Call::CountFunctions, writer, [&](Reader &from) {
    *count = from.take<uint32_t>();
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count,
                                    CUmodule module) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(functions, INVALID_VALUE);
  unsigned all = 0;
  GPUEXEC_TRY(cuModuleGetFunctionCount(&all, module));
  for (unsigned i = 0; i < std::min(all, count); ++i) {
    Writer writer;
    writer.put(number_of(module));
    writer.put(i);
    std::string name;
    GPUEXEC_TRY(
        Session::get().ask(Call::FunctionName, writer, [&](Reader &from) {
          name = from.take_bytes(size_t(from.end - from.at));
        }));
    GPUEXEC_TRY(cuModuleGetFunction(&functions[i], module, name.c_str()));
  }
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *size, CUmodule module,
                           const char *name) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(name && (address || size), INVALID_VALUE);
  Session &session = Session::get();
  GPUEXEC_REQUIRE(session.has(Kind::module, number_of(module)), INVALID_HANDLE);
  Writer writer;
  writer.put(number_of(module));
  writer.put_text(name);
  uint64_t begin = 0, bytes = 0;
  uint32_t managed = 0;
  GPUEXEC_TRY(session.ask(Call::GetGlobal, writer, [&](Reader &from) {
    begin = from.take<uint64_t>();
    bytes = from.take<uint64_t>();
    managed = from.take<uint32_t>();
  }));
  if (managed) {
    std::fprintf(stderr, "gpuexec cuda: variables in managed memory are not "
                         "supported on a lent device\n");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  if (Memory known; !session.find_memory(begin, known))
    session.add_memory({begin, bytes, Use::variable, 0});
  if (address)
    *address = begin;
  if (size)
    *size = bytes;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction handle) {
  GPUEXEC_REQUIRE(module, INVALID_VALUE);
  const Function *function = Session::get().function(handle);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  *module = function->module;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction handle) {
  const Function *function = Session::get().function(handle);
  GPUEXEC_REQUIRE(name, INVALID_VALUE);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  *name = function->name.c_str();
  return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction handle, size_t index, size_t *offset,
                            size_t *size) {
  const Function *function = Session::get().function(handle);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  GPUEXEC_REQUIRE(offset && index < function->parameters.size(), INVALID_VALUE);
  *offset = function->parameters[index].offset;
  if (size)
    *size = function->parameters[index].size;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction handle) {
  GPUEXEC_CURRENT(context);
  const Function *function = Session::get().function(handle);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  GPUEXEC_REQUIRE(value && attribute >= 0 &&
                      uint32_t(attribute) < FUNCTION_ATTRIBUTES &&
                      (function->facts.has_attribute >> attribute & 1),
                  INVALID_VALUE);
  *value = function->facts.attributes[attribute];
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute attribute,
                            int value) {
  GPUEXEC_CURRENT(context);
  Session &session = Session::get();
  Function *function = session.function(handle);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  Writer writer;
  writer.put(number_of(handle));
  writer.put(uint32_t(attribute));
  writer.put(int32_t(value));
  GPUEXEC_TRY(session.ask(Call::SetFunctionAttribute, writer));
  if (attribute >= 0 && uint32_t(attribute) < FUNCTION_ATTRIBUTES)
    function->facts.attributes[attribute] = value;
  return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig) {
  GPUEXEC_REQUIRE(Session::get().function(handle), INVALID_HANDLE);
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned blocks_x,
                        unsigned blocks_y, unsigned blocks_z,
                        unsigned threads_x, unsigned threads_y,
                        unsigned threads_z, unsigned shared, CUstream stream,
                        void **parameters, void **extra) {
  return launch(function, {blocks_x, blocks_y, blocks_z},
                {threads_x, threads_y, threads_z}, shared, stream, parameters,
                extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **parameters, void **extra) {
  GPUEXEC_REQUIRE(config, INVALID_VALUE);
  bool cooperative = false;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute &attribute = config->attrs[i];
    GPUEXEC_REQUIRE(attribute.id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION ||
                        attribute.value.clusterDim.x <= 1,
                    NOT_SUPPORTED);
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
      cooperative = attribute.value.cooperative != 0;
  }
  return launch(
      function, {config->gridDimX, config->gridDimY, config->gridDimZ},
      {config->blockDimX, config->blockDimY, config->blockDimZ},
      config->sharedMemBytes, config->hStream, parameters, extra, cooperative);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned blocks_x,
                                   unsigned blocks_y, unsigned blocks_z,
                                   unsigned threads_x, unsigned threads_y,
                                   unsigned threads_z, unsigned shared,
                                   CUstream stream, void **parameters) {
  return launch(function, {blocks_x, blocks_y, blocks_z},
                {threads_x, threads_y, threads_z}, shared, stream, parameters,
                nullptr, /*cooperative=*/true);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                     CUfunction function,
                                                     int threads,
                                                     size_t shared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, function, threads, shared, 0);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(
    int *least_blocks, int *best_threads, CUfunction function,
    CUoccupancyB2DSize shared_of, size_t shared, int limit, unsigned flags) {
  GPUEXEC_REQUIRE(least_blocks && best_threads, INVALID_VALUE);
  int most = 0, units = 0, best = 0;
  GPUEXEC_TRY(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                 function));
  GPUEXEC_TRY(cuDeviceGetAttribute(
      &units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  if (limit > 0)
    most = std::min(most, limit);
  *least_blocks = *best_threads = 0;
  for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
    int blocks = 0;
    GPUEXEC_TRY(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, function, threads, shared_of ? shared_of(threads) : shared,
        flags));
    if (blocks * threads <= best)
      continue;
    best = blocks * threads;
    *best_threads = threads;
    *least_blocks = blocks * units;
  }
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *least_blocks, int *best_threads,
                                          CUfunction function,
                                          CUoccupancyB2DSize shared_of,
                                          size_t shared, int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(
      least_blocks, best_threads, function, shared_of, shared, limit, 0);
}
