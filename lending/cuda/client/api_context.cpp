//===-- lending/cuda/client/api_context.cpp - Contexts --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primary context is the one that the worker has ready.
#include "lending/cuda/client/api.h"

using namespace gpuexec::lent_cuda;

namespace {

/// Of the primary context, whose state the program alone sees.
struct Primary {
  std::mutex mutex;
  unsigned count = 0, flags = 0;
};
Primary &primary() {
  static Primary *state = new Primary;
  return *state;
}

CUresult reset_primary() {
  Session &session = Session::get();
  auto &stack = context_stack();
  stack.push_back(session.primary());
  Writer writer;
  session.has_primary = false;
  const CUresult result = session.ask(Call::ResetContext, writer);
  session.forget(0);
  stack.pop_back();
  return result;
}

bool is_context(CUcontext context) {
  return Session::get().has(Kind::context, number_of(context));
}

} // namespace

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(context, INVALID_VALUE);
  std::lock_guard guard(primary().mutex);
  ++primary().count;
  Session::get().has_primary = true;
  *context = Session::get().primary();
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  std::lock_guard guard(primary().mutex);
  GPUEXEC_REQUIRE(primary().count, INVALID_CONTEXT);
  return --primary().count ? CUDA_SUCCESS : reset_primary();
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  std::lock_guard guard(primary().mutex);
  primary().count = 0;
  return reset_primary();
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  GPUEXEC_TRY(check_device(device));
  std::lock_guard guard(primary().mutex);
  primary().flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags,
                                    int *active) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(flags && active, INVALID_VALUE);
  std::lock_guard guard(primary().mutex);
  *flags = primary().flags;
  *active = primary().count != 0;
  return CUDA_SUCCESS;
}

GPUEXEC_CUDA_EXPORT CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags,
                                            CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(context, INVALID_VALUE);
  Session &session = Session::get();
  auto &stack = context_stack();
  stack.push_back(session.primary()); // any that the worker knows
  Writer writer;
  writer.put(uint32_t(flags));
  uint32_t number = 0;
  const CUresult result =
      session.ask(Call::CreateContext, writer,
                  [&](Reader &from) { number = from.take<uint32_t>(); });
  stack.pop_back();
  GPUEXEC_TRY(result);
  *context = reinterpret_cast<CUcontext>(session.add(Kind::context, number));
  stack.push_back(*context);
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters,
                        unsigned flags, CUdevice device) {
  GPUEXEC_REQUIRE(!parameters || !parameters->numExecAffinityParams,
                  NOT_SUPPORTED);
  return cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxDestroy(CUcontext context) {
  Session &session = Session::get();
  GPUEXEC_REQUIRE(session.ready(), NOT_INITIALIZED);
  Session::Object object;
  GPUEXEC_REQUIRE(context != session.primary() &&
                      session.find(Kind::context, number_of(context), object),
                  INVALID_CONTEXT);
  auto &stack = context_stack();
  if (!stack.empty() && stack.back() == context)
    stack.pop_back();
  stack.push_back(session.primary());
  Writer writer;
  writer.put(object.number);
  session.forget(object.number);
  session.remove(Kind::context, number_of(context));
  const CUresult result = session.ask(Call::DestroyContext, writer);
  stack.pop_back();
  return result;
}

CUresult cuCtxPushCurrent(CUcontext context) {
  GPUEXEC_REQUIRE(Session::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(is_context(context), INVALID_CONTEXT);
  context_stack().push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
  GPUEXEC_REQUIRE(Session::get().ready(), NOT_INITIALIZED);
  auto &stack = context_stack();
  GPUEXEC_REQUIRE(!stack.empty(), INVALID_CONTEXT);
  if (context)
    *context = stack.back();
  stack.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  GPUEXEC_REQUIRE(Session::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(!context || is_context(context), INVALID_CONTEXT);
  auto &stack = context_stack();
  if (!stack.empty())
    stack.pop_back();
  if (context)
    stack.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  GPUEXEC_REQUIRE(Session::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(context, INVALID_VALUE);
  auto &stack = context_stack();
  *context = stack.empty() ? nullptr : stack.back();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  uint32_t number = 0;
  GPUEXEC_TRY(current_or_failed(number));
  GPUEXEC_REQUIRE(device, INVALID_VALUE);
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *flags) {
  uint32_t number = 0;
  GPUEXEC_TRY(current_or_failed(number));
  GPUEXEC_REQUIRE(flags, INVALID_VALUE);
  std::lock_guard guard(primary().mutex);
  *flags = primary().flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned flags) {
  uint32_t number = 0;
  GPUEXEC_TRY(current_or_failed(number));
  std::lock_guard guard(primary().mutex);
  primary().flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  uint32_t number = 0;
  if (!context)
    GPUEXEC_TRY(current_or_failed(number));
  GPUEXEC_REQUIRE(!context || is_context(context), INVALID_CONTEXT);
  GPUEXEC_REQUIRE(id, INVALID_VALUE);
  *id = number_of(context ? context : context_stack().back());
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  GPUEXEC_REQUIRE(!context || is_context(context), INVALID_CONTEXT);
  GPUEXEC_REQUIRE(version, INVALID_VALUE);
  *version = 3020; // the API since cuCtxCreate_v2
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
  GPUEXEC_CURRENT(number);
  return Session::get().wait(WaitFor::context, 0);
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  GPUEXEC_CURRENT(number);
  Writer writer;
  writer.put(uint32_t(limit));
  writer.put(uint64_t(value));
  return Session::get().ask(Call::SetLimit, writer);
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config) {
  GPUEXEC_CURRENT(number);
  GPUEXEC_REQUIRE(config, INVALID_VALUE);
  *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig) {
  GPUEXEC_CURRENT(number);
  return CUDA_SUCCESS; // GPUs have had one width of banks for long
}

CUresult cuCtxResetPersistingL2Cache(void) {
  GPUEXEC_CURRENT(number);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  GPUEXEC_CURRENT(number);
  if (least)
    *least = Session::get().facts().least_priority;
  if (greatest)
    *greatest = Session::get().facts().greatest_priority;
  return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext, unsigned) {
  return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

CUresult cuCtxDisablePeerAccess(CUcontext) {
  return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
