//===-- loader/device/cuda/queue.cpp - The stream of an NVIDIA GPU --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/device.h"
#include <cstring>

namespace gpuexec::cuda {

llvm::Error CudaQueue::create() {
  return device.api.check(
      device.api.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
      "creating a stream");
}

void CudaQueue::destroy() {
  if (stream)
    device.api.cuStreamDestroy_v2(stream);
}

CUresult CudaQueue::wait_for(CUresult begun) const {
  return begun == CUDA_SUCCESS ? device.api.wait(stream) : begun;
}

DeviceAddress CudaQueue::allocate_zeroed(uint64_t size) {
  std::lock_guard lock(setting_up);
  const DeviceAddress piece = device.device_heap->allocate_zeroed(size, stream);
  in_stream |= bool(piece);
  return piece;
}

void CudaQueue::forget(DeviceAddress address) {
  std::lock_guard lock(setting_up);
  std::erase_if(awaited,
                [&](const Awaited &each) { return each.address == address; });
  awaited_are_read = false; // an element's place depends on its index
}

CUresult CudaQueue::clear() {
  std::lock_guard lock(setting_up);
  awaited.clear();
  awaited_are_read = false;
  in_stream = false;
  staged = 0;
  return device.device_heap->clear(stream);
}

//===-- Copies ------------------------------------------------------------===//

void CudaQueue::will_read(DeviceAddress address, uint64_t size) {
  std::lock_guard lock(setting_up);
  for (const Awaited &each : awaited)
    if (lies_in(address, size, each.address, each.size))
      return;
  if (awaited.size() < MOST_AWAITED && size <= LARGEST_AWAITED)
    awaited.push_back({address, size});
}

llvm::Error CudaQueue::copy_to_device(DeviceAddress to,
                                      llvm::ArrayRef<std::byte> from) {
  std::lock_guard lock(setting_up);
  awaited_are_read = false;
  const llvm::MutableArrayRef<std::byte> buffer =
      device.device_heap->small_buffer().drop_back(MOST_AWAITED *
                                                   LARGEST_AWAITED);
  if (from.size() > buffer.size() - staged)
    if (llvm::Error error = settle())
      return error;
  if (from.empty() || from.size() > buffer.size())
    return device.device_heap->write(to, from.data(), from.size());
  device.api.cuCtxSetCurrent(device.context);
  if (llvm::Error error = device.device_heap->check_range(to, from.size()))
    return error;
  std::byte *bytes = buffer.data() + staged;
  std::memcpy(bytes, from.data(), from.size());
  staged += from.size();
  in_stream = true;
  return device.api.check(
      device.api.cuMemcpyHtoDAsync_v2(to.value, bytes, from.size(), stream),
      "copying to the device");
}

llvm::Error CudaQueue::settle() {
  if (!std::exchange(in_stream, false))
    return llvm::Error::success();
  staged = 0;
  return device.api.check(wait_for(CUDA_SUCCESS), "copying to the device");
}

/// Puts copies of the pieces of will_read() into the stream, behind a kernel.
void CudaQueue::begin_read_back() {
  awaited_are_read = true;
  for (const Awaited &each : awaited)
    awaited_are_read &=
        device.api.cuMemcpyDtoHAsync_v2(place_of(each), each.address.value,
                                        each.size, stream) == CUDA_SUCCESS;
}

/// The host's memory for a piece of will_read(), at the end of the small
/// buffer.
std::byte *CudaQueue::place_of(const Awaited &each) {
  return device.device_heap->small_buffer().end() -
         (MOST_AWAITED - size_t(&each - awaited.data())) * LARGEST_AWAITED;
}

llvm::Error CudaQueue::copy_from_device(llvm::MutableArrayRef<std::byte> to,
                                        DeviceAddress from) {
  std::lock_guard lock(setting_up);
  if (llvm::Error error = settle())
    return error;
  for (const Awaited &each : awaited)
    if (awaited_are_read && lies_in(from, to.size(), each.address, each.size)) {
      std::memcpy(to.data(), place_of(each) + (from - each.address), to.size());
      return llvm::Error::success();
    }
  return device.device_heap->read(to.data(), from, to.size());
}

//===-- Kernels -----------------------------------------------------------===//
// Behind each kernel but the last the stream writes a number, the mark, which
// shows how many have ended and so which one runs or has broken.

bool CudaQueue::has_marks() const {
  return device.api.cuStreamWriteValue32_v2 &&
         device.device_heap->mark_address();
}

void CudaQueue::begin_marks() {
  kernels_ended = 0;
  if (has_marks())
    mark_before = device.device_heap->mark().load(std::memory_order_relaxed);
}

/// Makes the stream write the mark for `count` ended kernels. False: it cannot.
bool CudaQueue::mark(uint32_t count) {
  return has_marks() &&
         device.api.cuStreamWriteValue32_v2(
             stream, device.device_heap->mark_address(), mark_before + count,
             CU_STREAM_WRITE_VALUE_DEFAULT) == CUDA_SUCCESS;
}

uint32_t CudaQueue::marks_seen() const {
  if (!has_marks())
    return 0;
  return device.device_heap->mark().load(std::memory_order_acquire) -
         mark_before;
}

/// Launches the kernels up to the first one that fails.
CUresult CudaQueue::put_into_stream(llvm::ArrayRef<KernelLaunch> kernels,
                                    llvm::ArrayRef<ReadyKernel> ready) {
  const Api &api = device.api;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const Grid &grid = kernels[i].grid;
    llvm::ArrayRef<std::byte> arguments = kernels[i].arguments;
    size_t size = arguments.size();
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER,
                     const_cast<std::byte *>(arguments.data()),
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    CUresult result = api.cuLaunchKernel(
        ready[i].function, grid.blocks[0], grid.blocks[1], grid.blocks[2],
        grid.threads[0], grid.threads[1], grid.threads[2], 0, stream, nullptr,
        size ? extra : nullptr);
    if (result != CUDA_SUCCESS)
      return result;
    if (i + 1 == kernels.size())
      break;
    if (mark(uint32_t(i + 1)) && !ready[i + 1].needs_memory)
      continue;
    if (CUresult ended = wait_for(CUDA_SUCCESS))
      return ended;
    kernels_ended = uint32_t(i + 1);
  }
  return CUDA_SUCCESS;
}

