//===-- lending/cuda/client/bulk_copy.h - Copies of many bytes --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One processor copies memory at half of the speed at which a GPU takes it, or
// less: threads help. They are started when they are needed first, and sleep
// otherwise.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_CLIENT_BULK_COPY_H
#define GPUEXEC_LENDING_CUDA_CLIENT_BULK_COPY_H

#include "lending/cuda/words.h"

#include <mutex>

namespace gpuexec::lent_cuda {

class BulkCopy {
public:
  /// Of the process; its threads run until it ends.
  static BulkCopy &get();
  /// With so many helping threads, at most MOST_HELPERS.
  explicit BulkCopy(unsigned helpers) : helpers(helpers) {}
  static constexpr unsigned MOST_HELPERS = 3;
  /// As memcpy(). `streams`: the bytes are not read again soon, and go past the
  /// caches.
  void copy(std::byte *to, const std::byte *from, size_t size, bool streams);

private:
  void help(unsigned number);
  struct Part {
    std::byte *to;
    const std::byte *from;
    size_t size;
    bool streams;
  };
  const unsigned helpers;
  bool started = false;
  std::mutex mutex; ///< one copy has the helpers at a time
  Part parts[MOST_HELPERS];
  alignas(64) Word turn = 0; ///< grows with each copy
  alignas(64) std::atomic<uint32_t> left = 0;
};

} // namespace gpuexec::lent_cuda

#endif
