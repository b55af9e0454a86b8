//===-- emulator/machine/launch.h - One launch of a kernel ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An API fills in a Launch, hands it to Scheduler::launch and reads the result
// when `done` is called.
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
    uint64_t offset = 0; ///< bytes from the function's begin; outermost only
  };
  struct Names {
    /// For each program counter its frames, innermost first: inlined functions,
    /// then the one they were inlined into. Empty when nothing is known.
    std::vector<std::vector<Frame>> frames;
    std::string trouble; ///< why lines are missing; empty if they are not
  };
  virtual ~SymbolSource();
  /// Names all of `pcs`. Each call may read the debug information anew: one
  /// call for many program counters is cheaper than many calls.
  virtual Names look_up(const std::vector<uint64_t> &pcs) = 0;
  /// Where the function of that name begins, 0 if there is none.
  virtual uint64_t find(const std::string &) { return 0; }
};

/// Where one wave is, for reports.
struct WaveSite {
  std::string kernel;
  uint32_t block[3] = {0, 0, 0};
  uint32_t block_size[3] = {1, 1, 1}; ///< threads
  uint32_t wave = 0, wave_size = 1;
  uint32_t stack_size = 0; ///< bytes that each thread has
  uint64_t lanes = 0;      ///< bit i: lane i is on
  const char *state = "";  ///< in words, for people
  const DeviceWords *words = &PLAIN_WORDS;
  uint64_t pc = 0;
  std::string instruction;
  std::vector<uint64_t> callers; ///< see Wave::callers
  std::shared_ptr<SymbolSource> symbols;
};

/// The first fault of a launch, with all that its report needs.
struct FaultReport {
  Fault fault;
  WaveSite site;
  std::optional<AddressSpace::Nearest> nearest;
  std::optional<FreedRegion> freed;
  std::string text; ///< several lines, ready to print
};

struct ResidentBlock;

class Launch {
public:
  Launch();
  ~Launch();

  Dispatch dispatch;
  std::shared_ptr<KernelCode> kernel;
  std::shared_ptr<SymbolSource> symbols;
  /// Called once, on a worker thread, when none of its waves runs any more.
  /// `report` is set after a fault, dispatch.stop when not all blocks ended.
  std::function<void(Launch &)> done;

  std::optional<FaultReport> report;
  Counters counters;                          ///< of all waves; dispatch.count
  std::map<std::string, Counters> regions;    ///< of interest, by name
  std::set<std::string> inexact_instructions; ///< that its waves executed
  uint64_t started = 0, ended = 0;            ///< clock_now()

private:
  friend class Scheduler;
  uint64_t total_blocks = 0;
  uint64_t next_block = 0; // index of the first block that was not started
  uint32_t resident_blocks = 0, building_blocks = 0;
  std::map<uint64_t, std::string> region_names; // by address
  /// Memory of ended blocks, for the next ones.
  std::vector<std::unique_ptr<ResidentBlock>> free_blocks;
  std::list<std::unique_ptr<ResidentBlock>> resident;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_LAUNCH_H
