//===-- emulator/cuda/driver/capture.h - Streams into graphs ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While a stream is captured, work that is added to it becomes nodes of a
// graph. A stream that waits for an event of a captured stream joins its
// capture.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_CAPTURE_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_CAPTURE_H

#include "emulator/cuda/driver/context.h"
#include "emulator/cuda/driver/graph.h"

#include <thread>

namespace gpuexec::cuda {

/// One capture. The caller holds Driver::graphs_mutex.
class Capture {
public:
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  bool to_own_graph = true; ///< false: to one that the program had
  uint64_t id = 0;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::thread::id thread; ///< that began it
  const Stream *origin = nullptr;
  bool is_waited_for = false; ///< by the legacy stream
  bool is_invalid = false;    ///< it cannot end well
  /// The nodes that the next work of each stream depends on; those of streams
  /// that are destroyed have no stream.
  std::map<Stream *, std::vector<Node *>> ends;

  /// True if another stream has work that the origin does not wait for.
  bool is_unjoined() const;
};

/// Adds the work to the stream, or, while the stream is captured, a node to the
/// graph: `describe` gives its parameters, under the lock of all graphs.
CUresult add_work(Context &context, Stream &stream, Stream::Work work,
                  const std::function<NodeContent()> &describe);

/// For a call that waits for the stream, or asks it: not while it is captured,
/// nor, for the legacy stream, while one is that waits for it. The capture is
/// invalid then.
CUresult refuse_captured(Context &context, const Stream &stream);
/// For a call that waits for all streams of the context.
CUresult refuse_captured(Context &context);

/// For a call that captures forbid in their mode, since it may wait for work of
/// any stream (cuThreadExchangeStreamCaptureMode()).
CUresult refuse_unsafe(Context &context);
/// The calling thread's mode for such calls.
CUstreamCaptureMode &thread_capture_mode();

/// Adds a node without work, if the stream is captured; else `done` is false.
CUresult add_captured(Stream &stream,
                      const std::function<NodeContent()> &describe, bool &done);

/// cuEventRecord() and cuStreamWaitEvent() where captures are concerned. `done`
/// says that nothing is left to do.
CUresult record_captured(Stream &stream, Event &event, bool &done);
CUresult wait_captured(Stream &stream, const Event &event, bool &done);
/// For a call that asks an event whether it is reached.
CUresult refuse_captured(const Event &event);
/// All streams of the capture are as before it. The caller holds the lock of
/// all graphs.
void end_capture(Context &context, const std::shared_ptr<Capture> &capture);
/// The stream is destroyed, which ends a capture that began in it.
void leave_capture(Context &context, Stream &stream);

} // namespace gpuexec::cuda

#endif
