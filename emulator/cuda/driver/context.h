//===-- emulator/cuda/driver/context.h - Contexts ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context owns streams, modules and memory, and has one sticky error. It
// also knows the order between its legacy default stream and its other
// blocking streams. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_CONTEXT_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_CONTEXT_H

#include "emulator/cuda/driver/memory.h"
#include "emulator/cuda/driver/module.h"
#include "emulator/cuda/driver/stream.h"

#include <atomic>
#include <pthread.h>

namespace gpuexec::cuda {

/// CU_LIMIT_*; bytes.
struct Limits {
  size_t stack = 1024, printf_buffer = 1 << 20, heap = 8 << 20;
};

class Context;

/// What a handle of the interface stands for: a context that may have ended,
/// and for the primary context each one that a device has in turn. It stays
/// until the process ends. Thread-safe.
class ContextSlot {
public:
  /// Null once the context has ended.
  std::shared_ptr<Context> get() const {
    std::lock_guard guard(mutex);
    return context;
  }
  void set(std::shared_ptr<Context> other) {
    std::lock_guard guard(mutex);
    context = std::move(other);
  }

private:
  mutable std::mutex mutex;
  std::shared_ptr<Context> context;
};

class Context {
public:
  Context(const Hsa &hsa, Memory &memory, unsigned flags, uint64_t id);
  /// Waits for its streams and frees its memory.
  ~Context();

  CUresult error() const { return sticky->get(); }
  std::shared_ptr<Stream> make_stream(unsigned flags, int priority);
  std::shared_ptr<Stream> legacy() const { return legacy_stream; }
  /// The calling thread's default stream.
  std::shared_ptr<Stream> per_thread();
  /// Adds work in the order that CUDA documents for default streams. Returns
  /// its number, 0 when there is no thread for it.
  uint64_t submit(Stream &stream, Stream::Work work,
                  std::vector<Position> after = {},
                  Stream::When when = Stream::When::unless_failed);
  /// Submits and waits.
  CUresult run(Stream &stream, Stream::Work work);
  /// Waits for all streams; the sticky error.
  CUresult synchronize();
  /// True in a thread that does a stream's work: it must not wait.
  bool in_callback();

  const Hsa &hsa;
  Memory &memory;
  const std::shared_ptr<Services> services;
  const uint64_t id;
  ContextSlot *slot = nullptr; ///< its handle; lives longer
  std::atomic<unsigned> flags;
  Limits limits; ///< guarded by `limits_mutex`
  std::mutex limits_mutex;
  /// Captures that have begun in its streams; guarded by the lock of all
  /// graphs, their number is not.
  std::vector<std::shared_ptr<Capture>> captures;
  std::atomic<size_t> capture_count{0};

private:
  std::vector<std::shared_ptr<Stream>> streams();

  const std::shared_ptr<Sticky> sticky = std::make_shared<Sticky>();
  std::mutex mutex; // guards the members below, and the order of submissions
  std::vector<std::weak_ptr<Stream>> all;
  std::map<pthread_t, std::shared_ptr<Stream>> thread_streams;
  std::shared_ptr<Stream> legacy_stream;
};

} // namespace gpuexec::cuda

#endif
