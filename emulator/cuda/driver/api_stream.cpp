//===-- emulator/cuda/driver/api_stream.cpp - Streams and events ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"
#include "emulator/cuda/driver/capture.h"

using namespace gpuexec::cuda;

namespace {

/// `stream`: that of the handle; `context`: where it belongs.
#define GPUEXEC_STREAM(stream, handle)                                         \
  std::shared_ptr<Context> context;                                            \
  std::shared_ptr<Stream> stream;                                              \
  GPUEXEC_TRY(find_stream(handle, stream, context))
/// `event`: that of the handle; `context`: where it belongs.
#define GPUEXEC_EVENT(event, handle)                                           \
  std::shared_ptr<Context> context;                                            \
  std::shared_ptr<Event> event;                                                \
  GPUEXEC_TRY(find_owned(Driver::get().events, handle, event, context))

CUresult added(uint64_t number) {
  return number ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

} // namespace

CUresult cuStreamCreateWithPriority(CUstream *handle, unsigned flags,
                                    int priority) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle && (flags | CU_STREAM_NON_BLOCKING) ==
                                CU_STREAM_NON_BLOCKING,
                  INVALID_VALUE);
  *handle = Driver::get().streams.add<CUstream>(
      context->make_stream(flags, std::clamp(priority, -5, 0)));
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *handle, unsigned flags) {
  return cuStreamCreateWithPriority(handle, flags, 0);
}

CUresult cuStreamDestroy(CUstream handle) {
  std::shared_ptr<Context> context;
  std::shared_ptr<Stream> stream;
  GPUEXEC_TRY(find_owned(Driver::get().streams, handle, stream, context));
  leave_capture(*context, *stream);
  Driver::get().streams.take(handle);
  stream->close(); // it goes once its work is done
  return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream handle) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_TRY(refuse_captured(*context, *stream));
  if (!stream->reached(stream->last()))
    return CUDA_ERROR_NOT_READY;
  return context->error();
}

CUresult cuStreamSynchronize(CUstream handle) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(!stream->is_current(), NOT_PERMITTED);
  GPUEXEC_TRY(refuse_captured(*context, *stream));
  GPUEXEC_TRY(refuse_unsafe(*context));
  // The legacy default stream stands for all that it would wait for.
  if (stream == context->legacy())
    return context->run(*stream, [](Dispatcher &) { return CUDA_SUCCESS; });
  stream->wait();
  return context->error();
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned) {
  GPUEXEC_STREAM(stream, handle);
  auto event = Driver::get().events.find(event_handle);
  GPUEXEC_REQUIRE(event, INVALID_HANDLE);
  bool done = false;
  GPUEXEC_TRY(wait_captured(*stream, *event, done));
  if (done)
    return CUDA_SUCCESS;
  auto record = event->get();
  if (!record || record->position.stream == stream)
    return CUDA_SUCCESS;
  return added(context->submit(
      *stream, [](Dispatcher &) { return CUDA_SUCCESS; }, {record->position}));
}

CUresult cuStreamGetFlags(CUstream handle, unsigned *flags) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(flags, INVALID_VALUE);
  *flags = stream->flags;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream handle, int *priority) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(priority, INVALID_VALUE);
  *priority = stream->priority;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream handle, CUcontext *owner) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(owner, INVALID_VALUE);
  *owner = reinterpret_cast<CUcontext>(context->slot);
  return CUDA_SUCCESS;
}

CUresult cuStreamGetDevice(CUstream handle, CUdevice *device) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(device, INVALID_VALUE);
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetId(CUstream handle, unsigned long long *id) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(id, INVALID_VALUE);
  *id = reinterpret_cast<unsigned long long>(stream.get());
  return CUDA_SUCCESS;
}

namespace {

/// The attributes that a stream has.
constexpr CUstreamAttrID STREAM_ATTRIBUTES[] = {
    CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
    CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP,
    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN};

bool is_stream_attribute(CUstreamAttrID id) {
  for (CUstreamAttrID known : STREAM_ATTRIBUTES)
    if (known == id)
      return true;
  return false;
}

} // namespace

CUresult cuStreamSetAttribute(CUstream handle, CUstreamAttrID id,
                              const CUstreamAttrValue *value) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(value && is_stream_attribute(id), INVALID_VALUE);
  stream->set_attribute(id, *value);
  return CUDA_SUCCESS;
}

CUresult cuStreamGetAttribute(CUstream handle, CUstreamAttrID id,
                              CUstreamAttrValue *value) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(value, INVALID_VALUE);
  GPUEXEC_REQUIRE(id == CU_LAUNCH_ATTRIBUTE_PRIORITY || is_stream_attribute(id),
                  INVALID_VALUE);
  *value = stream->attribute(id);
  return CUDA_SUCCESS;
}

