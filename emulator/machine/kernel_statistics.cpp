//===-- emulator/machine/kernel_statistics.cpp - --stats ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/kernel_statistics.h"
#include "debug-info/demangle.h"
#include "support/printable.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuexec::emulator {

void KernelStatistics::add(const Launch &launch) {
  std::lock_guard guard(mutex);
  Sum &sum = kernels[launch.kernel->name()];
  sum.words = &launch.kernel->words();
  ++sum.launches;
  sum.threads += uint64_t(launch.dispatch.grid[0]) * launch.dispatch.grid[1] *
                 launch.dispatch.grid[2];
  sum.ticks += launch.ended - launch.started;
  sum.counters += launch.counters;
  sum.inexact.insert(launch.inexact_instructions.begin(),
                     launch.inexact_instructions.end());
  if (launch.report &&
      launch.report->fault.kind == Fault::Kind::unsupported_instruction)
    sum.unsupported.insert(launch.report->fault.detail);
  for (const auto &[name, counters] : launch.regions)
    sum.regions[name] += counters;
}

static double ratio(uint64_t part, uint64_t whole) {
  return whole ? double(part) / double(whole) : 0;
}

static void add_json(llvm::json::Object &to, const Counters &counters,
                     const DeviceWords &words) {
  llvm::json::Object classes;
  for (size_t i = 0; i < INSTRUCTION_CLASSES; ++i)
    classes[words.name_of(InstructionClass(i))] = counters.instructions[i];
  to["instructions"] = counters.total();
  to["lane_instructions"] = counters.lane_instructions;
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

static double per_second(uint64_t count, const KernelStatistics::Sum &sum) {
  return sum.ticks ? double(count) * CLOCK_HZ / double(sum.ticks) : 0;
}

static llvm::json::Array list(const std::set<std::string> &names) {
  llvm::json::Array array;
  for (const std::string &name : names)
    array.push_back(llvm::json::fixUTF8(name));
  return array;
}

static llvm::json::Object to_json(const std::string &kernel,
                                  const std::string &readable,
                                  const KernelStatistics::Sum &sum) {
  llvm::json::Object object{{"kernel", llvm::json::fixUTF8(kernel)},
                            {"launches", sum.launches},
                            {"threads", sum.threads},
                            {"seconds", double(sum.ticks) / CLOCK_HZ}};
  if (readable != kernel)
    object["demangled"] = llvm::json::fixUTF8(readable);
  add_json(object, sum.counters, *sum.words);
  object["wave_instructions_per_second"] =
      per_second(sum.counters.total(), sum);
  object["lane_instructions_per_second"] =
      per_second(sum.counters.lane_instructions, sum);
  object["approximate_instructions"] = list(sum.inexact);
  object["unsupported_instructions"] = list(sum.unsupported);
  llvm::json::Array regions;
  for (const auto &[name, counters] : sum.regions) {
    llvm::json::Object region{{"name", llvm::json::fixUTF8(name)}};
    add_json(region, counters, *sum.words);
    regions.push_back(std::move(region));
  }
  object["regions"] = std::move(regions);
  return object;
}

static void print_counters(llvm::raw_ostream &out, const Counters &counters,
                           const DeviceWords &words, unsigned indent) {
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
      line(2, words.name_of(InstructionClass(i)), count)
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

/// Prints how fast the kernel ran, and which of its instructions may compute
/// other results than hardware or are not emulated.
static void print_speed_and_fidelity(llvm::raw_ostream &out,
                                     const KernelStatistics::Sum &sum) {
  out << llvm::format(
      "  speed                      %14.3f million wave instructions/s, %.3f "
      "million lane instructions/s\n",
      per_second(sum.counters.total(), sum) / 1e6,
      per_second(sum.counters.lane_instructions, sum) / 1e6);
  out << "  fidelity                   ";
  const char *separator = "";
  auto group = [&](const char *what, const std::set<std::string> &names) {
    if (names.empty())
      return;
    out << separator << what;
    const char *comma = " ";
    for (const std::string &name : names) {
      out << comma << printable(name);
      comma = ", ";
    }
    separator = "; ";
  };
  group("approximate:", sum.inexact);
  group("unsupported:", sum.unsupported);
  out << (*separator ? "\n" : "every instruction exact\n");
}

static void print_table(llvm::raw_ostream &out, const std::string &kernel,
                        const KernelStatistics::Sum &sum) {
  out << "kernel " << printable(kernel) << ": " << sum.launches
      << (sum.launches == 1 ? " launch, " : " launches, ") << sum.threads
      << (sum.threads == 1 ? " thread, " : " threads, ")
      << llvm::format("%.3f ms\n", double(sum.ticks) * 1000 / CLOCK_HZ);
  print_counters(out, sum.counters, *sum.words, 2);
  print_speed_and_fidelity(out, sum);
  for (const auto &[name, counters] : sum.regions) {
    out << "  region " << printable(name) << ":\n";
    print_counters(out, counters, *sum.words, 4);
  }
}

std::string KernelStatistics::text(bool json) const {
  std::lock_guard guard(mutex);
  std::vector<std::string> readable; // in the order of `kernels`
  for (const auto &[kernel, sum] : kernels)
    readable.push_back(kernel);
  readable = debug_info::demangle(std::move(readable));
  std::string text;
  llvm::raw_string_ostream out(text);
  auto name = readable.begin();
  if (!json) {
    for (const auto &[kernel, sum] : kernels)
      print_table(out, *name++, sum);
    return text;
  }
  llvm::json::Array list;
  for (const auto &[kernel, sum] : kernels)
    list.push_back(to_json(kernel, *name++, sum));
  llvm::json::Value all(llvm::json::Object{{"kernels", std::move(list)}});
  out << printable_json(llvm::formatv("{0:2}", all).str()) << '\n';
  return text;
}

} // namespace gpuexec::emulator
