//===-- emulator/cuda/driver/driver.h - The process' driver -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's interface has no handle for the driver itself: a process has one. This
// object is it, and the only state of the library besides each thread's stack
// of contexts. It lives until the process ends.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_DRIVER_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_DRIVER_H

#include "emulator/cuda/driver/context.h"
#include "emulator/cuda/driver/graph.h"
#include "emulator/cuda/driver/graph_memory.h"
#include "emulator/cuda/driver/handles.h"
#include "emulator/cuda/driver/library.h"
#include "emulator/cuda/driver/link.h"
#include "emulator/cuda/driver/texture.h"
#include "emulator/cuda/driver/texture_reference.h"

namespace gpuexec::cuda {

class Driver {
public:
  static Driver &get();

  /// cuInit(): opens the device. A failure is said once on standard error.
  CUresult initialise();
  bool ready() const { return is_ready.load(std::memory_order_acquire); }
  /// 1, or 0 when CUDA_VISIBLE_DEVICES hides the device.
  int devices() const { return device_count; }
  const CodeSettings &settings() const { return code_settings; }
  /// Only once ready.
  const Hsa &hsa() const { return *opened; }
  Memory &memory() { return *all_memory; }

  /// The device's primary context, made when it is retained first.
  std::shared_ptr<ContextSlot> retain_primary();
  CUresult release_primary();
  void reset_primary();
  std::shared_ptr<ContextSlot> primary() const { return primary_slot; }
  unsigned primary_flags() const { return flags_of_primary; }
  void set_primary_flags(unsigned flags);
  std::shared_ptr<ContextSlot> make_context(unsigned flags);
  /// Destroys the context and what belongs to it. Its handle stays one.
  void destroy(const std::shared_ptr<Context> &context);

  Handles<ContextSlot> contexts;
  Handles<Context> living_contexts;
  Handles<Stream> streams;
  Handles<Event> events;
  Handles<Module> modules;
  Handles<Function> functions;
  Handles<Link> links;
  Handles<Library> libraries;
  Handles<LibraryKernel> kernels;
  Handles<Array> arrays;
  Handles<MipmappedArray> mipmaps;
  Handles<Texture> textures, surfaces;
  Handles<TextureReference> references; ///< of textures and surfaces
  Handles<Pool> pools;
  Handles<Graph> graphs;
  Handles<Node> nodes;
  Handles<GraphExec> graph_execs;
  GraphMemories graph_memories;
  /// Of all graphs and captures. No other lock of the driver's is held where it
  /// is taken.
  std::mutex graphs_mutex;
  uint64_t last_capture = 0;
  const std::shared_ptr<Pool> default_pool = std::make_shared<Pool>();
  /// The pool of cuMemAllocAsync().
  std::shared_ptr<Pool> current_pool();
  void set_current_pool(std::shared_ptr<Pool> pool);

private:
  void fill(const std::shared_ptr<ContextSlot> &slot, unsigned flags);
  CUresult open();
  std::mutex mutex; // guards what follows
  std::atomic<bool> is_ready{false};
  CUresult failure = CUDA_SUCCESS;
  int device_count = 1;
  CodeSettings code_settings;
  std::unique_ptr<Hsa> opened;
  std::unique_ptr<Memory> all_memory;
  const std::shared_ptr<ContextSlot> primary_slot =
      std::make_shared<ContextSlot>();
  std::shared_ptr<Pool> pool = default_pool;
  unsigned primary_count = 0;
  std::atomic<unsigned> flags_of_primary{0};
  uint64_t last_context = 0;
};

/// The contexts that the calling thread has pushed; the last is current.
std::vector<std::shared_ptr<ContextSlot>> &context_stack();

/// The calling thread's context. NOT_INITIALIZED, INVALID_CONTEXT,
/// CONTEXT_IS_DESTROYED, or the context's sticky error.
CUresult current(std::shared_ptr<Context> &context);
/// The context at the address, which an object belongs to. NVIDIA's driver does
/// not ask for a current context where an object says which is meant. Errors as
/// current().
CUresult owner(const void *address, std::shared_ptr<Context> &context);
/// The object of a handle and the context that it belongs to; INVALID_HANDLE.
template <typename T>
CUresult find_owned(const Handles<T> &handles, const void *handle,
                    std::shared_ptr<T> &object,
                    std::shared_ptr<Context> &context) {
  object = handles.find(handle);
  if (object)
    return owner(object->context, context);
  const CUresult error = current(context);
  return error == CUDA_SUCCESS ? CUDA_ERROR_INVALID_HANDLE : error;
}
/// Likewise a stream; the fixed numbers mean those of the current context.
CUresult find_stream(CUstream handle, std::shared_ptr<Stream> &stream,
                     std::shared_ptr<Context> &context);

/// The function of a handle, which may be that of a library's kernel; null for
/// a handle of nothing.
std::shared_ptr<Function> find_function(Context &context, CUfunction handle);

/// The stream of a handle in the context, with those that have fixed numbers.
std::shared_ptr<Stream> find_stream(Context &context, CUstream handle);

/// What a description names. Its arrays are null where a handle is of nothing.
Resource find_resource(const CUDA_RESOURCE_DESC &description);

} // namespace gpuexec::cuda

#endif
