//===-- lending/cuda/worker/own.cpp - Calls with their own functions ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts, modules, functions, waiting, host functions, pools and textures.
#include "lending/cuda/image.h"
#include "lending/cuda/words.h"
#include "lending/cuda/worker/arguments.h"
#include "lending/wire/channel.h"
#include "lending/wire/messages.h"
#include "lending/wire/shared_memory.h"

#include <algorithm>

namespace gpuexec::lent_cuda {

using std::chrono::milliseconds;

/// The first call: nothing but its reply.
CUresult Session::own_Begin(Reader &, Reply &) { return CUDA_SUCCESS; }

CUresult Session::own_CreateContext(Reader &from, Reply &reply) {
  constexpr size_t MOST_CONTEXTS = 64;
  const auto flags = from.take<uint32_t>();
  if (contexts.size() >= MOST_CONTEXTS)
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUcontext context = nullptr;
  const CUresult result = driver.cuCtxCreate_v2(&context, flags, lender.device);
  driver.cuCtxSetCurrent(contexts[current]);
  if (result == CUDA_SUCCESS) {
    contexts.push_back(context);
    reply.put(uint32_t(contexts.size() - 1));
  }
  return result;
}

CUresult Session::own_DestroyContext(Reader &from, Reply &) {
  const auto number = from.take<uint32_t>();
  if (!number || number >= contexts.size() || !contexts[number])
    return CUDA_ERROR_INVALID_CONTEXT;
  driver.cuCtxSetCurrent(contexts[number]);
  std::erase_if(waiting, [&](const Waiting &each) {
    return each.context == contexts[number];
  });
  free_ranges(number, /*all=*/false);
  for (auto &table : objects) // the driver destroys them with the context
    for (Object &object : table)
      if (object.context == number)
        object.real = nullptr;
  const CUresult result = driver.cuCtxDestroy_v2(contexts[number]);
  contexts[number] = nullptr;
  current = 0;
  driver.cuCtxSetCurrent(contexts[0]);
  shared.sticky.store(0);
  return result;
}

/// The first context loses all that is in it. One that a fault has ended is
/// replaced.
CUresult Session::own_ResetContext(Reader &, Reply &) {
  const bool was_broken = broken || driver.cuCtxSynchronize() != CUDA_SUCCESS;
  if (!was_broken) {
    give_back_freed();
    free_ranges(0, /*all=*/false);
    free_objects(0, /*all=*/false);
    return CUDA_SUCCESS;
  }
  for (auto at = ranges.begin(); at != ranges.end();)
    if (at->second.context == 0 && at->second.use != Range::pinned) {
      used -= at->second.use == Range::variable ? 0 : at->second.size;
      at = ranges.erase(at);
    } else {
      ++at;
    }
  free_ranges(0, /*all=*/false); // pinned memory
  freed.clear();
  freed_bytes = 0;
  for (auto &table : objects)
    for (Object &object : table)
      if (object.context == 0)
        object.real = nullptr;
  for (const Copying &each : copying)
    set_word(shared.stages[each.stage].state, each.then);
  copying.clear();
  free_events.clear();
  driver.cuMemHostUnregister(shared.staging);
  driver.cuDevicePrimaryCtxReset_v2(lender.device);
  limits_changed = true; // whoever opened this context in the worker lost it
  if (!lender.take_context())
    return CUDA_ERROR_UNKNOWN;
  contexts[0] = lender.context;
  broken = false;
  shared.sticky.store(0);
  shared.late_error.store(0);
  return CUDA_SUCCESS;
}

CUresult Session::own_SetLimit(Reader &from, Reply &) {
  const auto limit = CUlimit(from.take<uint32_t>());
  const auto value = from.take<uint64_t>();
  limits_changed = true;
  return driver.cuCtxSetLimit(limit, value);
}

/// The image comes over the socket, in a file that cannot change any more.
CUresult Session::own_LoadModule(Reader &from, Reply &reply) {
  const auto handle = from.take<uint64_t>();
  const auto size = from.take<uint64_t>();
  const auto count = from.take<uint32_t>();
  const auto log = from.take<uint32_t>(); // bytes wanted, of either log
  std::vector<CUjit_option> options;
  std::vector<void *> values;
  constexpr uint32_t MOST_OPTIONS = 16, LARGEST_LOG = 3000;
  if (count > MOST_OPTIONS)
    return CUDA_ERROR_INVALID_VALUE;
  for (uint32_t i = 0; i < count; ++i) {
    options.push_back(CUjit_option(from.take<uint32_t>()));
    values.push_back(reinterpret_cast<void *>(from.take<uint64_t>()));
    if (!is_plain_option(options.back()))
      return CUDA_ERROR_INVALID_VALUE;
  }
  char info[LARGEST_LOG] = "", errors[LARGEST_LOG] = "";
  auto add = [&](CUjit_option option, uint64_t value) {
    options.push_back(option);
    values.push_back(reinterpret_cast<void *>(value));
  };
  if (log) {
    add(CU_JIT_INFO_LOG_BUFFER, reinterpret_cast<uint64_t>(info));
    add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, sizeof(info) - 1);
    add(CU_JIT_ERROR_LOG_BUFFER, reinterpret_cast<uint64_t>(errors));
    add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, sizeof(errors) - 1);
  }
  std::optional<wire::Message> message =
      wire::Channel(socket).receive(milliseconds(5000));
  nonsense |= !message || message->kind != wire::CudaImage::KIND ||
              message->descriptors.size() != 1;
  if (nonsense || !may_take(size))
    return CUDA_ERROR_OUT_OF_MEMORY;
  wire::SealedBytes image;
  if (llvm::Error error = image.map(message->descriptors[0].get(), size)) {
    llvm::consumeError(std::move(error));
    return CUDA_ERROR_INVALID_IMAGE;
  }
  const char *bytes = image.bytes().data();
  uint32_t magic = 0;
  if (size >= sizeof(magic))
    std::memcpy(&magic, bytes, sizeof(magic));
  if (image_size(bytes, size + 1) > size + 1 ||
      (magic == FAT_BINARY_MAGIC && !is_sound_fatbin(bytes, size)))
    return CUDA_ERROR_INVALID_IMAGE;
  CUmodule module = nullptr;
  const CUresult result = driver.cuModuleLoadDataEx(
      &module, image.bytes().data(), unsigned(options.size()), options.data(),
      values.data());
  if (result == CUDA_SUCCESS && !add_object(handle, Kind::module, module))
    nonsense = true;
  for (const char *text : {info, errors}) {
    const size_t length = strnlen(text, LARGEST_LOG - 1);
    reply.put(uint32_t(length));
    reply.put_bytes(text, length);
  }
  return result;
}

