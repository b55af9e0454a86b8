//===-- emulator/cuda/runtime/api_stream.cpp - Streams and events ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/runtime/forward.h"

#include <memory>

using namespace gpuexec::cudart;

FORWARD(cudaStreamCreate, cuStreamCreate, (cudaStream_t * stream), (stream, 0))
FORWARD(cudaStreamCreateWithFlags, cuStreamCreate,
        (cudaStream_t * stream, unsigned flags), (stream, flags))
FORWARD(cudaStreamCreateWithPriority, cuStreamCreateWithPriority,
        (cudaStream_t * stream, unsigned flags, int priority),
        (stream, flags, priority))
FORWARD(cudaStreamDestroy, cuStreamDestroy, (cudaStream_t stream), (stream))
FORWARD(cudaStreamSynchronize, cuStreamSynchronize, (cudaStream_t stream),
        (stream))
FORWARD(cudaStreamQuery, cuStreamQuery, (cudaStream_t stream), (stream))
FORWARD(cudaStreamWaitEvent, cuStreamWaitEvent,
        (cudaStream_t stream, cudaEvent_t event, unsigned flags),
        (stream, event, flags))
FORWARD(cudaStreamGetFlags, cuStreamGetFlags,
        (cudaStream_t stream, unsigned *flags), (stream, flags))
FORWARD(cudaStreamGetPriority, cuStreamGetPriority,
        (cudaStream_t stream, int *priority), (stream, priority))
FORWARD(cudaStreamGetId, cuStreamGetId,
        (cudaStream_t stream, unsigned long long *id), (stream, id))
FORWARD(cudaStreamGetDevice, cuStreamGetDevice,
        (cudaStream_t stream, int *device), (stream, device))
static_assert(sizeof(cudaStreamAttrValue) == sizeof(CUstreamAttrValue));
FORWARD(cudaStreamSetAttribute, cuStreamSetAttribute,
        (cudaStream_t stream, cudaStreamAttrID id,
         const cudaStreamAttrValue *value),
        (stream, CUstreamAttrID(id),
         reinterpret_cast<const CUstreamAttrValue *>(value)))
FORWARD(cudaStreamGetAttribute, cuStreamGetAttribute,
        (cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue *value),
        (stream, CUstreamAttrID(id),
         reinterpret_cast<CUstreamAttrValue *>(value)))
FORWARD(cudaStreamCopyAttributes, cuStreamCopyAttributes,
        (cudaStream_t to, cudaStream_t from), (to, from))
FORWARD(cudaLaunchHostFunc, cuLaunchHostFunc,
        (cudaStream_t stream, cudaHostFn_t function, void *data),
        (stream, function, data))
FORWARD(cudaEventCreate, cuEventCreate, (cudaEvent_t * event), (event, 0))
FORWARD(cudaEventCreateWithFlags, cuEventCreate,
        (cudaEvent_t * event, unsigned flags), (event, flags))
FORWARD(cudaEventDestroy, cuEventDestroy, (cudaEvent_t event), (event))
FORWARD(cudaEventRecord, cuEventRecord,
        (cudaEvent_t event, cudaStream_t stream), (event, stream))
FORWARD(cudaEventRecordWithFlags, cuEventRecordWithFlags,
        (cudaEvent_t event, cudaStream_t stream, unsigned flags),
        (event, stream, flags))
FORWARD(cudaEventQuery, cuEventQuery, (cudaEvent_t event), (event))
FORWARD(cudaEventSynchronize, cuEventSynchronize, (cudaEvent_t event), (event))
FORWARD(cudaEventElapsedTime, cuEventElapsedTime_v2,
        (float *milliseconds, cudaEvent_t begin, cudaEvent_t end),
        (milliseconds, begin, end))

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  cudaStreamCaptureStatus *status) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(status, InvalidValue);
  CUstreamCaptureStatus now;
  GPUEXEC_CUDART_TRY(cuStreamIsCapturing(stream, &now));
  *status = cudaStreamCaptureStatus(now);
  return cudaSuccess;
}

namespace {

/// A callback that waits for its turn.
struct Callback {
  cudaStreamCallback_t function;
  void *data;
};

void call(CUstream stream, CUresult status, void *data) {
  std::unique_ptr<Callback> callback(static_cast<Callback *>(data));
  callback->function(stream, cudaError_t(status), callback->data);
}

} // namespace

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t function, void *data,
                                  unsigned flags) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(function, InvalidValue);
  auto callback = std::make_unique<Callback>(Callback{function, data});
  GPUEXEC_CUDART_TRY(cuStreamAddCallback(stream, call, callback.get(), flags));
  (void)callback.release(); // call() owns it
  return cudaSuccess;
}

FORWARD(cudaStreamBeginCapture, cuStreamBeginCapture_v2,
        (cudaStream_t stream, cudaStreamCaptureMode mode),
        (stream, CUstreamCaptureMode(mode)))
FORWARD(cudaStreamBeginCaptureToGraph, cuStreamBeginCaptureToGraph,
        (cudaStream_t stream, cudaGraph_t graph,
         const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *,
         size_t count, cudaStreamCaptureMode mode),
        (stream, graph, dependencies, nullptr, count,
         CUstreamCaptureMode(mode)))
FORWARD(cudaStreamEndCapture, cuStreamEndCapture,
        (cudaStream_t stream, cudaGraph_t *graph), (stream, graph))
FORWARD(cudaStreamUpdateCaptureDependencies,
        cuStreamUpdateCaptureDependencies_v2,
        (cudaStream_t stream, cudaGraphNode_t *dependencies, size_t count,
         unsigned flags),
        (stream, dependencies, nullptr, count, flags))
FORWARD(cudaStreamUpdateCaptureDependencies_v2,
        cuStreamUpdateCaptureDependencies_v2,
        (cudaStream_t stream, cudaGraphNode_t *dependencies,
         const cudaGraphEdgeData *, size_t count, unsigned flags),
        (stream, dependencies, nullptr, count, flags))

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  GPUEXEC_CUDART_REQUIRE(mode, InvalidValue);
  auto exchanged = CUstreamCaptureMode(*mode);
  GPUEXEC_CUDART_TRY(cuThreadExchangeStreamCaptureMode(&exchanged));
  *mode = cudaStreamCaptureMode(exchanged);
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream,
                                        cudaStreamCaptureStatus *status,
                                        unsigned long long *id,
                                        cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies,
                                        const cudaGraphEdgeData **edges,
                                        size_t *count) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(status, InvalidValue);
  CUstreamCaptureStatus now;
  cuuint64_t number = 0;
  GPUEXEC_CUDART_TRY(cuStreamGetCaptureInfo_v3(stream, &now, &number, graph,
                                               dependencies, nullptr, count));
  *status = cudaStreamCaptureStatus(now);
  if (id && now == CU_STREAM_CAPTURE_STATUS_ACTIVE)
    *id = number;
  if (edges)
    *edges = nullptr;
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                        cudaStreamCaptureStatus *status,
                                        unsigned long long *id,
                                        cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies,
                                        size_t *count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies,
                                     nullptr, count);
}
