//===-- emulator/cuda/driver/api_capture.cpp - Capture of streams ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api_graph.h"
#include "emulator/cuda/driver/capture.h"

using namespace gpuexec::cuda;

namespace {

/// `stream`: that of the handle; `context`: where it belongs. The lock of all
/// graphs is held from here on.
#define GPUEXEC_STREAM_LOCKED(stream, handle)                                  \
  std::shared_ptr<Context> context;                                            \
  std::shared_ptr<Stream> stream;                                              \
  GPUEXEC_TRY(find_stream(handle, stream, context));                           \
  std::lock_guard guard(Driver::get().graphs_mutex)

CUstreamCaptureStatus status_of(const Stream &stream) {
  return !stream.capture              ? CU_STREAM_CAPTURE_STATUS_NONE
         : stream.capture->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                      : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUresult begin(CUstream handle, std::shared_ptr<Graph> graph,
               const CUgraphNode *dependencies, size_t count,
               CUstreamCaptureMode mode) {
  GPUEXEC_STREAM_LOCKED(stream, handle);
  GPUEXEC_REQUIRE(mode <= CU_STREAM_CAPTURE_MODE_RELAXED, INVALID_VALUE);
  GPUEXEC_REQUIRE(stream != context->legacy(), STREAM_CAPTURE_UNSUPPORTED);
  GPUEXEC_REQUIRE(!stream->capture, ILLEGAL_STATE);
  auto capture = std::make_shared<Capture>();
  std::vector<Node *> ends;
  if (graph) {
    GPUEXEC_REQUIRE(find_nodes(*graph, dependencies, count, ends),
                    INVALID_VALUE);
    capture->graph = std::move(graph);
    capture->to_own_graph = false;
  }
  capture->id = ++Driver::get().last_capture;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = stream.get();
  capture->ends[stream.get()] = std::move(ends);
  capture->is_waited_for = !(stream->flags & CU_STREAM_NON_BLOCKING);
  context->captures.push_back(capture);
  ++context->capture_count;
  stream->capture = std::move(capture);
  stream->is_captured = true;
  return CUDA_SUCCESS;
}

struct CaptureInfo {
  CUstreamCaptureStatus *status;
  cuuint64_t *id;
  CUgraph *graph;
  const CUgraphNode **dependencies;
  size_t *count;
};

CUresult tell(CUstream handle, const CaptureInfo &to) {
  GPUEXEC_STREAM_LOCKED(stream, handle);
  GPUEXEC_REQUIRE(to.status, INVALID_VALUE);
  *to.status = status_of(*stream);
  if (*to.status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    return CUDA_SUCCESS;
  Capture &capture = *stream->capture;
  if (to.id)
    *to.id = capture.id;
  if (to.graph)
    *to.graph = Driver::get().graphs.add<CUgraph>(capture.graph);
  // A handle is a node's address.
  const std::vector<Node *> &ends = capture.ends[stream.get()];
  if (to.dependencies)
    *to.dependencies = reinterpret_cast<const CUgraphNode *>(ends.data());
  if (to.count)
    *to.count = ends.size();
  return CUDA_SUCCESS;
}

CUresult update(CUstream handle, const CUgraphNode *dependencies, size_t count,
                unsigned flags) {
  GPUEXEC_STREAM_LOCKED(stream, handle);
  GPUEXEC_REQUIRE(stream->capture, ILLEGAL_STATE);
  GPUEXEC_REQUIRE(flags <= CU_STREAM_SET_CAPTURE_DEPENDENCIES &&
                      (dependencies || !count),
                  INVALID_VALUE);
  Capture &capture = *stream->capture;
  std::vector<Node *> nodes;
  if (flags == CU_STREAM_ADD_CAPTURE_DEPENDENCIES)
    nodes = capture.ends[stream.get()];
  GPUEXEC_REQUIRE(find_nodes(*capture.graph, dependencies, count, nodes),
                  INVALID_VALUE);
  capture.ends[stream.get()] = std::move(nodes);
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return begin(stream, nullptr, nullptr, 0, mode);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph handle,
                                     const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *, size_t count,
                                     CUstreamCaptureMode mode) {
  auto graph = Driver::get().graphs.find(handle);
  GPUEXEC_REQUIRE(graph && (dependencies || !count), INVALID_VALUE);
  return begin(stream, std::move(graph), dependencies, count, mode);
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph) {
  GPUEXEC_STREAM_LOCKED(stream, handle);
  const std::shared_ptr<Capture> capture = stream->capture;
  GPUEXEC_REQUIRE(capture, ILLEGAL_STATE);
  GPUEXEC_REQUIRE(graph, INVALID_VALUE);
  GPUEXEC_REQUIRE(capture->mode == CU_STREAM_CAPTURE_MODE_RELAXED ||
                      capture->thread == std::this_thread::get_id(),
                  STREAM_CAPTURE_WRONG_THREAD);
  if (capture->origin != stream.get()) {
    capture->is_invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  }
  *graph = nullptr;
  end_capture(*context, capture);
  const bool is_unjoined = !capture->is_invalid && capture->is_unjoined();
  if (capture->is_invalid || is_unjoined) {
    if (capture->to_own_graph)
      Driver::get().graphs.take(capture->graph.get());
    return is_unjoined ? CUDA_ERROR_STREAM_CAPTURE_UNJOINED
                       : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  }
  *graph = Driver::get().graphs.add<CUgraph>(capture->graph);
  return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus *status) {
  return tell(handle, {status, nullptr, nullptr, nullptr, nullptr});
}

GPUEXEC_CUDA_EXPORT CUresult cuStreamGetCaptureInfo_v2(
    CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
    CUgraph *graph, const CUgraphNode **dependencies, size_t *count) {
  return tell(stream, {status, id, graph, dependencies, count});
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream,
                                   CUstreamCaptureStatus *status,
                                   cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies,
                                   const CUgraphEdgeData **edges,
                                   size_t *count) {
  if (edges)
    *edges = nullptr; // all edges are ordinary ones
  return tell(stream, {status, id, graph, dependencies, count});
}

GPUEXEC_CUDA_EXPORT CUresult cuStreamUpdateCaptureDependencies(
    CUstream stream, CUgraphNode *dependencies, size_t count, unsigned flags) {
  return update(stream, dependencies, count, flags);
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream,
                                              CUgraphNode *dependencies,
                                              const CUgraphEdgeData *,
                                              size_t count, unsigned flags) {
  return update(stream, dependencies, count, flags);
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  GPUEXEC_REQUIRE(mode && *mode <= CU_STREAM_CAPTURE_MODE_RELAXED,
                  INVALID_VALUE);
  std::swap(*mode, thread_capture_mode());
  return CUDA_SUCCESS;
}
