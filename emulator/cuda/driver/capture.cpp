//===-- emulator/cuda/driver/capture.cpp - See capture.h ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/capture.h"
#include "emulator/cuda/driver/driver.h"

#include <algorithm>
#include <unordered_set>

namespace gpuexec::cuda {

bool Capture::is_unjoined() const {
  auto origin_ends = ends.find(const_cast<Stream *>(origin));
  std::vector<const Node *> waiting;
  if (origin_ends != ends.end())
    waiting.assign(origin_ends->second.begin(), origin_ends->second.end());
  std::unordered_set<const Node *> joined;
  while (!waiting.empty()) {
    const Node *node = waiting.back();
    waiting.pop_back();
    if (joined.insert(node).second)
      waiting.insert(waiting.end(), node->dependencies.begin(),
                     node->dependencies.end());
  }
  for (const auto &[stream, nodes] : ends)
    for (const Node *node : nodes)
      if (!joined.count(node))
        return true;
  return false;
}

/// Makes the captures of the context invalid; `all`: also those that the legacy
/// stream does not wait for. True if there are some.
static bool invalidate(Context &context, bool all) {
  std::lock_guard guard(Driver::get().graphs_mutex);
  bool found = false;
  for (const auto &capture : context.captures)
    if (all || capture->is_waited_for)
      found = capture->is_invalid = true;
  return found;
}

/// For the legacy stream, which would wait for captured ones.
static CUresult refuse_legacy(Context &context) {
  return invalidate(context, /*all=*/false) ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
                                            : CUDA_SUCCESS;
}

CUstreamCaptureMode &thread_capture_mode() {
  thread_local CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  return mode;
}

CUresult refuse_unsafe(Context &context) {
  const CUstreamCaptureMode own = thread_capture_mode();
  if (!context.capture_count || own == CU_STREAM_CAPTURE_MODE_RELAXED)
    return CUDA_SUCCESS;
  std::lock_guard guard(Driver::get().graphs_mutex);
  bool found = false;
  for (const auto &capture : context.captures) {
    const bool is_own = capture->thread == std::this_thread::get_id();
    if (is_own ? capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED
               : capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                     own == CU_STREAM_CAPTURE_MODE_GLOBAL)
      found = capture->is_invalid = true;
  }
  return found ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

CUresult add_captured(Stream &stream,
                      const std::function<NodeContent()> &describe,
                      bool &done) {
  done = false;
  if (!stream.is_captured)
    return CUDA_SUCCESS;
  std::lock_guard guard(Driver::get().graphs_mutex);
  if (!stream.capture)
    return CUDA_SUCCESS;
  done = true;
  Capture &capture = *stream.capture;
  if (capture.is_invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  std::vector<Node *> &ends = capture.ends[&stream];
  auto node = capture.graph->add(describe(), ends);
  ends = {node.get()};
  Driver::get().nodes.add<CUgraphNode>(std::move(node));
  return CUDA_SUCCESS;
}

CUresult add_work(Context &context, Stream &stream, Stream::Work work,
                  const std::function<NodeContent()> &describe) {
  bool done = false;
  const CUresult error = add_captured(
      stream,
      [&] {
        NodeContent content = describe();
        content.work = std::move(work);
        return content;
      },
      done);
  if (done)
    return error;
  if (context.capture_count && &stream == context.legacy().get())
    if (CUresult error = refuse_legacy(context); error != CUDA_SUCCESS)
      return error;
  return context.submit(stream, std::move(work)) ? CUDA_SUCCESS
                                                 : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult refuse_captured(Context &context, const Stream &stream) {
  if (stream.is_captured) {
    std::lock_guard guard(Driver::get().graphs_mutex);
    if (stream.capture) {
      stream.capture->is_invalid = true;
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
  }
  if (context.capture_count && &stream == context.legacy().get())
    return refuse_legacy(context);
  return CUDA_SUCCESS;
}

CUresult refuse_captured(Context &context) {
  return context.capture_count && invalidate(context, /*all=*/true)
             ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
             : CUDA_SUCCESS;
}

CUresult record_captured(Stream &stream, Event &event, bool &done) {
  done = false;
  if (!stream.is_captured && !event.is_captured)
    return CUDA_SUCCESS;
  std::lock_guard guard(Driver::get().graphs_mutex);
  event.captured = {};
  event.is_captured = false;
  if (!stream.capture)
    return CUDA_SUCCESS;
  done = true;
  if (stream.capture->is_invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  event.captured = {stream.capture, stream.capture->ends[&stream]};
  event.is_captured = true;
  return CUDA_SUCCESS;
}

CUresult wait_captured(Stream &stream, const Event &event, bool &done) {
  done = false;
  if (!stream.is_captured && !event.is_captured)
    return CUDA_SUCCESS;
  std::lock_guard guard(Driver::get().graphs_mutex);
  const std::shared_ptr<Capture> capture = event.captured.capture.lock();
  if (event.is_captured && !capture) { // the capture has ended
    if (stream.capture)
      stream.capture->is_invalid = true;
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (!stream.capture && !capture)
    return CUDA_SUCCESS;
  done = true;
  if (!capture) { // work that is not captured cannot come before work that is
    if (!event.get())
      return CUDA_SUCCESS; // never recorded
    stream.capture->is_invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  }
  if (stream.capture && stream.capture != capture) {
    stream.capture->is_invalid = capture->is_invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  if (capture->is_invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  stream.capture = capture;
  stream.is_captured = true;
  std::vector<Node *> &ends = capture->ends[&stream];
  for (Node *node : event.captured.nodes)
    if (std::find(ends.begin(), ends.end(), node) == ends.end())
      ends.push_back(node);
  return CUDA_SUCCESS;
}

CUresult refuse_captured(const Event &event) {
  if (!event.is_captured)
    return CUDA_SUCCESS;
  std::lock_guard guard(Driver::get().graphs_mutex);
  if (!event.is_captured)
    return CUDA_SUCCESS;
  const auto capture = event.captured.capture.lock();
  if (!capture) // it has ended, and the event means nothing
    return CUDA_ERROR_INVALID_VALUE;
  capture->is_invalid = true;
  return CUDA_ERROR_CAPTURED_EVENT;
}

void end_capture(Context &context, const std::shared_ptr<Capture> &capture) {
  for (auto &[stream, ends] : capture->ends)
    if (stream) {
      stream->capture = nullptr;
      stream->is_captured = false;
    }
  context.capture_count -= std::erase(context.captures, capture);
}

void leave_capture(Context &context, Stream &stream) {
  std::lock_guard guard(Driver::get().graphs_mutex);
  const std::shared_ptr<Capture> capture = stream.capture;
  if (!capture)
    return;
  if (capture->origin == &stream) {
    if (capture->to_own_graph)
      Driver::get().graphs.take(capture->graph.get());
    end_capture(context, capture);
    return;
  }
  // What it has done must be waited for all the same.
  const std::vector<Node *> ends = std::move(capture->ends[&stream]);
  capture->ends.erase(&stream);
  auto &orphans = capture->ends[nullptr];
  orphans.insert(orphans.end(), ends.begin(), ends.end());
  stream.capture = nullptr;
  stream.is_captured = false;
}

} // namespace gpuexec::cuda
