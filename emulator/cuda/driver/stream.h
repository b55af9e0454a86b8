//===-- emulator/cuda/driver/stream.h - Streams and events ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream does its work in order, in a thread of its own, which starts with
// the first work. Work may wait for positions of other streams. A position is
// always of work that was submitted before, so streams cannot wait in a circle.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_STREAM_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_STREAM_H

#include "emulator/cuda/driver/dispatcher.h"
#include "emulator/cuda/driver/types.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace gpuexec::cuda {

class Capture;
class Stream;
struct Node;

/// The end of a stream's work with that number.
struct Position {
  std::shared_ptr<Stream> stream;
  uint64_t number = 0;
};

/// The first error of a context, which ends it; shared by its streams.
class Sticky {
public:
  CUresult get() const { return CUresult(value.load()); }
  void set(CUresult error) {
    int none = CUDA_SUCCESS;
    value.compare_exchange_strong(none, error);
  }

private:
  std::atomic<int> value{CUDA_SUCCESS};
};

class Stream : public std::enable_shared_from_this<Stream> {
public:
  /// Work gets the stream's dispatcher. What it returns, unless success,
  /// becomes the context's sticky error.
  using Work = std::function<CUresult(Dispatcher &)>;
  enum class When {
    unless_failed, ///< left out once the context has an error
    always,
  };

  Stream(const Hsa &hsa, std::shared_ptr<Sticky> sticky, unsigned flags,
         int priority)
      : flags(flags), priority(priority), sticky(std::move(sticky)),
        dispatcher(hsa) {
    attributes[CU_LAUNCH_ATTRIBUTE_PRIORITY].priority = priority;
  }

  /// Adds work behind all earlier work and behind `after`. Returns its number;
  /// 0 when the system starts no thread.
  uint64_t submit(std::vector<Position> after, Work work,
                  When when = When::unless_failed);
  /// The number of the last work that was submitted.
  uint64_t last() const;
  bool reached(uint64_t number) const;
  void wait(uint64_t number) const;
  /// Waits for all work so far.
  void wait() const { wait(last()); }
  /// True in the thread that does this stream's work (in a host callback).
  bool is_current() const { return thread.is_current(); }
  /// The thread ends once all work is done.
  void close();

  const unsigned flags;
  const int priority;
  /// What a program has set by cuStreamSetAttribute(); zeros before. None has
  /// an effect.
  CUstreamAttrValue attribute(CUstreamAttrID id) const {
    std::lock_guard guard(mutex);
    auto found = attributes.find(id);
    return found == attributes.end() ? CUstreamAttrValue{} : found->second;
  }
  void set_attribute(CUstreamAttrID id, const CUstreamAttrValue &value) {
    std::lock_guard guard(mutex);
    attributes[id] = value;
  }
  /// Where it belongs; for handles only.
  const void *context = nullptr;
  /// The capture that the stream is in, or null; guarded by the lock of all
  /// graphs. Without that lock `is_captured` is right for the thread that
  /// began or ended the capture.
  std::shared_ptr<Capture> capture;
  std::atomic<bool> is_captured{false};

private:
  struct Task {
    std::vector<Position> after;
    Work work;
    When when;
  };
  void run();

  const std::shared_ptr<Sticky> sticky;
  Dispatcher dispatcher;    ///< used by the thread alone
  mutable std::mutex mutex; // guards the members below
  mutable std::condition_variable changed;
  std::deque<Task> tasks;
  uint64_t submitted = 0, completed = 0;
  bool closed = false, running = false;
  std::map<CUstreamAttrID, CUstreamAttrValue> attributes;
  Thread thread;
};

/// One recording of an event.
struct Record {
  Position position;
  std::atomic<uint64_t> nanoseconds{0}; ///< of the steady clock
  /// The work before the event is done now.
  void take_time() {
    nanoseconds =
        uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                     std::chrono::steady_clock::now().time_since_epoch())
                     .count());
  }
};

class Event {
public:
  explicit Event(unsigned flags) : flags(flags) {}
  const unsigned flags;
  const void *context = nullptr;
  std::shared_ptr<Record> get() const {
    std::lock_guard guard(mutex);
    return record;
  }
  void set(std::shared_ptr<Record> to) {
    std::lock_guard guard(mutex);
    record = std::move(to);
  }
  /// What a captured stream had done when it recorded the event last; guarded
  /// by the lock of all graphs.
  struct {
    std::weak_ptr<Capture> capture;
    std::vector<Node *> nodes;
  } captured;
  std::atomic<bool> is_captured{false}; ///< as Stream::is_captured

private:
  mutable std::mutex mutex;
  std::shared_ptr<Record> record; ///< null: never recorded
};

} // namespace gpuexec::cuda

#endif
