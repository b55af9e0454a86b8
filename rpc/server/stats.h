//===-- rpc/server/stats.h - Calls counted and timed ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every server thread counts for itself; the table of --rpc-stats shows the
// sums. Durations go into buckets of 1/8 of a power of two: percentiles are
// right within 13 %.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_STATS_H
#define GPUEXEC_RPC_SERVER_STATS_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpuexec::rpc {

struct OperationStats {
  uint64_t calls = 0; ///< lanes that took part, over all requests
  uint64_t requests = 0;
  uint64_t bytes = 0;
  uint64_t nanoseconds = 0;
  std::array<uint32_t, 64 * 8> buckets = {};

  void add(std::chrono::nanoseconds time, unsigned lanes, uint64_t size);
  void add(const OperationStats &other);
  /// The time, in nanoseconds, that `share` (0 to 1) of the requests do not
  /// exceed.
  uint64_t percentile(double share) const;
};

/// The statistics of one thread, by the index of the operation.
class ThreadStats {
public:
  void add(unsigned operation, std::chrono::nanoseconds time, unsigned lanes,
           uint64_t bytes);
  const OperationStats *find(unsigned operation) const {
    return operation < operations.size() ? operations[operation].get()
                                         : nullptr;
  }

private:
  std::vector<std::unique_ptr<OperationStats>> operations;
};

/// A row of the table, for an operation that was called at least once.
struct StatsRow {
  std::string name;
  OperationStats stats;
};
/// The table of --rpc-stats. `idle`: how long the first polling thread found
/// nothing to do.
std::string format_stats(std::vector<StatsRow> rows, unsigned threads,
                         std::chrono::nanoseconds idle,
                         std::chrono::nanoseconds lifetime);

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_STATS_H
