//===-- rpc/server/stats.cpp - Calls counted and timed --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/stats.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace gpuexec::rpc;

// Bucket 8 * e + m holds [2^e * (1 + m/8), 2^e * (1 + (m+1)/8)) nanoseconds.
static unsigned bucket_of(uint64_t ns) {
  if (ns < 8)
    return unsigned(ns); // exact below 8 ns: eighths would be fractions
  unsigned exponent = 63 - llvm::countl_zero(ns);
  return exponent * 8 + ((ns >> (exponent - 3)) & 7);
}

static uint64_t bucket_end(unsigned bucket) {
  if (bucket < 8)
    return bucket;
  unsigned exponent = bucket / 8;
  return (uint64_t(8 + bucket % 8 + 1) << (exponent - 3)) - 1;
}

void OperationStats::add(std::chrono::nanoseconds time, unsigned lanes,
                         uint64_t size) {
  uint64_t ns = time.count() < 0 ? 0 : uint64_t(time.count());
  calls += lanes;
  ++requests;
  bytes += size;
  nanoseconds += ns;
  ++buckets[bucket_of(ns)];
}

void OperationStats::add(const OperationStats &other) {
  calls += other.calls;
  requests += other.requests;
  bytes += other.bytes;
  nanoseconds += other.nanoseconds;
  for (size_t i = 0; i < buckets.size(); ++i)
    buckets[i] += other.buckets[i];
}

uint64_t OperationStats::percentile(double share) const {
  uint64_t wanted = uint64_t(double(requests) * share);
  uint64_t seen = 0;
  for (unsigned i = 0; i < buckets.size(); ++i) {
    seen += buckets[i];
    if (seen > wanted || (seen == requests && seen))
      return bucket_end(i);
  }
  return 0;
}

void ThreadStats::add(unsigned operation, std::chrono::nanoseconds time,
                      unsigned lanes, uint64_t bytes) {
  if (operation >= operations.size())
    operations.resize(operation + 1);
  if (!operations[operation])
    operations[operation] = std::make_unique<OperationStats>();
  operations[operation]->add(time, lanes, bytes);
}

std::string gpuexec::rpc::format_stats(std::vector<StatsRow> rows,
                                       unsigned threads,
                                       std::chrono::nanoseconds idle,
                                       std::chrono::nanoseconds lifetime) {
  llvm::sort(rows, [](const StatsRow &a, const StatsRow &b) {
    return a.stats.nanoseconds > b.stats.nanoseconds;
  });
  std::string text;
  llvm::raw_string_ostream out(text);
  out << llvm::format("%-26s %10s %10s %14s %11s %11s\n", "opcode", "calls",
                      "requests", "bytes", "mean us", "p99 us");
  for (const StatsRow &row : rows)
    out << llvm::format("%-26s %10llu %10llu %14llu %11.2f %11.2f\n",
                        row.name.c_str(), (unsigned long long)row.stats.calls,
                        (unsigned long long)row.stats.requests,
                        (unsigned long long)row.stats.bytes,
                        double(row.stats.nanoseconds) / 1e3 /
                            double(row.stats.requests),
                        double(row.stats.percentile(0.99)) / 1e3);
  double seconds = double(lifetime.count()) / 1e9;
  double idle_seconds = double(idle.count()) / 1e9;
  out << llvm::format("server threads %u, served for %.3f s, idle %.3f s "
                      "(%.1f %%)\n",
                      threads, seconds, idle_seconds,
                      seconds > 0 ? 100 * idle_seconds / seconds : 0.0);
  return text;
}
