//===-- emulator/cuda/driver/driver.cpp - See driver.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/driver.h"
#include "emulator/cuda/driver/visible.h"
#include "support/printable.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gpuexec::cuda {

Driver &Driver::get() {
  static Driver *driver = new Driver; // streams may run until the process ends
  return *driver;
}

namespace {

std::string variable(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value && *value ? value : otherwise;
}

/// "8.0" as 80; 0 when it is no such number.
int capability_of(const std::string &text) {
  int major = 0, minor = 0, length = 0;
  if (sscanf(text.c_str(), "%d.%d%n", &major, &minor, &length) != 2 ||
      size_t(length) != text.size() || major < 3 || major > 20 || minor < 0 ||
      minor > 9)
    return 0;
  return major * 10 + minor;
}

void say(const std::string &text) {
  fprintf(stderr, "gpuexec cuda: %s\n", printable(text).c_str());
}

} // namespace

CUresult Driver::open() {
  const std::string asked = variable("GPUEXEC_CUDA_CAPABILITY", "");
  const std::string wanted = asked.empty() ? "8.0" : asked;
  code_settings.takes_newer = asked.empty();
  code_settings.capability = capability_of(wanted);
  if (!code_settings.capability) {
    say("GPUEXEC_CUDA_CAPABILITY: '" + wanted + "' is not like 8.0");
    code_settings.capability = 80;
  }
  code_settings.processor = variable("GPUEXEC_CUDA_DEVICE", "gfx1100");
  const std::string code = variable("GPUEXEC_CUDA_CODE", "auto");
  if (code == "waves" || code == "host")
    code_settings.choice =
        code == "host" ? CodeChoice::host : CodeChoice::waves;
  else if (code != "auto")
    say("GPUEXEC_CUDA_CODE: '" + code + "' is not auto, host or waves");
  code_settings.tells_why = code_settings.choice == CodeChoice::host;
  std::string problem;
  opened = Hsa::open(code_settings.processor, problem);
  if (!opened) {
    say(problem);
    return CUDA_ERROR_NO_DEVICE;
  }
  all_memory = std::make_unique<Memory>(*opened);
  device_count = is_device_visible();
  return device_count ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult Driver::initialise() {
  std::lock_guard guard(mutex);
  if (is_ready || failure != CUDA_SUCCESS)
    return failure;
  failure = open();
  is_ready.store(failure == CUDA_SUCCESS, std::memory_order_release);
  return failure;
}

void Driver::fill(const std::shared_ptr<ContextSlot> &slot, unsigned flags) {
  auto context =
      std::make_shared<Context>(*opened, *all_memory, flags, ++last_context);
  context->slot = slot.get();
  living_contexts.add<CUcontext>(context);
  slot->set(std::move(context));
  contexts.add<CUcontext>(slot);
}

std::shared_ptr<ContextSlot> Driver::make_context(unsigned flags) {
  std::lock_guard guard(mutex);
  auto slot = std::make_shared<ContextSlot>();
  fill(slot, flags);
  return slot;
}

std::shared_ptr<ContextSlot> Driver::retain_primary() {
  std::lock_guard guard(mutex);
  ++primary_count;
  if (!primary_slot->get())
    fill(primary_slot, flags_of_primary);
  return primary_slot;
}

CUresult Driver::release_primary() {
  std::shared_ptr<Context> dying;
  {
    std::lock_guard guard(mutex);
    if (!primary_count)
      return CUDA_ERROR_INVALID_CONTEXT;
    if (--primary_count)
      return CUDA_SUCCESS;
    dying = primary_slot->get();
  }
  if (dying) // it may have been reset
    destroy(dying);
  return CUDA_SUCCESS;
}

void Driver::reset_primary() {
  // Who retained it must still release it.
  if (auto dying = primary_slot->get())
    destroy(dying);
}

std::shared_ptr<Pool> Driver::current_pool() {
  std::lock_guard guard(mutex);
  return pool;
}

void Driver::set_current_pool(std::shared_ptr<Pool> other) {
  std::lock_guard guard(mutex);
  pool = std::move(other);
}

void Driver::set_primary_flags(unsigned flags) {
  flags_of_primary = flags;
  if (auto context = primary_slot->get())
    context->flags = flags;
}

void Driver::destroy(const std::shared_ptr<Context> &context) {
  const Context *address = context.get();
  context->synchronize();
  living_contexts.take(address);
  context->slot->set(nullptr);
  auto belongs = [&](const auto &object) { return object.context == address; };
  for (const auto &stream : streams.take_all(belongs))
    stream->close();
  events.take_all(belongs);
  textures.take_all(belongs);
  surfaces.take_all(belongs);
  references.take_all(belongs);
  mipmaps.take_all(belongs);
  arrays.take_all(belongs);
  for (const auto &module : modules.take_all(belongs))
    functions.take_all([&](const Function &function) {
      return function.module == module.get();
    });
}

std::vector<std::shared_ptr<ContextSlot>> &context_stack() {
  thread_local std::vector<std::shared_ptr<ContextSlot>> stack;
  return stack;
}

CUresult current(std::shared_ptr<Context> &context) {
  Driver &driver = Driver::get();
  if (!driver.ready())
    return CUDA_ERROR_NOT_INITIALIZED;
  auto &stack = context_stack();
  if (stack.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  context = stack.back()->get();
  return context ? context->error() : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult owner(const void *address, std::shared_ptr<Context> &context) {
  Driver &driver = Driver::get();
  if (!driver.ready())
    return CUDA_ERROR_NOT_INITIALIZED;
  context = driver.living_contexts.find(address);
  return context ? context->error() : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

std::shared_ptr<Function> find_function(Context &context, CUfunction handle) {
  Driver &driver = Driver::get();
  if (auto function = driver.functions.find(handle))
    return function;
  auto kernel = driver.kernels.find(handle);
  if (!kernel)
    return nullptr;
  std::shared_ptr<Module> module;
  std::shared_ptr<Function> function;
  std::string log;
  if (kernel->library->module(context, module, log) != CUDA_SUCCESS ||
      module->function(kernel->name, function) != CUDA_SUCCESS)
    return nullptr;
  return function;
}

CUresult find_stream(CUstream handle, std::shared_ptr<Stream> &stream,
                     std::shared_ptr<Context> &context) {
  if (handle && handle != CU_STREAM_LEGACY && handle != CU_STREAM_PER_THREAD)
    return find_owned(Driver::get().streams, handle, stream, context);
  const CUresult error = current(context);
  if (error == CUDA_SUCCESS)
    stream = find_stream(*context, handle);
  return error;
}

Resource find_resource(const CUDA_RESOURCE_DESC &description) {
  Driver &driver = Driver::get();
  Resource resource{description, nullptr, nullptr};
  if (description.resType == CU_RESOURCE_TYPE_ARRAY)
    resource.array = driver.arrays.find(description.res.array.hArray);
  else if (description.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    resource.mipmap =
        driver.mipmaps.find(description.res.mipmap.hMipmappedArray);
  return resource;
}

std::shared_ptr<Stream> find_stream(Context &context, CUstream handle) {
  if (!handle || handle == CU_STREAM_LEGACY)
    return context.legacy();
  if (handle == CU_STREAM_PER_THREAD)
    return context.per_thread();
  return Driver::get().streams.find(handle);
}

} // namespace gpuexec::cuda
