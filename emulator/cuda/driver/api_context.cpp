//===-- emulator/cuda/driver/api_context.cpp - Contexts -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"
#include "emulator/cuda/driver/capture.h"

using namespace gpuexec::cuda;

namespace {

CUresult check_device(CUdevice device) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(device == 0, INVALID_DEVICE);
  return CUDA_SUCCESS;
}

/// The slot of a handle, whether or not its context has ended.
CUresult find_slot(CUcontext handle, std::shared_ptr<ContextSlot> &slot) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  slot = Driver::get().contexts.find(handle);
  GPUEXEC_REQUIRE(slot, INVALID_CONTEXT);
  return CUDA_SUCCESS;
}

/// The context of a handle, whatever its errors are.
CUresult find_context(CUcontext handle, std::shared_ptr<Context> &context) {
  std::shared_ptr<ContextSlot> slot;
  GPUEXEC_TRY(find_slot(handle, slot));
  context = slot->get();
  GPUEXEC_REQUIRE(context, CONTEXT_IS_DESTROYED);
  return CUDA_SUCCESS;
}

/// The calling thread's context, whatever its errors are.
CUresult current_or_failed(std::shared_ptr<Context> &context) {
  const CUresult error = current(context);
  return context ? CUDA_SUCCESS : error;
}

CUcontext handle_of(const std::shared_ptr<ContextSlot> &slot) {
  return reinterpret_cast<CUcontext>(slot.get());
}

} // namespace

CUresult cuDevicePrimaryCtxRetain(CUcontext *handle, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(handle, INVALID_VALUE);
  *handle = handle_of(Driver::get().retain_primary());
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  return Driver::get().release_primary();
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  GPUEXEC_TRY(check_device(device));
  Driver::get().set_primary_flags(flags);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags,
                                    int *active) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(flags && active, INVALID_VALUE);
  *flags = Driver::get().primary_flags();
  *active = Driver::get().primary()->get() != nullptr;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  Driver::get().reset_primary();
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *handle, unsigned flags, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(handle, INVALID_VALUE);
  auto context = Driver::get().make_context(flags);
  context_stack().push_back(context);
  *handle = handle_of(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v4(CUcontext *handle, CUctxCreateParams *parameters,
                        unsigned flags, CUdevice device) {
  GPUEXEC_REQUIRE(!parameters || !parameters->numExecAffinityParams,
                  NOT_SUPPORTED);
  return cuCtxCreate(handle, flags, device);
}

CUresult cuCtxDestroy(CUcontext handle) {
  std::shared_ptr<ContextSlot> slot;
  GPUEXEC_TRY(find_slot(handle, slot));
  GPUEXEC_REQUIRE(slot != Driver::get().primary(), INVALID_CONTEXT);
  auto context = slot->get();
  GPUEXEC_REQUIRE(context, CONTEXT_IS_DESTROYED);
  auto &stack = context_stack();
  if (!stack.empty() && stack.back() == slot)
    stack.pop_back();
  Driver::get().destroy(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext handle) {
  std::shared_ptr<ContextSlot> slot;
  GPUEXEC_TRY(find_slot(handle, slot));
  context_stack().push_back(slot);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *handle) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  auto &stack = context_stack();
  GPUEXEC_REQUIRE(!stack.empty(), INVALID_CONTEXT);
  if (handle)
    *handle = handle_of(stack.back());
  stack.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle) {
  std::shared_ptr<ContextSlot> slot;
  if (handle) {
    GPUEXEC_TRY(find_slot(handle, slot));
  } else {
    GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  }
  auto &stack = context_stack();
  if (!stack.empty())
    stack.pop_back();
  if (slot)
    stack.push_back(slot);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *handle) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(handle, INVALID_VALUE);
  auto &stack = context_stack();
  *handle = stack.empty() ? nullptr : handle_of(stack.back());
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  std::shared_ptr<Context> context;
  GPUEXEC_TRY(current_or_failed(context));
  GPUEXEC_REQUIRE(device, INVALID_VALUE);
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *flags) {
  std::shared_ptr<Context> context;
  GPUEXEC_TRY(current_or_failed(context));
  GPUEXEC_REQUIRE(flags, INVALID_VALUE);
  *flags = context->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned flags) {
  std::shared_ptr<Context> context;
  GPUEXEC_TRY(current_or_failed(context));
  context->flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long *id) {
  std::shared_ptr<Context> context;
  GPUEXEC_TRY(handle ? find_context(handle, context)
                     : current_or_failed(context));
  GPUEXEC_REQUIRE(id, INVALID_VALUE);
  *id = context->id;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned *version) {
  std::shared_ptr<Context> context;
  GPUEXEC_TRY(handle ? find_context(handle, context)
                     : current_or_failed(context));
  GPUEXEC_REQUIRE(version, INVALID_VALUE);
  *version = 3020; // the API since cuCtxCreate_v2
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(!context->in_callback(), NOT_PERMITTED);
  GPUEXEC_TRY(refuse_captured(*context));
  return context->synchronize();
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  GPUEXEC_CURRENT(context);
  std::lock_guard guard(context->limits_mutex);
  switch (limit) {
  case CU_LIMIT_STACK_SIZE:
    context->limits.stack = value;
    return CUDA_SUCCESS;
  case CU_LIMIT_PRINTF_FIFO_SIZE:
    context->limits.printf_buffer = value;
    context->services->set_sizes(value, context->limits.heap);
    return CUDA_SUCCESS;
  case CU_LIMIT_MALLOC_HEAP_SIZE:
    context->limits.heap = value;
    context->services->set_sizes(context->limits.printf_buffer, value);
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_UNSUPPORTED_LIMIT;
  }
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(value, INVALID_VALUE);
  std::lock_guard guard(context->limits_mutex);
  switch (limit) {
  case CU_LIMIT_STACK_SIZE:
    *value = context->limits.stack;
    return CUDA_SUCCESS;
  case CU_LIMIT_PRINTF_FIFO_SIZE:
    *value = context->limits.printf_buffer;
    return CUDA_SUCCESS;
  case CU_LIMIT_MALLOC_HEAP_SIZE:
    *value = context->limits.heap;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_UNSUPPORTED_LIMIT;
  }
}

// Caches are not emulated: what is set changes nothing.

CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(config, INVALID_VALUE);
  *config = CU_FUNC_CACHE_PREFER_NONE;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache) {
  GPUEXEC_CURRENT(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(config, INVALID_VALUE);
  *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig) {
  GPUEXEC_CURRENT(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxResetPersistingL2Cache(void) {
  GPUEXEC_CURRENT(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  GPUEXEC_CURRENT(context);
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext, unsigned) {
  return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

CUresult cuCtxDisablePeerAccess(CUcontext) {
  return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
