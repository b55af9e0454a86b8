//===-- emulator/machine/wave.h - What runs instructions --------*- C++ -*-===//
// The machine schedules waves and knows no instruction; an instruction set runs
// one wave at a time and knows nothing of scheduling. These classes are all
// that they share.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_WAVE_H
#define GPUEXEC_EMULATOR_MACHINE_WAVE_H

#include "emulator/machine/fault.h"
#include "emulator/machine/memory.h"
#include "emulator/machine/statistics.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gpuexec::emulator {

class KernelCode;

/// The device's constant clock (s_memrealtime, HSA_SYSTEM_INFO_TIMESTAMP): 100
/// MHz.
inline constexpr uint64_t CLOCK_HZ = 100'000'000;
uint64_t clock_now();

/// One launch. Constant while its waves run, `stop` apart.
struct Dispatch {
  AddressSpace *memory = nullptr;
  const KernelCode *kernel = nullptr;
  uint32_t grid[3] = {
      1, 1, 1}; // threads, not blocks; need not be a multiple of the group
  uint16_t group[3] = {1, 1, 1};   // threads per block
  uint32_t groups[3] = {1, 1, 1};  // blocks, a partial last one counted
  uint32_t private_size = 0;       // bytes of private segment per lane
  uint32_t group_segment_size = 0; // bytes of LDS per block, dynamic included
  /// What the instruction set wants to know besides, in a type of its own. It
  /// must stay in place until the launch is over.
  const void *payload = nullptr;
  bool count = false;               // statistics are wanted
  bool check_uninitialized = false; // --check=uninit: follow what is undefined
  // With it, device functions whose calls say more than their instructions (0:
  // there is none): (alignment, size) -> address of memory that is undefined
  // from then on; and (any, address, size), of which the host reads all.
  uint64_t allocator = 0;
  uint64_t senders[2] = {0, 0};
  std::atomic<bool> stop{false}; // waves may look at it in long slices; the
                                 // machine does between slices
};

/// One block that is resident. Its memory belongs to the machine and outlives
/// its waves.
struct Workgroup {
  const Dispatch *dispatch = nullptr;
  uint32_t id[3] = {0, 0, 0};
  uint32_t size[3] = {1, 1, 1}; // threads per dimension; smaller than
                                // dispatch->group in a partial last block
  uint32_t waves = 1;
  std::byte *lds = nullptr; // group_segment_size bytes, 64-byte aligned, padded
                            // by 64 bytes that may be read
  uint32_t lds_size = 0;
  std::byte *lds_shadow = nullptr; // --check=uninit: as Region::shadow
  std::byte *scratch = nullptr;    // waves * wave_size * private_size bytes,
                                   // 64-byte aligned: each wave has its part
  /// The private segment of one wave: wave_size * private_size bytes, laid out
  /// as the instruction set likes.
  std::byte *scratch_of(uint32_t wave_in_group) const;
  uint32_t threads() const { return size[0] * size[1] * size[2]; }
};

/// What one wave counted inside a region of interest that its code marks.
struct RegionOfInterest {
  uint64_t name = 0; // device address of its name, a C string
  Counters counters;
};

enum class Stop : uint8_t {
  budget,  // ran its slice to the end
  barrier, // reached a barrier: run() again only when every other live wave of
           // the block is there
  ended,
  fault, // fault() says why; never run again
  sleep, // asked to be put behind others (s_sleep): it waits for somebody
};

/// One wave. The machine keeps at most one host thread in it at a time; which
/// one may change between calls.
class Wave {
public:
  virtual ~Wave();
  /// Runs at most about `budget` instructions. The caller is inside an
  /// AddressSpace::Reader.
  virtual Stop run(uint64_t budget) = 0;
  /// How much the last run() did, in instructions or any other measure. A wave
  /// that slept after the same amount at the same pc as before has gone round
  /// its waiting loop once more and got nowhere.
  virtual uint64_t last_run_length() const { return 0; }
  virtual const Fault &fault() const = 0;
  /// Of the next instruction, or of the one at fault.
  virtual uint64_t pc() const = 0;
  /// Return addresses, innermost first, as far as they can be told; pc() itself
  /// is not among them. A 0 at the end: there are more that are not known.
  virtual std::vector<uint64_t> callers() const { return {}; }
  /// "v_add_u32_e32 v0, v1, v2": the instruction at pc(). Symbols and lines are
  /// the machine's to add.
  virtual std::string instruction() const = 0;
  /// Becomes a fresh wave of another block of the same launch (as make_wave
  /// would give), keeping its memory. False when it cannot: then the machine
  /// makes a new one.
  virtual bool restart(const Workgroup &group, uint32_t wave_in_group) {
    return false;
  }
  /// Lanes that are on (for reports).
  virtual uint64_t active_lanes() const = 0;
  /// Null unless Dispatch::count. Read by the machine when the wave has
  /// stopped.
  virtual const Counters *counters() const { return nullptr; }
  /// Regions of interest that the wave entered, with counters(); the same name
  /// may have several addresses.
  virtual std::vector<RegionOfInterest> regions_of_interest() const {
    return {};
  }
};

/// A kernel ready to run: parsed descriptor, instructions decoded as they are
/// met. Thread-safe. It must not outlive the memory its code is in; the runtime
/// sees to that.
class KernelCode {
public:
  struct Sizes {
    uint32_t group_segment = 0;   // static LDS
    uint32_t private_segment = 0; // per lane
    uint32_t wave_size = 64;
    bool dynamic_stack = false;
    uint32_t wave_bytes = 0; // about the host memory that one Wave takes, so
                             // that residency can be bounded
  };
  virtual ~KernelCode();
  virtual const Sizes &sizes() const = 0;
  virtual const std::string &name() const = 0;
  /// The group's lds and scratch are there; neither has been written.
  virtual std::unique_ptr<Wave> make_wave(const Workgroup &group,
                                          uint32_t wave_in_group) = 0;
};

/// A target. Thread-safe.
class InstructionSet {
public:
  virtual ~InstructionSet();
  /// The kernel whose descriptor is at `descriptor`, a checked address inside a
  /// live region.
  virtual llvm::Expected<std::unique_ptr<KernelCode>>
  load(uint64_t descriptor, llvm::StringRef name, AddressSpace &memory) = 0;
  /// The code in [begin, end) goes away (its executable is destroyed): drop
  /// what was decoded from it.
  virtual void forget(uint64_t begin, uint64_t end) = 0;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_WAVE_H
