//===-- emulator/cuda/driver/api_launch.cpp - Launches and occupancy ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"
#include "emulator/cuda/driver/capture.h"
#include "emulator/cuda/driver/launches.h"

#include <cstring>

using namespace gpuexec::cuda;

namespace {

using Size = std::array<uint32_t, 3>;

/// Checks the numbers of a launch.
CUresult check_sizes(const Function &function, const Size &blocks,
                     const Size &threads, unsigned shared) {
  const KernelFacts &facts = *function.facts;
  for (unsigned i = 0; i < 3; ++i)
    GPUEXEC_REQUIRE(blocks[i] && threads[i], INVALID_VALUE);
  GPUEXEC_REQUIRE(blocks[0] <= INT32_MAX && blocks[1] <= LARGEST_GRID_YZ &&
                      blocks[2] <= LARGEST_GRID_YZ,
                  INVALID_VALUE);
  GPUEXEC_REQUIRE(threads[0] <= LARGEST_BLOCK && threads[1] <= LARGEST_BLOCK &&
                      threads[2] <= LARGEST_BLOCK_Z,
                  INVALID_VALUE);
  const uint32_t all = threads[0] * threads[1] * threads[2];
  GPUEXEC_REQUIRE(all <= LARGEST_BLOCK, INVALID_VALUE);
  // The device below counts the threads of each dimension in 32 bits.
  for (unsigned i = 0; i < 3; ++i)
    GPUEXEC_REQUIRE(uint64_t(blocks[i]) * threads[i] <= UINT32_MAX,
                    INVALID_VALUE);
  GPUEXEC_REQUIRE(!facts.max_threads || all <= facts.max_threads,
                  LAUNCH_OUT_OF_RESOURCES);
  const unsigned most =
      function.max_dynamic_shared ? LARGEST_SHARED_OF_BLOCK : SHARED_OF_BLOCK;
  GPUEXEC_REQUIRE(shared <= most && facts.shared_size <= most - shared,
                  INVALID_VALUE);
  return CUDA_SUCCESS;
}

/// Packs the arguments of a launch at their offsets.
CUresult pack(const KernelFacts &facts, void **parameters, void **extra,
              std::string &to) {
  to.assign(facts.parameters_size, '\0');
  if (parameters) {
    GPUEXEC_REQUIRE(!extra, INVALID_VALUE);
    for (size_t i = 0; i < facts.parameters.size(); ++i) {
      const ParameterFacts &parameter = facts.parameters[i];
      GPUEXEC_REQUIRE(parameters[i], INVALID_VALUE);
      memcpy(to.data() + parameter.offset, parameters[i], parameter.size);
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
  GPUEXEC_REQUIRE(facts.parameters.empty() || (buffer && size), INVALID_VALUE);
  if (buffer)
    memcpy(to.data(), buffer, std::min(size, to.size()));
  return CUDA_SUCCESS;
}

/// How many blocks of the size one multiprocessor has at once.
int resident_blocks(const KernelFacts &facts, unsigned threads, size_t shared) {
  constexpr unsigned THREADS = 2048, BLOCKS = 32; // as attributes.def has them
  if (threads > LARGEST_BLOCK)
    return 0;
  size_t count = std::min(BLOCKS, THREADS / 32 / ((threads + 31) / 32));
  if (const size_t bytes = facts.shared_size + shared)
    count = std::min<size_t>(count, 2 * LARGEST_SHARED_OF_BLOCK / bytes);
  return int(count);
}

/// All blocks of a cooperative launch wait for each other: none may be left
/// until others have ended.
CUresult check_cooperative(const KernelFacts &facts, const Size &blocks,
                           const Size &threads, unsigned shared) {
  int units = 0;
  GPUEXEC_TRY(cuDeviceGetAttribute(
      &units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  const uint64_t most =
      uint64_t(units) *
      unsigned(
          resident_blocks(facts, threads[0] * threads[1] * threads[2], shared));
  GPUEXEC_REQUIRE(uint64_t(blocks[0]) * blocks[1] <= most &&
                      uint64_t(blocks[0]) * blocks[1] * blocks[2] <= most,
                  COOPERATIVE_LAUNCH_TOO_LARGE);
  return CUDA_SUCCESS;
}

CUresult launch(CUstream handle, const LaunchRequest &request) {
  std::shared_ptr<Context> context;
  std::shared_ptr<Stream> stream;
  GPUEXEC_TRY(find_stream(handle, stream, context));
  Stream::Work work;
  KernelCall call;
  GPUEXEC_TRY(
      prepare(*context, request, work, stream->is_captured ? &call : nullptr));
  return add_work(*context, *stream, std::move(work), [&] {
    return NodeContent{CU_GRAPH_NODE_TYPE_KERNEL, std::move(call), nullptr};
  });
}

CUresult occupancy(int *blocks, CUfunction handle, int threads, size_t shared) {
  GPUEXEC_CURRENT(context);
  auto function = find_function(*context, handle);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  GPUEXEC_REQUIRE(blocks && threads > 0, INVALID_VALUE);
  *blocks = resident_blocks(*function->facts, unsigned(threads), shared);
  return CUDA_SUCCESS;
}

} // namespace

CUresult gpuexec::cuda::prepare(Context &context, const LaunchRequest &request,
                                Stream::Work &work, KernelCall *call) {
  auto function = find_function(context, request.function);
  GPUEXEC_REQUIRE(function, INVALID_HANDLE);
  const KernelFacts &facts = *function->facts;
  GPUEXEC_TRY(
      check_sizes(*function, request.blocks, request.threads, request.shared));
  if (request.is_cooperative)
    GPUEXEC_TRY(check_cooperative(facts, request.blocks, request.threads,
                                  request.shared));
  Launch launch;
  launch.name = function->name;
  launch.facts = function->facts;
  launch.kernel_object = function->kernel_object;
  launch.host = function->host;
  if (launch.host)
    launch.variables = function->library->variables.data();
  launch.blocks = request.blocks;
  launch.threads = request.threads;
  launch.dynamic_shared = request.shared;
  {
    std::lock_guard guard(context.limits_mutex);
    launch.stack =
        uint32_t(std::clamp<size_t>(context.limits.stack, 64 << 10, 16 << 20));
  }
  if (function->executable)
    launch.services = function->executable->services.get();
  GPUEXEC_TRY(pack(facts, request.parameters, request.extra, launch.arguments));
  if (call) {
    *call = {request.function,
             request.blocks,
             request.threads,
             request.shared,
             launch.arguments,
             {},
             {},
             {}};
    for (const ParameterFacts &parameter : facts.parameters)
      call->offsets.push_back(parameter.offset);
  }
  work = [launch = std::move(launch), function](Dispatcher &dispatcher) {
    return dispatcher.run(launch);
  };
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned blocks_x,
                        unsigned blocks_y, unsigned blocks_z,
                        unsigned threads_x, unsigned threads_y,
                        unsigned threads_z, unsigned shared, CUstream stream,
                        void **parameters, void **extra) {
  return launch(stream, {function,
                         {blocks_x, blocks_y, blocks_z},
                         {threads_x, threads_y, threads_z},
                         shared,
                         parameters,
                         extra});
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
  return launch(config->hStream,
                {function,
                 {config->gridDimX, config->gridDimY, config->gridDimZ},
                 {config->blockDimX, config->blockDimY, config->blockDimZ},
                 config->sharedMemBytes,
                 parameters,
                 extra,
                 cooperative});
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned blocks_x,
                                   unsigned blocks_y, unsigned blocks_z,
                                   unsigned threads_x, unsigned threads_y,
                                   unsigned threads_z, unsigned shared,
                                   CUstream stream, void **parameters) {
  return launch(stream, {function,
                         {blocks_x, blocks_y, blocks_z},
                         {threads_x, threads_y, threads_z},
                         shared,
                         parameters,
                         nullptr,
                         /*is_cooperative=*/true});
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                     CUfunction function,
                                                     int threads,
                                                     size_t shared) {
  return occupancy(blocks, function, threads, shared);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int threads, size_t shared, unsigned) {
  return occupancy(blocks, function, threads, shared);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(
    int *least_blocks, int *best_threads, CUfunction function,
    CUoccupancyB2DSize shared_of, size_t shared, int limit, unsigned) {
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
    GPUEXEC_TRY(occupancy(&blocks, function, threads,
                          shared_of ? shared_of(threads) : shared));
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
