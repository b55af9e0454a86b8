//===-- emulator/machine/tests/toy.h - A target that is no GPU --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An instruction set whose only instruction is a C++ function: it shows that
// the machine needs to know nothing of any real one, and lets tests say exactly
// what each wave does.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_TESTS_TOY_H
#define GPUEXEC_EMULATOR_MACHINE_TESTS_TOY_H

#include "emulator/machine/scheduler.h"

#include <condition_variable>
#include <functional>
#include <mutex>

namespace gpuexec::emulator::toy {

struct ToyWave;

/// What a wave does at each step; Stop::budget means "go on".
using Step = std::function<Stop(ToyWave &)>;

struct ToyWave final : Wave {
  ToyWave(const Step &step, const Block &block, uint32_t index)
      : step(step), block(&block), index(index) {}
  Stop run(uint64_t budget) override {
    run_length = 0;
    for (uint64_t i = 0; i < budget; ++i) {
      ++run_length;
      Stop stop = step(*this);
      ++steps;
      if (stop != Stop::budget)
        return stop;
    }
    return Stop::budget;
  }
  bool restart(const Block &next, uint32_t wave) override {
    block = &next;
    index = wave;
    steps = 0;
    phase = 0;
    counts = {};
    return true;
  }
  uint64_t last_run_length() const override { return run_length; }
  const Fault &fault() const override { return why; }
  uint64_t pc() const override { return 0x1000; }
  std::string instruction() const override { return "step"; }
  uint64_t active_lanes() const override { return ~uint64_t(0); }
  std::optional<Counters> counters() const override { return counts; }
  std::set<const char *> inexact_instructions() const override {
    return inexact;
  }
  std::vector<RegionOfInterest> regions_of_interest() const override {
    return regions;
  }

  const Step &step;
  const Block *block;
  uint32_t index;
  uint64_t steps = 0, run_length = 0;
  int phase = 0; // the step's own
  Fault why;
  Counters counts;
  std::set<const char *> inexact;
  std::vector<RegionOfInterest> regions;
};

struct ToyKernel final : KernelCode {
  explicit ToyKernel(Step step, Sizes sizes = Sizes())
      : step(std::move(step)), all_sizes(sizes) {
    all_sizes.wave_size = all_sizes.stack_lanes = 64;
  }
  const Sizes &sizes() const override { return all_sizes; }
  const std::string &name() const override { return kernel_name; }
  const DeviceWords &words() const override { return *device_words; }
  std::unique_ptr<Wave> make_wave(const Block &block, uint32_t index) override {
    return std::make_unique<ToyWave>(step, block, index);
  }
  Step step;
  Sizes all_sizes;
  std::string kernel_name = "toy";
  const DeviceWords *device_words = &PLAIN_WORDS;
};

/// A launch that can be waited for.
struct ToyRun {
  std::shared_ptr<Launch> launch = std::make_shared<Launch>();
  std::mutex lock;
  std::condition_variable over;
  bool done = false;

  ToyRun(Step step, uint32_t threads, uint32_t blocks,
         KernelCode::Sizes sizes = KernelCode::Sizes()) {
    launch->kernel = std::make_shared<ToyKernel>(std::move(step), sizes);
    launch->dispatch.block[0] = uint16_t(threads);
    launch->dispatch.grid[0] = threads * blocks;
    launch->dispatch.shared_size = sizes.shared_size;
    launch->dispatch.stack_size = sizes.stack_size;
    launch->done = [this](Launch &) {
      std::lock_guard guard(lock);
      done = true;
      over.notify_all();
    };
  }
  /// True when it was over in time.
  bool wait(int seconds = 60) {
    std::unique_lock guard(lock);
    return over.wait_for(guard, std::chrono::seconds(seconds),
                         [&] { return done; });
  }
  bool run(Scheduler &scheduler) {
    scheduler.launch(launch);
    return wait();
  }
};

} // namespace gpuexec::emulator::toy

#endif // GPUEXEC_EMULATOR_MACHINE_TESTS_TOY_H
