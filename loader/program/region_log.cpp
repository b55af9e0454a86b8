//===-- loader/program/region_log.cpp - Times of parallel regions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/program/region_log.h"
#include "support/printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cstddef>
#include <cstring>

namespace gpuexec {

struct RegionLog::Region {
  std::string name;
  gpuexec_region_sums sums;

  double part_of_team() const {
    return sums.offered ? double(sums.busy) / double(sums.offered) : 0;
  }
  double part_of_grid(uint64_t threads) const {
    const double offered = double(sums.total) * double(threads);
    return offered > 0 ? double(sums.busy) / offered : 0;
  }
};

/// The head of the log: facts about main() and totals, without the rows.
struct RegionLog::Main {
  gpuexec_region_log head;
  uint64_t ticks = 0; ///< duration of main(); 0: not known

  explicit Main(const HostBuffer &log) : head() {
    std::memcpy(&head, log.host, offsetof(gpuexec_region_log, rows));
  }
};

static llvm::ArrayRef<std::byte> as_bytes(const auto &value) {
  return {reinterpret_cast<const std::byte *>(&value), sizeof(value)};
}

llvm::Expected<std::unique_ptr<RegionLog>>
RegionLog::create(Device &device, DeviceAddress variable, bool spans) {
  std::unique_ptr<RegionLog> created(new RegionLog(device));
  created->spans = spans ? MOST_SPANS : 0;
  if (const uint64_t hertz = device.clock_frequency())
    created->hertz = double(hertz);
  llvm::Expected<HostBuffer> log =
      device.allocate_host(sizeof(gpuexec_region_log) +
                           created->spans * sizeof(gpuexec_region_span));
  if (!log)
    return log.takeError();
  created->log = *log;
  llvm::Expected<DeviceAddress> sums =
      device.allocate_device(sizeof(gpuexec_region_memory));
  if (!sums)
    return sums.takeError();
  created->sums = *sums;
  const struct {
    DeviceAddress log, sums;
    uint64_t spans;
  } told = {log->address, *sums, created->spans};
  static_assert(sizeof told == sizeof(gpuexec_regions));
  if (llvm::Error error =
          device.queue().copy_to_device(variable, as_bytes(told)))
    return std::move(error);
  return std::move(created);
}

RegionLog::~RegionLog() {
  if (log.host)
    device.free_host(log);
  if (sums)
    device.free_device(sums);
}

std::vector<RegionLog::Region> RegionLog::read() const {
  std::vector<Region> regions;
  const auto *rows = reinterpret_cast<const gpuexec_region_row *>(
      log.host + offsetof(gpuexec_region_log, rows));
  for (size_t i = 0; i < GPUEXEC_REGION_ROWS; ++i) {
    gpuexec_region_row row;
    std::memcpy(&row, rows + i, sizeof row);
    if (row.sums.executions)
      regions.push_back(
          {std::string(row.name, strnlen(row.name, sizeof row.name)),
           row.sums});
  }
  llvm::sort(regions, [](const Region &a, const Region &b) {
    return std::pair(b.sums.total, a.name) < std::pair(a.sums.total, b.name);
  });
  return regions;
}

RegionLog::Main RegionLog::read_main() const {
  Main main(log);
  if (main.head.ended > main.head.began)
    main.ticks = main.head.ended - main.head.began;
  return main;
}

static uint64_t ticks_of(const auto &regions) {
  uint64_t ticks = 0;
  for (const auto &region : regions)
    ticks += region.sums.total;
  return ticks;
}

std::string RegionLog::table() const {
  const Main main = read_main();
  const std::vector<Region> regions = read();
  const uint64_t inside = ticks_of(regions);
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "parallel regions: grid of " << main.head.grid_threads
      << (main.head.grid_threads == 1 ? " thread; " : " threads; ")
      << llvm::format("%.3f", seconds(inside) * 1e3) << " ms";
  if (main.ticks)
    out << llvm::format(" of main()'s %.3f ms (%.0f %%)",
                        seconds(main.ticks) * 1e3,
                        100 * double(inside) / double(main.ticks));
  out << "\n";
  if (!regions.empty())
    out << "       times  threads       total ms     average us       least us "
           "       most us    busy    grid  region\n";
  for (const Region &region : regions) {
    const gpuexec_region_sums &sums = region.sums;
    out << llvm::format(
               "  %10llu %8llu %14.3f %14.1f %14.1f %14.1f %5.1f %% %5.1f %%  ",
               (unsigned long long)sums.executions,
               (unsigned long long)sums.threads, seconds(sums.total) * 1e3,
               seconds(sums.total) * 1e6 / double(sums.executions),
               seconds(sums.least) * 1e6, seconds(sums.most) * 1e6,
               100 * region.part_of_team(),
               100 * region.part_of_grid(main.head.grid_threads))
        << printable(region.name) << "\n";
  }
  if (main.head.lost)
    out << "  " << main.head.lost << " executions of further regions\n";
  return text;
}

/// "FUNCTION at FILE:LINE" as members.
static void add_place(llvm::json::Object &to, llvm::StringRef name) {
  const auto [function, place] = name.split(" at ");
  const auto [file, line] = place.rsplit(':');
  to["name"] = llvm::json::fixUTF8(name);
  to["function"] = llvm::json::fixUTF8(function);
  unsigned number = 0;
  if (line.getAsInteger(10, number))
    return;
  to["file"] = llvm::json::fixUTF8(file);
  to["line"] = number;
}

void RegionLog::add_json(llvm::json::Object &to) const {
  const Main main = read_main();
  const std::vector<Region> regions = read();
  llvm::json::Array list;
  for (const Region &region : regions) {
    const gpuexec_region_sums &sums = region.sums;
    llvm::json::Object object{
        {"executions", sums.executions},
        {"threads", sums.threads},
        {"seconds", seconds(sums.total)},
        {"least_seconds", seconds(sums.least)},
        {"most_seconds", seconds(sums.most)},
        {"busy_thread_seconds", seconds(sums.busy)},
        {"busy_ratio", region.part_of_team()},
        {"grid_ratio", region.part_of_grid(main.head.grid_threads)}};
    add_place(object, region.name);
    list.push_back(std::move(object));
  }
  to["parallel_regions"] = std::move(list);
  to["openmp"] =
      llvm::json::Object{{"grid_threads", main.head.grid_threads},
                         {"seconds", seconds(main.ticks)},
                         {"seconds_in_regions", seconds(ticks_of(regions))},
                         {"executions_of_further_regions", main.head.lost}};
}

//===-- Spans -------------------------------------------------------------===//

void RegionLog::add_events(rpc::Trace &trace) const {
  constexpr uint64_t TRACK = 1; // the row behind the loader's
  if (!spans)
    return;
  const Main main = read_main();
  const uint64_t count = std::min(main.head.spans, spans);
  if (!count)
    return;
  std::vector<gpuexec_region_span> noted(count);
  std::memcpy(noted.data(),
              log.host + offsetof(gpuexec_region_log, first_spans),
              count * sizeof(gpuexec_region_span));
  // Both clocks are compared at the end of main(), or of the last region.
  Clock::time_point host = returned.load();
  uint64_t device_clock = main.head.ended;
  if (!device_clock || host == Clock::time_point()) {
    host = Clock::now();
    device_clock = std::max(device_clock, noted.back().end);
  }
  auto time_of = [&](uint64_t ticks) {
    const double ago = double(int64_t(device_clock - ticks)) / hertz;
    return host - std::chrono::duration_cast<Clock::duration>(
                      std::chrono::duration<double>(
                          std::clamp(ago, -1e6, 1e6))); // seconds
  };
  std::string track = "parallel regions";
  if (main.head.spans > count)
    track += llvm::formatv(" (the first {0} of {1})", count, main.head.spans);
  trace.name_track(TRACK, track);
  const auto *rows = reinterpret_cast<const gpuexec_region_row *>(
      log.host + offsetof(gpuexec_region_log, rows));
  std::vector<std::string> names;
  for (size_t i = 0; i < GPUEXEC_REGION_ROWS; ++i)
    names.emplace_back(rows[i].name,
                       strnlen(rows[i].name, sizeof rows[i].name));
  for (const gpuexec_region_span &span : noted)
    if (span.row < names.size() && span.end >= span.begin)
      trace.event("openmp", names[span.row], TRACK, time_of(span.begin),
                  time_of(span.end),
                  "\"threads\":" + std::to_string(span.threads));
}

} // namespace gpuexec
