//===-- replay/recorder/facts.h - A job in a recording ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_RECORDER_FACTS_H
#define GPUEXEC_REPLAY_RECORDER_FACTS_H

#include "loader/job/job.h"
#include "replay/recorder/recording.h"

namespace gpuexec::record {

/// The facts of a job that are known before it runs: program, arguments,
/// environment, launch.
RecordedFacts facts_of(const Job &job);

/// Adds the facts of the device that was opened.
void add_device(RecordedFacts &facts, const DeviceInfo &device,
                const Image &image);

/// Adds the facts that gpu-replay needs because it does not read images:
/// kernels in the order of their launches, the grid, the mailbox.
void add_launches(RecordedFacts &facts, const Program &program);

/// Sets image, arguments, environment and launch of `job` to the recorded ones;
/// the job refers to the recording's image. If the job does not ask for a
/// device, sets it to the back end of the recorded one. Errors: Failure.
llvm::Error apply(const Recording &recording, Job &job);

/// Whether the recording has a schedule.
bool has_schedule(const Recording &recording);
/// After apply(): makes the job repeat the schedule. Errors: Failure.
llvm::Error apply_schedule(const Recording &recording, Job &job);

/// Sets only the image, for a run with other arguments, files and input.
void apply_image(const Recording &recording, Job &job);

/// Reserves the memory of the emulated device while a run is recorded or
/// replayed: at the same address in each process, so that the program's
/// addresses repeat. Empty if that address is in use. The memory stays until
/// the process ends.
llvm::MutableArrayRef<std::byte> fixed_memory();

} // namespace gpuexec::record

#endif
