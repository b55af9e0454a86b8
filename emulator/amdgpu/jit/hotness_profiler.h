//===-- emulator/amdgpu/jit/hotness_profiler.h - Finds hot code -*- C++ -*-===//
// A wave that uses up its time slice stops at the head of the block it was
// going to. The profiler counts these samples, which cost nothing else. A
// thread compiles a head that was sampled often enough and replaces the
// handlers of the region's entries; waves notice nothing. The compiler's
// library is opened when it is first needed. LLVM cannot be interrupted, so a
// profiler that is destroyed leaves a compilation to its thread, which frees
// everything when LLVM returns: a short program does not wait for code that
// nobody will run.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_HOTNESS_PROFILER_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_HOTNESS_PROFILER_H

#include "emulator/amdgpu/code.h"
#include "emulator/amdgpu/isa.h"
#include "emulator/amdgpu/jit/jit.h"
#include "support/thread.h"

#include <memory>

namespace gpuexec::emulator::amdgpu::jit {

/// Thread-safe.
class HotnessProfiler {
public:
  explicit HotnessProfiler(Compiling compiling);
  /// No wave may run in compiled code any more. The guest's memory may be freed
  /// afterwards.
  ~HotnessProfiler();

  /// Called when a wave has used up its time slice and stopped at state.resume.
  /// `alone` belongs to the wave; it counts the samples in a row in which at
  /// most one lane was active.
  void sample(State &state, const std::shared_ptr<Code> &code, unsigned &alone);

private:
  struct Shared;
  std::shared_ptr<Shared> shared;
  Thread thread;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_HOTNESS_PROFILER_H