CUresult Session::own_GetFunction(Reader &from, Reply &reply) {
  const auto handle = from.take<uint64_t>(), of = from.take<uint64_t>();
  const std::string name(from.take_text());
  CUmodule module = nullptr;
  if (!find(of, module))
    return CUDA_ERROR_INVALID_HANDLE;
  auto function = std::make_unique<Function>();
  const CUresult result =
      driver.cuModuleGetFunction(&function->real, module, name.c_str());
  if (result != CUDA_SUCCESS)
    return result;
  for (uint32_t i = 0; i < FUNCTION_ATTRIBUTES; ++i)
    if (driver.cuFuncGetAttribute(&function->facts.attributes[i],
                                  CUfunction_attribute(i),
                                  function->real) == CUDA_SUCCESS)
      function->facts.has_attribute |= uint16_t(1u << i);
  size_t offset = 0, size = 0;
  while (function->parameters.size() < MOST_PARAMETERS &&
         driver.cuFuncGetParamInfo(function->real, function->parameters.size(),
                                   &offset, &size) == CUDA_SUCCESS) {
    if (offset + size > LARGEST_PARAMETERS)
      return CUDA_ERROR_NOT_SUPPORTED;
    function->parameters.push_back({uint16_t(offset), uint16_t(size)});
    function->size = std::max(function->size, uint32_t(offset + size));
  }
  function->facts.parameters = uint16_t(function->parameters.size());
  reply.put(function->facts);
  reply.put_bytes(function->parameters.data(),
                  function->parameters.size() * sizeof(ParameterFacts));
  functions.push_back(std::move(function));
  if (!add_object(handle, Kind::function, functions.back().get()))
    nonsense = true;
  return CUDA_SUCCESS;
}

