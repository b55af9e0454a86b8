//===-- test/support/fake_cuda/launch.cpp - Streams and kernels -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/support/fake_cuda/driver.h"

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  need_context("cuStreamCreate");
  *stream = reinterpret_cast<CUstream>(&fake());
  if (CUresult result = enter("cuStreamCreate"))
    return result;
  return expect(flags == CU_STREAM_NON_BLOCKING);
}

EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  if (CUresult result = enter("cuStreamDestroy_v2"))
    return result;
  return expect(stream != nullptr);
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags) {
  *event = reinterpret_cast<CUevent>(&fake());
  if (CUresult result = enter("cuEventCreate"))
    return result;
  return expect(flags == CU_EVENT_DISABLE_TIMING);
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
  if (CUresult result = enter("cuEventRecord"))
    return result;
  return expect(event && stream);
}

EXPORT CUresult cuEventSynchronize(CUevent event) {
  if (CUresult result = enter("cuEventSynchronize"))
    return result;
  return expect(event != nullptr);
}

EXPORT CUresult cuStreamSynchronize(CUstream stream) {
  if (!stream)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = enter("cuStreamSynchronize"))
    return result;
  CUresult result = fake().pending;
  fake().pending = CUDA_SUCCESS;
  return result;
}

/// Not at the first look.
EXPORT CUresult cuStreamQuery(CUstream stream) {
  if (!stream)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult result = enter("cuStreamQuery"))
    return result;
  static std::atomic<unsigned> looks = 0;
  if (looks++ % 2 == 0) {
    delay("FAKE_CUDA_LOOK_DELAY");
    return CUDA_ERROR_NOT_READY;
  }
  CUresult result = fake().pending;
  fake().pending = CUDA_SUCCESS;
  return result;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned bx, unsigned by,
                               unsigned bz, unsigned tx, unsigned ty,
                               unsigned tz, unsigned, CUstream, void **,
                               void **extra) {
  need_context("cuLaunchKernel");
  if (CUresult result = enter("cuLaunchKernel"))
    return result;
  Fake &f = fake();
  fake_cuda::Launch launch{*reinterpret_cast<std::string *>(function),
                           {bx, by, bz},
                           {tx, ty, tz},
                           {}};
  if (extra && extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER &&
      extra[2] == CU_LAUNCH_PARAM_BUFFER_SIZE &&
      extra[4] == CU_LAUNCH_PARAM_END) {
    auto *bytes = static_cast<std::byte *>(extra[1]);
    launch.arguments.assign(bytes, bytes + *static_cast<size_t *>(extra[3]));
  }
  f.launches.push_back(launch);
  auto kernel = f.kernels.find(launch.kernel);
  // As with CUDA_LAUNCH_BLOCKING=1: the launching thread does not come back.
  ++f.kernels_running;
  if (kernel != f.kernels.end() && f.pending == CUDA_SUCCESS)
    f.pending = CUresult(kernel->second(launch));
  --f.kernels_running;
  return CUDA_SUCCESS;
}