CUresult cuStreamCopyAttributes(CUstream to_handle, CUstream from_handle) {
  GPUEXEC_STREAM(to, to_handle);
  auto from = find_stream(*context, from_handle);
  GPUEXEC_REQUIRE(from, INVALID_HANDLE);
  for (CUstreamAttrID id : STREAM_ATTRIBUTES)
    to->set_attribute(id, from->attribute(id));
  to->set_attribute(CU_LAUNCH_ATTRIBUTE_PRIORITY,
                    from->attribute(CU_LAUNCH_ATTRIBUTE_PRIORITY));
  return CUDA_SUCCESS;
}

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void *data) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(function, INVALID_VALUE);
  auto work = [=](Dispatcher &) {
    function(data);
    return CUDA_SUCCESS;
  };
  return add_work(*context, *stream, work, [&] {
    return NodeContent{CU_GRAPH_NODE_TYPE_HOST,
                       CUDA_HOST_NODE_PARAMS{function, data}, nullptr};
  });
}

CUresult cuStreamAddCallback(CUstream handle, CUstreamCallback function,
                             void *data, unsigned flags) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(function && flags == 0, INVALID_VALUE);
  GPUEXEC_TRY(refuse_captured(*context, *stream));
  std::weak_ptr<Context> weak = context;
  return added(context->submit(
      *stream,
      [=](Dispatcher &) {
        auto context = weak.lock();
        function(handle, context ? context->error() : CUDA_SUCCESS, data);
        return CUDA_SUCCESS;
      },
      {}, Stream::When::always)); // it is told of errors
}

CUresult cuEventCreate(CUevent *handle, unsigned flags) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(handle && flags <= 7, INVALID_VALUE);
  auto event = std::make_shared<Event>(flags);
  event->context = context.get();
  *handle = Driver::get().events.add<CUevent>(event);
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent handle) {
  GPUEXEC_EVENT(event, handle);
  Driver::get().events.take(handle);
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent handle, CUstream stream_handle) {
  GPUEXEC_STREAM(stream, stream_handle);
  auto event = Driver::get().events.find(handle);
  GPUEXEC_REQUIRE(event, INVALID_HANDLE);
  bool done = false;
  GPUEXEC_TRY(record_captured(*stream, *event, done));
  if (done)
    return CUDA_SUCCESS;
  auto record = std::make_shared<Record>();
  const uint64_t number = context->submit(
      *stream,
      [record](Dispatcher &) {
        record->take_time();
        return CUDA_SUCCESS;
      },
      {}, Stream::When::always);
  record->position = {stream, number};
  event->set(record);
  return added(number);
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned) {
  return cuEventRecord(event, stream);
}

CUresult cuEventQuery(CUevent handle) {
  GPUEXEC_EVENT(event, handle);
  GPUEXEC_TRY(refuse_captured(*event));
  GPUEXEC_TRY(refuse_unsafe(*context));
  auto record = event->get();
  if (record && !record->position.stream->reached(record->position.number))
    return CUDA_ERROR_NOT_READY;
  return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent handle) {
  GPUEXEC_EVENT(event, handle);
  GPUEXEC_TRY(refuse_captured(*event));
  GPUEXEC_TRY(refuse_unsafe(*context));
  if (auto record = event->get())
    record->position.stream->wait(record->position.number);
  return context->error();
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent begin,
                               CUevent end) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(milliseconds, INVALID_VALUE);
  auto first = Driver::get().events.find(begin),
       last = Driver::get().events.find(end);
  GPUEXEC_REQUIRE(first && last, INVALID_HANDLE);
  GPUEXEC_TRY(refuse_captured(*first));
  GPUEXEC_TRY(refuse_captured(*last));
  auto from = first->get(), to = last->get();
  GPUEXEC_REQUIRE(from && to && !(first->flags & CU_EVENT_DISABLE_TIMING) &&
                      !(last->flags & CU_EVENT_DISABLE_TIMING),
                  INVALID_HANDLE);
  const uint64_t start = from->nanoseconds, stop = to->nanoseconds;
  GPUEXEC_REQUIRE(start && stop, NOT_READY);
  *milliseconds = float(double(int64_t(stop - start)) / 1e6);
  return CUDA_SUCCESS;
}

#undef cuEventElapsedTime
GPUEXEC_CUDA_EXPORT CUresult cuEventElapsedTime(float *milliseconds,
                                                CUevent begin, CUevent end) {
  return cuEventElapsedTime_v2(milliseconds, begin, end);
}

CUresult cuStreamWriteValue32(CUstream handle, CUdeviceptr to, cuuint32_t value,
                              unsigned) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(to % 4 == 0 && context->memory.is_device_range(to, 4),
                  INVALID_VALUE);
  GPUEXEC_TRY(refuse_captured(*context, *stream));
  return added(context->submit(*stream, [=](Dispatcher &) {
    __atomic_store_n(reinterpret_cast<uint32_t *>(to), value, __ATOMIC_RELEASE);
    return CUDA_SUCCESS;
  }));
}

CUresult cuStreamWriteValue64(CUstream handle, CUdeviceptr to, cuuint64_t value,
                              unsigned) {
  GPUEXEC_STREAM(stream, handle);
  GPUEXEC_REQUIRE(to % 8 == 0 && context->memory.is_device_range(to, 8),
                  INVALID_VALUE);
  GPUEXEC_TRY(refuse_captured(*context, *stream));
  return added(context->submit(*stream, [=](Dispatcher &) {
    __atomic_store_n(reinterpret_cast<uint64_t *>(to), value, __ATOMIC_RELEASE);
    return CUDA_SUCCESS;
  }));
}