CUresult Session::own_GetGlobal(Reader &from, Reply &reply) {
  const auto of = from.take<uint64_t>();
  const std::string name(from.take_text());
  CUmodule module = nullptr;
  if (!find(of, module))
    return CUDA_ERROR_INVALID_HANDLE;
  CUdeviceptr address = 0;
  size_t size = 0;
  const CUresult result =
      driver.cuModuleGetGlobal_v2(&address, &size, module, name.c_str());
  if (result != CUDA_SUCCESS)
    return result;
  unsigned managed = 0;
  driver.cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                               address);
  reply.put(address);
  reply.put(uint64_t(size));
  reply.put(uint32_t(managed));
  if (!ranges.count(address))
    add_range(address, size, Range::variable);
  return CUDA_SUCCESS;
}

CUresult Session::own_CountFunctions(Reader &from, Reply &reply) {
  CUmodule module = nullptr;
  if (!find(from.take<uint64_t>(), module))
    return CUDA_ERROR_INVALID_HANDLE;
  unsigned count = 0;
  const CUresult result = driver.cuModuleGetFunctionCount(&count, module);
  reply.put(uint32_t(count));
  return result;
}

CUresult Session::own_FunctionName(Reader &from, Reply &reply) {
  const auto of = from.take<uint64_t>();
  const auto number = from.take<uint32_t>();
  CUmodule module = nullptr;
  if (!find(of, module))
    return CUDA_ERROR_INVALID_HANDLE;
  unsigned count = 0;
  CUresult result = driver.cuModuleGetFunctionCount(&count, module);
  if (result != CUDA_SUCCESS || number >= count)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<CUfunction> all(count);
  result = driver.cuModuleEnumerateFunctions(all.data(), count, module);
  const char *name = nullptr;
  if (result == CUDA_SUCCESS)
    result = driver.cuFuncGetName(&name, all[number]);
  if (result == CUDA_SUCCESS)
    reply.put_bytes(name, strnlen(name, LARGEST_REPLY - 1));
  return result;
}

CUresult Session::own_FunctionAttribute(Reader &from, Reply &reply) {
  auto *function = static_cast<Function *>(
      find_object(from.take<uint64_t>(), Kind::function));
  const auto attribute = CUfunction_attribute(from.take<uint32_t>());
  if (!function)
    return CUDA_ERROR_INVALID_HANDLE;
  int value = 0;
  const CUresult result =
      driver.cuFuncGetAttribute(&value, attribute, function->real);
  reply.put(value);
  return result;
}

CUresult Session::own_SetFunctionAttribute(Reader &from, Reply &) {
  auto *function = static_cast<Function *>(
      find_object(from.take<uint64_t>(), Kind::function));
  const auto attribute = CUfunction_attribute(from.take<uint32_t>());
  const auto value = from.take<int32_t>();
  return function ? driver.cuFuncSetAttribute(function->real, attribute, value)
                  : CUDA_ERROR_INVALID_HANDLE;
}

