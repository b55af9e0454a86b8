//===-- emulator/hsa/report.cpp - Where waves are, what was counted -------===//
#include "emulator/machine/report.h"
#include "emulator/hsa/runtime.h"
#include "support/printable.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace gpuexec::emulator {

/// One reading of the debug information for all waves; their own look-ups find
/// the answers kept.
static void look_up_together(const std::vector<WaveSite> &sites) {
  std::map<SymbolSource *, std::set<uint64_t>> wanted;
  for (const WaveSite &site : sites)
    if (site.symbols)
      for (uint64_t pc : named_pcs(site))
        wanted[site.symbols.get()].insert(pc);
  for (const auto &[symbols, pcs] : wanted)
    (void)symbols->look_up({pcs.begin(), pcs.end()});
}

std::string Runtime::where() {
  Scheduler *there = scheduler_if_any();
  if (!there)
    return "";
  constexpr size_t SHOWN = 32;
  std::vector<WaveSite> sites = there->where(SHOWN + 1);
  const bool more = sites.size() > SHOWN;
  if (more)
    sites.resize(SHOWN);
  look_up_together(sites);
  std::string text;
  for (const WaveSite &site : sites)
    text += describe(site);
  if (more)
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
  for (const auto &[name, counters] : launch.regions)
    total.regions[name] += counters;
}

static double ratio(uint64_t part, uint64_t whole) {
  return whole ? double(part) / double(whole) : 0;
}

static void add_json(llvm::json::Object &to, const Counters &counters) {
  llvm::json::Object classes;
  for (size_t i = 0; i < INSTRUCTION_CLASSES; ++i)
    classes[name_of(InstructionClass(i))] = counters.instructions[i];
  to["instructions"] = counters.total();
  to["instructions_by_class"] = std::move(classes);
  to["active_lane_ratio"] =
      ratio(counters.active_lanes, counters.possible_lanes);
  to["bytes_read"] = counters.bytes_read;
  to["bytes_written"] = counters.bytes_written;
  to["memory_instructions"] = counters.accesses;
  to["cache_lines"] = counters.cache_lines;
  to["coalescing"] = ratio(counters.ideal_lines, counters.cache_lines);
  to["branches"] = counters.branches;
  to["divergences"] = counters.divergences;
  to["barriers"] = counters.barriers;
}

static llvm::json::Object to_json(const std::string &kernel,
                                  const KernelStatistics &total) {
  llvm::json::Object object{{"kernel", llvm::json::fixUTF8(kernel)},
                            {"launches", total.launches},
                            {"threads", total.threads},
                            {"seconds", double(total.ticks) / CLOCK_HZ}};
  add_json(object, total.counters);
  llvm::json::Array regions;
  for (const auto &[name, counters] : total.regions) {
    llvm::json::Object region{{"name", llvm::json::fixUTF8(name)}};
    add_json(region, counters);
    regions.push_back(std::move(region));
  }
  object["regions"] = std::move(regions);
  return object;
}

static void print_counters(llvm::raw_ostream &out, const Counters &counters,
                           unsigned indent) {
  auto line = [&](unsigned deeper, const char *what,
                  uint64_t value) -> llvm::raw_ostream & {
    out.indent(indent + deeper);
    return out << llvm::format("%-*s %14llu", int(26 - deeper), what,
                               (unsigned long long)value);
  };
  auto percent = [&](const char *what, double value) -> llvm::raw_ostream & {
    out.indent(indent);
    return out << llvm::format("%-26s %14.1f %%", what, 100 * value);
  };
  line(0, "instructions", counters.total()) << '\n';
  for (size_t i = 0; i < INSTRUCTION_CLASSES; ++i)
    if (uint64_t count = counters.instructions[i])
      line(2, name_of(InstructionClass(i)), count)
          << llvm::format(" %5.1f %%\n", 100 * ratio(count, counters.total()));
  percent("active lanes", ratio(counters.active_lanes, counters.possible_lanes))
      << '\n';
  line(0, "bytes read", counters.bytes_read) << '\n';
  line(0, "bytes written", counters.bytes_written) << '\n';
  percent("coalescing", ratio(counters.ideal_lines, counters.cache_lines))
      << "  (" << counters.cache_lines << " cache lines in "
      << counters.accesses << " accesses)\n";
  line(0, "divergences", counters.divergences)
      << " of " << counters.branches << " branches\n";
  line(0, "barriers", counters.barriers) << '\n';
}

static void print_table(llvm::raw_ostream &out, const std::string &kernel,
                        const KernelStatistics &total) {
  out << "kernel " << printable(kernel) << ": " << total.launches
      << (total.launches == 1 ? " launch, " : " launches, ") << total.threads
      << (total.threads == 1 ? " thread, " : " threads, ")
      << llvm::format("%.3f ms\n", double(total.ticks) * 1000 / CLOCK_HZ);
  print_counters(out, total.counters, 2);
  for (const auto &[name, counters] : total.regions) {
    out << "  region " << printable(name) << ":\n";
    print_counters(out, counters, 4);
  }
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
  llvm::json::Value all(llvm::json::Object{{"kernels", std::move(kernels)}});
  out << printable_json(llvm::formatv("{0:2}", all).str()) << '\n';
  return text;
}

} // namespace gpuexec::emulator
