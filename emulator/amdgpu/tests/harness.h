//===-- emulator/amdgpu/tests/harness.h - Kernels without HSA ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads a code object into an address space of its own and runs its kernels on
// the machine's scheduler: what the runtime does, as little of it as tests
// need.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_TESTS_HARNESS_H
#define GPUEXEC_EMULATOR_AMDGPU_TESTS_HARNESS_H

#include "emulator/amdgpu/abi/launch_payload.h"
#include "emulator/amdgpu/wave/instruction_set.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/scheduler.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec::emulator::amdgpu::test {

/// What a launch came to.
struct Result {
  Fault fault; // kind none: ended well
  std::string report;
  Counters counters;
  std::map<std::string, Counters> regions; // of interest
};

class Machine {
public:
  /// Ends the process with a message if the code object cannot be loaded.
  Machine(const std::string &cpu, const std::string &path,
          Compiling compiling = Compiling::as_environment_says);
  ~Machine();

  /// Device-visible memory, zeroed; lives as long as the machine.
  template <typename T> T *allocate(size_t count) {
    return static_cast<T *>(allocate_bytes(count * sizeof(T)));
  }
  void *allocate_bytes(size_t size) { return allocate_with(size, nullptr); }
  /// The same, with a shadow that says nothing of it has been written.
  template <typename T> T *allocate_shadowed(size_t count) {
    shadows.emplace_back(new uint8_t[count * sizeof(T)]());
    return static_cast<T *>(
        allocate_with(count * sizeof(T), shadows.back().get()));
  }
  /// Makes [p, p + size) visible.
  void add(void *p, size_t size, bool writable = true,
           uint8_t *shadow = nullptr);
  void remove(void *p);

  struct Grid {
    uint32_t blocks[3] = {1, 1, 1};
    uint16_t threads[3] = {1, 1, 1};
    uint32_t dynamic_lds = 0;
    bool count = false;
    bool check_uninitialized = false;
  };
  /// Runs kernel `name` with `arguments` as its explicit arguments' bytes.
  Result run(const std::string &name, const Grid &grid,
             const std::vector<uint8_t> &arguments);
  template <typename... A>
  Result launch(const std::string &name, const Grid &grid, A... a) {
    std::vector<uint8_t> bytes;
    (append(bytes, a), ...);
    return run(name, grid, bytes);
  }

  AddressSpace memory;

private:
  template <typename T>
  static void append(std::vector<uint8_t> &bytes, T value) {
    while (bytes.size() % alignof(T))
      bytes.push_back(0);
    const uint8_t *p = reinterpret_cast<const uint8_t *>(&value);
    bytes.insert(bytes.end(), p, p + sizeof(T));
  }
  void *allocate_with(size_t size, uint8_t *shadow);
  uint64_t symbol(const std::string &name) const;

  std::unique_ptr<InstructionSet> isa;
  std::unique_ptr<Scheduler> scheduler;
  std::vector<std::pair<void *, size_t>> mappings;
  std::vector<std::unique_ptr<uint8_t[]>> shadows;
  std::vector<std::pair<std::string, uint64_t>> symbols;
};

} // namespace gpuexec::emulator::amdgpu::test

#endif // GPUEXEC_EMULATOR_AMDGPU_TESTS_HARNESS_H
