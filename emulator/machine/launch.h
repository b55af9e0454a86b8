//===-- emulator/machine/launch.h - One kernel on its way -------*- C++ -*-===//
// What a runtime fills in to have a kernel run, and what it learns when it is
// over. Scheduler::launch takes it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_LAUNCH_H
#define GPUEXEC_EMULATOR_MACHINE_LAUNCH_H

#include "emulator/machine/wave.h"

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec::emulator {

/// Names for program counters. Thread-safe. All text is the image's: make it
/// printable before it is printed.
class SymbolSource {
public:
  struct Frame {
    std::string function, file;
    uint32_t line = 0, column = 0;
    uint64_t offset =
        0; // from the function's begin; meaningful when file is empty
  };
  struct Names {
    /// For each program counter, innermost first, inlined callers after it;
    /// empty when nothing is known.
    std::vector<std::vector<Frame>> frames;
    std::string trouble; // why lines are missing; empty when they are not
  };
  virtual ~SymbolSource();
  /// Lines may be read anew for each call: ask for many at once.
  virtual Names look_up(const std::vector<uint64_t> &pcs) = 0;
  /// Where the function of that name begins, 0 if there is none.
  virtual uint64_t find(const std::string &) { return 0; }
};

/// Where one wave is, for reports.
struct WaveSite {
  std::string kernel;
  uint32_t block[3] = {0, 0, 0};
  uint32_t group_size[3] = {1, 1, 1}; // threads of that block
  uint32_t wave = 0, wave_size = 64;
  uint64_t lanes = 0; // active ones
  const char *state = "";
  uint64_t pc = 0;
  std::string instruction;
  std::vector<uint64_t> callers;
  std::shared_ptr<SymbolSource> symbols;
};

/// The first fault of a launch, with all that its report needs.
struct FaultReport {
  Fault fault;
  WaveSite site;
  std::optional<AddressSpace::Nearest> nearest;
  std::optional<FreedRegion> freed;
  std::string text; // ready to print, several lines
};

struct ResidentGroup;

class Launch {
public:
  Dispatch dispatch; // groups[] is computed from grid and group
  std::shared_ptr<KernelCode> kernel;
  std::shared_ptr<SymbolSource> symbols;
  /// Called once on a worker thread when no wave of it runs any more. report is
  /// set when it was stopped by a fault; dispatch.stop is set when it did not
  /// run to its end.
  std::function<void(Launch &)> done;

  std::optional<FaultReport> report;
  Counters counters;                       // of all waves, when dispatch.count
  std::map<std::string, Counters> regions; // of interest, by their names
  uint64_t started = 0, ended = 0;         // clock_now()

private:
  friend class Scheduler;
  uint64_t total_groups = 0,
           next_group = 0; // next_group: those before it are or were resident
  uint32_t resident_groups = 0, building_groups = 0;
  std::map<uint64_t, std::string> region_names; // by address
  std::vector<std::unique_ptr<ResidentGroup>>
      spare; // memory of ended blocks, for the next ones
  std::list<std::unique_ptr<ResidentGroup>> resident;

public:
  Launch();
  ~Launch();
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_LAUNCH_H
