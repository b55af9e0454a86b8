//===-- loader/program/region_log.h - Times of parallel regions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log that a program with OpenMP writes about its parallel regions, for
// --stats and --trace (gpu/parallel_regions.h). It is in memory that both sides
// see, so it can be read at any time, also after the program was ended. Its
// content comes from the program and is not trusted.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROGRAM_REGION_LOG_H
#define GPUEXEC_LOADER_PROGRAM_REGION_LOG_H

#include "gpu/parallel_regions.h"
#include "loader/device/device.h"
#include "rpc/server/trace.h"
#include "llvm/Support/JSON.h"
#include <atomic>
#include <chrono>

namespace gpuexec {

class RegionLog {
public:
  using Clock = std::chrono::steady_clock;
  static constexpr uint64_t MOST_SPANS = 65536;

  /// Makes the program write the log: `variable` is its GPUEXEC_REGIONS. With
  /// `spans` each execution of a region is noted, as long as there is room.
  /// `device` outlives the log.
  static llvm::Expected<std::unique_ptr<RegionLog>>
  create(Device &device, DeviceAddress variable, bool spans);
  ~RegionLog();
  RegionLog(const RegionLog &) = delete;

  /// The kernel that calls main() has just ended.
  void main_ended() { returned = Clock::now(); }

  // From any thread:

  /// Lines for --stats.
  std::string table() const;
  /// Members for --stats-json: "parallel_regions" and "openmp".
  void add_json(llvm::json::Object &to) const;
  /// An event for each execution of a region.
  void add_events(rpc::Trace &trace) const;

private:
  struct Region;
  struct Main;
  explicit RegionLog(Device &device) : device(device) {}
  double seconds(uint64_t ticks) const { return double(ticks) / hertz; }
  Main read_main() const;
  /// The regions that were executed, the one that took longest first.
  std::vector<Region> read() const;

  Device &device;
  double hertz = 1e9;
  uint64_t spans = 0;
  HostBuffer log;
  DeviceAddress sums;
  std::atomic<Clock::time_point> returned = Clock::time_point();
};

} // namespace gpuexec

#endif