size_t CudaQueue::ended() {
  return std::max(kernels_ended.load(), marks_seen());
}

/// Notes that a launch has ended with `result`.
void CudaQueue::note_end(CUresult result) {
  std::lock_guard lock(setting_up);
  awaited_are_read &= result == CUDA_SUCCESS;
  if (result != CUDA_SUCCESS)
    return;
  in_stream = false; // earlier work in the stream has ended, too
  staged = 0;
}

llvm::Error CudaQueue::launch(Module &module,
                              llvm::ArrayRef<KernelLaunch> kernels) {
  llvm::SmallVector<ReadyKernel, 4> ready;
  for (const KernelLaunch &each : kernels) {
    llvm::Expected<ReadyKernel> next =
        static_cast<CudaModule &>(module).prepare(each);
    if (!next)
      return next.takeError();
    ready.push_back(*next);
  }
  begin_marks();
  if (device.shared)
    ++device.shared->running;
  CUresult result = put_into_stream(kernels, ready);
  if (result == CUDA_SUCCESS) {
    std::lock_guard lock(setting_up);
    begin_read_back();
  }
  // Also wait for the kernels before one that could not be launched.
  if (CUresult ended = wait_for(CUDA_SUCCESS))
    result = ended;
  note_end(result);
  if (device.shared && !is_fault(result))
    --device.shared->running;
  return device.finish(
      result, *kernels[std::min(this->ended(), kernels.size() - 1)].kernel);
}

llvm::Error CudaDevice::finish(CUresult result, const Kernel &kernel) {
  if (result == CUDA_SUCCESS)
    return llvm::Error::success();
  std::string reason = api.describe(result);
  // A program that faulted still counts as running.
  if (const unsigned programs = shared ? shared->running.load() : 1;
      is_fault(result) && programs > 1) {
    broken = true;
    if (shared->was_killed)
      return failure(Reason::group_ended,
                     "kernel '{0}': {1}: another program, which ran beside it "
                     "on {2}, had to be ended, which ended all of them",
                     kernel.name, reason, facts.spec());
    return failure(Reason::group_faulted,
                   "kernel '{0}': {1}: one of {2} programs that ran side by "
                   "side on {3} has faulted, which ended all of them",
                   kernel.name, reason, programs, facts.spec());
  }
  if (!is_fault(result))
    return failure(Reason::failed, "cuda: kernel '{0}': {1}", kernel.name,
                   reason);
  broken = true;
  // The driver of emulated GPUs has told where.
  std::string hint = faults ? faults->take(api.dump_timeout)
                     : api.is_emulated
                         ? ""
                         : "  --fault-report tells where: thread, function "
                           "and line\n";
  // The driver reports a stack overflow and a wild pointer in the same way.
  if (result == CUDA_ERROR_ILLEGAL_ADDRESS ||
      result == CUDA_ERROR_HARDWARE_STACK_ERROR ||
      result == CUDA_ERROR_LAUNCH_FAILED)
    hint +=
        llvm::formatv("  each thread had {0} bytes of stack; a program that "
                      "needs more ends like this (--stack-size)\n",
                      stack);
  if (result == CUDA_ERROR_MISALIGNED_ADDRESS)
    hint += "  words at addresses that are no multiple of their size need "
            "gpucc --unaligned-access\n";
  return llvm::make_error<DeviceFault>(
      llvm::formatv("kernel '{0}': {1}", kernel.name, reason).str(), hint);
}

} // namespace gpuexec::cuda
