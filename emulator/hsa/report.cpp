//===-- emulator/hsa/report.cpp - Where waves are, what was counted -------===//
#include "emulator/engine/report.h"
#include "emulator/hsa/runtime.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuexec::emulator {

std::string Runtime::where() {
  Scheduler *there = scheduler_if_any();
  if (!there)
    return "";
  constexpr size_t SHOWN = 32;
  std::vector<WaveSite> sites = there->where(SHOWN + 1);
  std::string text;
  for (size_t i = 0; i < sites.size() && i < SHOWN; ++i)
    text += describe(sites[i]);
  if (sites.size() > SHOWN)
    text += "and more waves\n";
  return text;
}

void Runtime::count(const std::string &kernel, const Launch &launch) {
  std::lock_guard guard(lock_);
  KernelStatistics &total = kernel_statistics[kernel];
  ++total.launches;
  total.threads += uint64_t(launch.dispatch.grid[0]) * launch.dispatch.grid[1] *
                   launch.dispatch.grid[2];
  total.ticks += launch.ended - launch.started;
  total.counters += launch.counters;
}

static double ratio(uint64_t part, uint64_t whole) {
  return whole ? double(part) / double(whole) : 0;
}

static llvm::json::Object to_json(const std::string &kernel,
                                  const KernelStatistics &total) {
  const Counters &counters = total.counters;
  llvm::json::Object classes;
  for (size_t i = 0; i < INSTRUCTION_CLASSES; ++i)
    classes[name_of(InstructionClass(i))] = counters.instructions[i];
  return llvm::json::Object{
      {"kernel", kernel},
      {"launches", total.launches},
      {"threads", total.threads},
      {"seconds", double(total.ticks) / CLOCK_HZ},
      {"instructions", counters.total()},
      {"instructions_by_class", std::move(classes)},
      {"active_lane_ratio",
       ratio(counters.active_lanes, counters.possible_lanes)},
      {"bytes_read", counters.bytes_read},
      {"bytes_written", counters.bytes_written},
      {"memory_instructions", counters.accesses},
      {"cache_lines", counters.cache_lines},
      {"coalescing", ratio(counters.ideal_lines, counters.cache_lines)},
      {"branches", counters.branches},
      {"divergences", counters.divergences},
      {"barriers", counters.barriers},
  };
}

static void print_table(llvm::raw_ostream &out, const std::string &kernel,
                        const KernelStatistics &total) {
  const Counters &counters = total.counters;
  out << "kernel " << kernel << ": " << total.launches
      << (total.launches == 1 ? " launch, " : " launches, ") << total.threads
      << " threads, "
      << llvm::format("%.3f ms\n", double(total.ticks) * 1000 / CLOCK_HZ);
  out << llvm::format("  %-22s %14llu\n", "instructions",
                      (unsigned long long)counters.total());
  for (size_t i = 0; i < INSTRUCTION_CLASSES; ++i)
    if (counters.instructions[i])
      out << llvm::format(
          "    %-20s %14llu %5.1f %%\n", name_of(InstructionClass(i)),
          (unsigned long long)counters.instructions[i],
          100 * ratio(counters.instructions[i], counters.total()));
  out << llvm::format(
      "  %-22s %14.1f %%\n", "active lanes",
      100 * ratio(counters.active_lanes, counters.possible_lanes));
  out << llvm::format("  %-22s %14llu\n", "bytes read",
                      (unsigned long long)counters.bytes_read);
  out << llvm::format("  %-22s %14llu\n", "bytes written",
                      (unsigned long long)counters.bytes_written);
  out << llvm::format("  %-22s %14.1f %%  (%llu lines in %llu accesses)\n",
                      "coalescing",
                      100 * ratio(counters.ideal_lines, counters.cache_lines),
                      (unsigned long long)counters.cache_lines,
                      (unsigned long long)counters.accesses);
  out << llvm::format("  %-22s %14llu of %llu branches\n", "divergences",
                      (unsigned long long)counters.divergences,
                      (unsigned long long)counters.branches);
  out << llvm::format("  %-22s %14llu\n", "barriers",
                      (unsigned long long)counters.barriers);
}

std::string Runtime::statistics(bool json) const {
  std::lock_guard guard(lock_);
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!json) {
    for (const auto &[kernel, total] : kernel_statistics)
      print_table(out, kernel, total);
    return text;
  }
  llvm::json::Array kernels;
  for (const auto &[kernel, total] : kernel_statistics)
    kernels.push_back(to_json(kernel, total));
  out << llvm::formatv("{0:2}", llvm::json::Value(llvm::json::Object{
                                    {"kernels", std::move(kernels)}}))
      << '\n';
  return text;
}

} // namespace gpuexec::emulator
