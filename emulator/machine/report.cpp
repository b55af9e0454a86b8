//===-- emulator/machine/report.cpp - A fault in words --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/report.h"
#include "debug-info/demangle.h"
#include "emulator/machine/environment.h"
#include "gpu/trap_marks.h"
#include "support/printable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <bit>
#include <csignal>
#include <map>
#include <set>
#include <tuple>

namespace gpuexec::emulator {

SymbolSource::~SymbolSource() = default;

static std::string hex(uint64_t value) {
  return "0x" + llvm::utohexstr(value, /*LowerCase=*/true);
}

static std::string thread_name(const WaveSite &site, unsigned lane) {
  uint32_t linear = site.wave * site.wave_size + lane;
  uint32_t x = linear % site.block_size[0];
  uint32_t y = linear / site.block_size[0] % site.block_size[1];
  uint32_t z = linear / site.block_size[0] / site.block_size[1];
  return "(" + std::to_string(x) + "," + std::to_string(y) + "," +
         std::to_string(z) + ")";
}

std::string threads_of(const WaveSite &site, uint64_t lanes) {
  uint64_t there =
      uint64_t(site.block_size[0]) * site.block_size[1] * site.block_size[2];
  uint64_t first = uint64_t(site.wave) * site.wave_size;
  if (there - first < 64)
    lanes &= (uint64_t(1) << (there - first)) - 1;
  if (!lanes)
    return "no thread";
  unsigned low = unsigned(std::countr_zero(lanes)),
           high = 63 - unsigned(std::countl_zero(lanes));
  if (low == high)
    return "thread " + thread_name(site, low);
  return "threads " + thread_name(site, low) + " to " +
         thread_name(site, high) + ", " + std::to_string(std::popcount(lanes)) +
         " of them";
}

static std::string block_name(const WaveSite &site) {
  return "(" + std::to_string(site.block[0]) + "," +
         std::to_string(site.block[1]) + "," + std::to_string(site.block[2]) +
         ")";
}

/// Of a deep recursion, the report shows this many innermost callers and this
/// many outermost ones.
static constexpr size_t MOST_INNER = 24, MOST_OUTER = 8;

/// The call is the instruction before the return address: its line is shown.
static uint64_t place_of_call(uint64_t return_address) {
  return return_address - 4;
}

/// The callers that are shown: those before index `gap` and those from `after`.
struct Shown {
  explicit Shown(size_t callers)
      : gap(callers > MOST_INNER + MOST_OUTER ? MOST_INNER : callers),
        after(callers > MOST_INNER + MOST_OUTER ? callers - MOST_OUTER
                                                : callers) {}
  size_t gap, after;
};

std::vector<uint64_t> named_pcs(const WaveSite &site) {
  std::vector<uint64_t> pcs{site.pc};
  Shown shown(site.callers.size());
  for (size_t i = 0; i < site.callers.size(); ++i)
    if ((i < shown.gap || i >= shown.after) && site.callers[i])
      pcs.push_back(place_of_call(site.callers[i]));
  return pcs;
}

/// True if a program that gpucc compiled has trapped for this reason, a number
/// of gpu/trap_marks.h.
static bool is_trap(const Fault &fault, uint64_t reason) {
  return fault.kind == Fault::Kind::trap && fault.address == reason;
}

/// The name of a fault without an address, in its report.
static const char *what_happened(const Fault &fault) {
  if (is_trap(fault, GPUEXEC_TRAP_DIVISION))
    return "integer division by zero, or of the least number by -1";
  if (is_trap(fault, GPUEXEC_TRAP_STACK))
    return "stack overflow";
  if (is_trap(fault, GPUEXEC_TRAP_HEAP))
    return "wrong use of the heap";
  return name_of(fault.kind);
}

int signal_of(const Fault &fault) {
  if (is_trap(fault, GPUEXEC_TRAP_DIVISION))
    return SIGFPE;
  return is_trap(fault, GPUEXEC_TRAP_HEAP) ? SIGABRT : SIGSEGV;
}

/// " in FUNCTION FILE:LINE": the innermost function whose lines are known.
/// Where a stack overflows, that is one of those that recurse.
static std::string innermost_line(const WaveSite &site) {
  if (!site.symbols)
    return "";
  for (const auto &frames : site.symbols->look_up(named_pcs(site)).frames)
    for (const SymbolSource::Frame &frame : frames)
      if (!frame.file.empty())
        return " in " +
               printable(frame.function.empty() ? "?" : frame.function) + " " +
               printable(frame.file) + ":" + std::to_string(frame.line);
  return "";
}

static void print_frame(llvm::raw_ostream &out,
                        const SymbolSource::Frame &frame, bool is_last) {
  out << " in " << (frame.function.empty() ? "?" : printable(frame.function));
  if (!frame.file.empty()) {
    out << ' ' << printable(frame.file) << ':' << frame.line;
    if (frame.column)
      out << ':' << frame.column;
  } else if (is_last) {
    out << '+' << hex(frame.offset);
  }
  if (!is_last)
    out << " (inlined)";
  out << '\n';
}

static void print_frames(llvm::raw_ostream &out, const WaveSite &site) {
  SymbolSource::Names names;
  if (site.symbols)
    names = site.symbols->look_up(named_pcs(site));
  unsigned number = 0;
  size_t next = 0; // in names.frames
  auto print = [&](uint64_t pc) {
    size_t index = next++;
    if (index >= names.frames.size() || names.frames[index].empty()) {
      out << "  #" << number++ << ' ' << hex(pc) << '\n';
      return;
    }
    const auto &frames = names.frames[index];
    for (size_t i = 0; i < frames.size(); ++i) {
      out << "  #" << number++ << ' ' << hex(pc);
      print_frame(out, frames[i], /*is_last=*/i + 1 == frames.size());
    }
  };
  print(site.pc);
  const std::vector<uint64_t> &callers = site.callers;
  Shown shown(callers.size());
  for (size_t i = 0; i < callers.size(); ++i) {
    if (i == shown.gap) {
      size_t left_out = shown.after - shown.gap;
      out << "  ... " << left_out << " callers ...\n";
      number += unsigned(left_out);
      i = shown.after;
    }
    if (callers[i])
      print(callers[i]);
    else
      out << "  ... who called that is not known any more\n";
  }
  if (!names.trouble.empty())
    out << "  (no line numbers: " << printable(names.trouble) << ")\n";
}

static std::string plural(uint64_t count, const char *noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

static void print_nearest(llvm::raw_ostream &out, const FaultReport &report) {
  const Fault &fault = report.fault;
  if (report.freed && fault.kind == Fault::Kind::freed) {
    const FreedRegion &freed = *report.freed;
    out << "  it was byte " << fault.address - freed.begin << " of allocation "
        << freed.id << " (" << plural(freed.end - freed.begin, "byte") << " of "
        << name_of(freed.kind) << " at " << hex(freed.begin)
        << (freed.name.empty() ? "" : ", ") << printable(freed.name)
        << "), freed since\n";
    return;
  }
  if (!report.nearest)
    return;
  const Region &region = report.nearest->region;
  if (fault.kind == Fault::Kind::null_page ||
      (report.nearest->distance > uint64_t(1) << 30))
    return; // a far neighbour says nothing
  out << "  ";
  uint64_t asked_end = region.begin + region.asked_size();
  if (report.nearest->before)
    out << plural(region.begin - fault.address, "byte") << " before";
  else if (fault.address >= asked_end)
    out << plural(fault.address - asked_end, "byte") << " past the end of";
  else
    out << "byte " << fault.address - region.begin << " of";
  out << " allocation " << region.id << " ("
      << plural(region.asked_size(), "byte") << " of " << name_of(region.kind)
      << " at " << hex(region.begin);
  if (!region.name.empty())
    out << ", " << printable(region.name);
  out << ")\n";
}

/// Where an undefined value was loaded from.
static void print_origin(llvm::raw_ostream &out, const FaultReport &report) {
  uint64_t at = report.fault.address;
  if (report.fault.space == Fault::Space::thread)
    out << "  it was loaded from byte " << at << " of the thread's stack\n";
  else if (report.fault.space == Fault::Space::block)
    out << "  it was loaded from byte " << at << " of "
        << report.site.words->shared_memory << "\n";
  else if (at) {
    out << "  it was loaded from address " << hex(at) << ", which is\n";
    print_nearest(out, report);
  }
}

static std::string kernel_name(const WaveSite &site) {
  return printable(debug_info::demangle({site.kernel})[0]);
}

static bool has_address(Fault::Kind kind) {
  switch (kind) {
  case Fault::Kind::none:
  case Fault::Kind::uninitialized: // its address is not that of an access
  case Fault::Kind::illegal_instruction:
  case Fault::Kind::unsupported_instruction:
  case Fault::Kind::bad_register:
  case Fault::Kind::bad_pc:
  case Fault::Kind::trap:
    return false;
  default:
    return true;
  }
}

void complete(FaultReport &report, const AddressSpace &memory) {
  const Fault &fault = report.fault;
  bool undefined = fault.kind == Fault::Kind::uninitialized;
  bool global = has_address(fault.kind) &&
                fault.kind != Fault::Kind::out_of_shared &&
                fault.kind != Fault::Kind::out_of_stack;
  if (undefined && fault.address && fault.space == Fault::Space::global)
    global = true;
  if (global) {
    report.nearest = memory.nearest(fault.address);
    report.freed = memory.freed(fault.address);
  }
  llvm::raw_string_ostream out(report.text);
  const WaveSite &site = report.site;
  out << "device fault: ";
  if (has_address(fault.kind)) {
    if (fault.kind == Fault::Kind::read_only)
      out << report.site.words->name_of(fault.kind);
    else
      out << (fault.write ? "write" : "read") << " of "
          << plural(fault.size, "byte") << ": "
          << report.site.words->name_of(fault.kind);
    out << " at address " << hex(fault.address);
  } else {
    out << what_happened(fault);
    if (is_trap(fault, GPUEXEC_TRAP_STACK))
      out << innermost_line(site);
  }
  if (!fault.detail.empty())
    out << ": " << printable(fault.detail);
  out << '\n';
  if (undefined)
    print_origin(out, report);
  else if (global)
    print_nearest(out, report);
  if (fault.kind == Fault::Kind::out_of_stack)
    out << "  each thread had " << plural(site.stack_size, "byte")
        << " of stack; a program that needs more ends like this "
           "(--stack-size)\n";
  out << "  kernel " << kernel_name(site) << ", block " << block_name(site)
      << ", wave " << site.wave << ", "
      << threads_of(site, fault.lanes ? fault.lanes : site.lanes) << '\n';
  out << "  pc " << hex(site.pc);
  if (!site.instruction.empty())
    out << ": " << llvm::StringRef(site.instruction).trim();
  out << '\n';
  print_frames(out, site);
}

std::string describe(const WaveSite &site) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "kernel " << kernel_name(site) << ", block " << block_name(site)
      << ", wave " << site.wave << " (" << site.state << "), "
      << threads_of(site, site.lanes) << '\n';
  print_frames(out, site);
  return text;
}

/// Reads the debug information once for all waves. SymbolSource keeps the
/// answers, which describe() asks for wave by wave.
static void look_up_together(const std::vector<WaveSite> &sites) {
  std::map<SymbolSource *, std::set<uint64_t>> wanted;
  for (const WaveSite &site : sites)
    if (site.symbols)
      for (uint64_t pc : named_pcs(site))
        wanted[site.symbols.get()].insert(pc);
  for (const auto &[symbols, pcs] : wanted)
    (void)symbols->look_up({pcs.begin(), pcs.end()});
}

std::string describe(std::vector<WaveSite> sites, size_t shown) {
  using Place = std::tuple<std::string, uint64_t, std::vector<uint64_t>>;
  std::map<Place, size_t> groups; // index of the first wave at a place
  std::vector<WaveSite> first;
  std::vector<size_t> others; // for each of `first`: waves at the same place
  size_t elsewhere = 0;
  for (WaveSite &site : sites) {
    const auto [group, is_new] = groups.try_emplace(
        Place{site.kernel, site.pc, site.callers}, first.size());
    if (group->second >= shown) {
      ++elsewhere;
    } else if (is_new) {
      first.push_back(std::move(site));
      others.push_back(0);
    } else {
      ++others[group->second];
    }
  }
  look_up_together(first);
  std::string text;
  for (size_t i = 0; i < first.size(); ++i) {
    text += describe(first[i]);
    if (others[i])
      text += "  and " + plural(others[i], "more wave") + " there\n";
  }
  if (elsewhere)
    text += "and " + plural(elsewhere, "more wave") + " elsewhere\n";
  return text;
}

/// Each line of `text` made printable.
static std::string printable_lines(llvm::StringRef text) {
  std::string result;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    result += printable(line);
    if (line.size() < text.size())
      result += '\n';
    text = rest;
  }
  return result;
}

FaultReports::FaultReports()
    : prints(!choice_from_environment("GPUEXEC_EMULATOR_REPORTS", {"stderr"})
                  .empty()) {}

void FaultReports::add(llvm::StringRef text, int signal) {
  std::lock_guard guard(mutex);
  signal_of_last = signal;
  texts.push_back(std::make_unique<std::string>(printable_lines(text)));
  if (prints)
    std::fputs(texts.back()->c_str(), stderr);
  if (texts.size() > KEPT)
    texts.pop_front();
}

const char *FaultReports::last() const {
  std::lock_guard guard(mutex);
  return texts.empty() ? nullptr : texts.back()->c_str();
}

int FaultReports::last_signal() const {
  std::lock_guard guard(mutex);
  return signal_of_last;
}

} // namespace gpuexec::emulator