CUresult Session::own_Launch(Reader &from, Reply &) {
  const auto call = from.take<LaunchCall>();
  std::string_view bytes = from.take_bytes(call.parameters);
  auto *function =
      static_cast<Function *>(find_object(call.function, Kind::function));
  CUstream stream = nullptr;
  if (!function || !find(call.stream, stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (bytes.size() < function->size)
    return CUDA_ERROR_INVALID_VALUE;
  may_have_printed = true;
  void *places[MOST_PARAMETERS];
  auto *begin = const_cast<char *>(bytes.data());
  for (size_t i = 0; i < function->parameters.size(); ++i)
    places[i] = begin + function->parameters[i].offset;
  if (call.cooperative)
    return driver.cuLaunchCooperativeKernel(
        function->real, call.blocks[0], call.blocks[1], call.blocks[2],
        call.threads[0], call.threads[1], call.threads[2], call.shared, stream,
        places);
  return driver.cuLaunchKernel(function->real, call.blocks[0], call.blocks[1],
                               call.blocks[2], call.threads[0], call.threads[1],
                               call.threads[2], call.shared, stream, places,
                               nullptr);
}

/// Replies when the driver says that all is done.
CUresult Session::own_Wait(Reader &from, Reply &) {
  const auto what = WaitFor(from.take<uint32_t>());
  const auto handle = from.take<uint64_t>();
  void *real = nullptr;
  if (what == WaitFor::stream) {
    CUstream stream = nullptr;
    if (!find(handle, stream))
      return CUDA_ERROR_INVALID_HANDLE;
    real = stream;
  } else if (what == WaitFor::event) {
    real = find_object(handle, Kind::event);
    if (!real)
      return CUDA_ERROR_INVALID_HANDLE;
  } else if (what != WaitFor::context) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (slot == NO_REPLY || waiting.size() > REPLY_SLOTS)
    return CUDA_ERROR_INVALID_VALUE;
  waiting.push_back({what, real, slot, contexts[current]});
  replies_later = true;
  return CUDA_SUCCESS;
}

/// On a thread of the driver: has the client call its function, and waits.
void Session::call_host(void *data) {
  const HostCall &call = *static_cast<HostCall *>(data);
  Session &session = *call.session;
  Shared &shared = session.shared;
  Callback *place = nullptr;
  while (!place && !session.ended) {
    {
      std::lock_guard guard(session.callback_mutex);
      for (Callback &each : shared.callbacks)
        if (!place && each.state.load() == CALLBACK_NONE) {
          place = &each;
          each.number = call.number;
          each.order = session.callback_order++;
          each.state.store(CALLBACK_DUE, std::memory_order_release);
        }
    }
    if (!place)
      ::usleep(100);
  }
  if (!place)
    return;
  const uint32_t before = shared.callback_bell.load() & ~SLEEPER;
  set_word(shared.callback_bell, (before + 1) & ~SLEEPER);
  wait_word(
      place->state, std::chrono::microseconds(50),
      [](uint32_t state) { return state != CALLBACK_DUE; },
      [&] { return !session.ended; });
  place->state.store(CALLBACK_NONE);
}

CUresult Session::own_HostFunction(Reader &from, Reply &) {
  CUstream stream = nullptr;
  const bool known = find(from.take<uint64_t>(), stream);
  const auto number = from.take<uint64_t>();
  if (!known)
    return CUDA_ERROR_INVALID_HANDLE;
  constexpr size_t KEPT = 1 << 16;
  if (host_calls.size() > KEPT) // what is so old has been called
    host_calls.pop_front();
  host_calls.push_back({this, number});
  return driver.cuLaunchHostFunc(stream, call_host, &host_calls.back());
}

CUresult Session::own_Destroy(Reader &from, Reply &) {
  const auto kind = Kind(from.take<uint32_t>());
  const auto handle = from.take<uint64_t>();
  if (kind <= Kind::context || uint32_t(kind) >= KINDS)
    return CUDA_ERROR_INVALID_VALUE;
  Object *found = object(handle, kind);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  for (const Waiting &each : waiting)
    if (each.real == found->real)
      return CUDA_ERROR_NOT_PERMITTED;
  void *real = std::exchange(found->real, nullptr);
  if (!found->borrowed)
    destroy_real(kind, real);
  return CUDA_SUCCESS;
}

CUresult Session::own_MakePool(Reader &from, Reply &) {
  const auto handle = from.take<uint64_t>();
  auto properties = from.take<CUmemPoolProps>();
  if (properties.location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
      properties.location.id != 0 ||
      properties.handleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return CUDA_ERROR_NOT_SUPPORTED;
  properties.location.id = lender.device;
  properties.win32SecurityAttributes = nullptr;
  CUmemoryPool pool = nullptr;
  const CUresult result = driver.cuMemPoolCreate(&pool, &properties);
  if (result == CUDA_SUCCESS && !add_object(handle, Kind::pool, pool))
    nonsense = true;
  return result;
}

/// The driver's pool, or the current one if the client has not set it.
CUresult Session::own_FindPool(Reader &from, Reply &) {
  const auto handle = from.take<uint64_t>();
  CUmemoryPool pool = nullptr;
  const CUresult result =
      driver.cuDeviceGetDefaultMemPool(&pool, lender.device);
  if (result == CUDA_SUCCESS &&
      !add_object(handle, Kind::pool, pool, /*borrowed=*/true))
    nonsense = true;
  return result;
}

CUresult Session::own_SetDevicePool(Reader &from, Reply &) {
  CUmemoryPool pool = nullptr;
  if (!find(from.take<uint64_t>(), pool))
    return CUDA_ERROR_INVALID_HANDLE;
  limits_changed = true;
  return driver.cuDeviceSetMemPool(lender.device, pool);
}

CUresult Session::own_PoolAttribute(Reader &from, Reply &reply) {
  CUmemoryPool pool = nullptr;
  const bool known = find(from.take<uint64_t>(), pool);
  const auto attribute = CUmemPool_attribute(from.take<uint32_t>());
  const auto sets = from.take<uint32_t>();
  auto value = from.take<uint64_t>();
  if (!known)
    return CUDA_ERROR_INVALID_HANDLE;
  limits_changed |= sets != 0;
  const CUresult result =
      sets ? driver.cuMemPoolSetAttribute(pool, attribute, &value)
           : driver.cuMemPoolGetAttribute(pool, attribute, &value);
  reply.put(value);
  return result;
}

CUresult Session::own_MipmapLevel(Reader &from, Reply &) {
  const auto handle = from.take<uint64_t>();
  CUmipmappedArray array = nullptr;
  const bool known = find(from.take<uint64_t>(), array);
  const auto number = from.take<uint32_t>();
  if (!known)
    return CUDA_ERROR_INVALID_HANDLE;
  CUarray level = nullptr;
  const CUresult result =
      driver.cuMipmappedArrayGetLevel(&level, array, number);
  if (result == CUDA_SUCCESS &&
      !add_object(handle, Kind::array, level, /*borrowed=*/true))
    nonsense = true;
  return result;
}

CUresult Session::own_MakeTexture(Reader &from, Reply &reply) {
  const auto is_surface = from.take<uint32_t>(),
             has_view = from.take<uint32_t>();
  auto resource = from.take<CUDA_RESOURCE_DESC>();
  const auto sampling = from.take<CUDA_TEXTURE_DESC>();
  const auto view = from.take<CUDA_RESOURCE_VIEW_DESC>();
  auto handle_of = [](const void *value) {
    return reinterpret_cast<uint64_t>(value);
  };
  switch (resource.resType) {
  case CU_RESOURCE_TYPE_ARRAY:
    if (!find(handle_of(resource.res.array.hArray), resource.res.array.hArray))
      return CUDA_ERROR_INVALID_HANDLE;
    break;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    if (!find(handle_of(resource.res.mipmap.hMipmappedArray),
              resource.res.mipmap.hMipmappedArray))
      return CUDA_ERROR_INVALID_HANDLE;
    break;
  case CU_RESOURCE_TYPE_LINEAR:
    if (!knows(resource.res.linear.devPtr, resource.res.linear.sizeInBytes))
      return CUDA_ERROR_INVALID_VALUE;
    break;
  case CU_RESOURCE_TYPE_PITCH2D:
    if (!knows(resource.res.pitch2D.devPtr))
      return CUDA_ERROR_INVALID_VALUE;
    break;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
  unsigned long long made = 0;
  const CUresult result =
      is_surface ? driver.cuSurfObjectCreate(&made, &resource)
                 : driver.cuTexObjectCreate(&made, &resource, &sampling,
                                            has_view ? &view : nullptr);
  if (result == CUDA_SUCCESS)
    textures.emplace(made, is_surface != 0);
  reply.put(uint64_t(made));
  return result;
}

CUresult Session::own_DestroyTexture(Reader &from, Reply &) {
  const auto is_surface = from.take<uint32_t>();
  const auto texture = from.take<uint64_t>();
  if (!textures.erase({texture, is_surface != 0}))
    return CUDA_ERROR_INVALID_HANDLE;
  return is_surface ? driver.cuSurfObjectDestroy(texture)
                    : driver.cuTexObjectDestroy(texture);
}

} // namespace gpuexec::lent_cuda
