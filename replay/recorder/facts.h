//===-- replay/recorder/facts.h - A job in a recording ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_REPLAY_RECORDER_FACTS_H
#define GPUEXEC_REPLAY_RECORDER_FACTS_H

#include "loader/job/job.h"
#include "replay/recorder/recording.h"

namespace gpuexec::record {

/// What a recording says about a job before it runs: program, arguments,
/// environment, launch.
RecordedFacts facts_of(const Job &job);

/// What it says about the device that was opened.
void add_device(RecordedFacts &facts, const DeviceInfo &device,
                const Image &image);

/// What gpu-replay needs, which reads no image: kernels in the order of their
/// launches, the grid, the mailbox.
void add_launches(RecordedFacts &facts, const Program &program);

/// Sets image, arguments, environment and launch of `job` as they were
/// recorded; the job refers to the recording's image. The device is the
/// recorded one's back end, unless the job asks for one. Errors: Failure.
llvm::Error apply(const Recording &recording, Job &job);

/// Does the recording have a schedule?
bool has_schedule(const Recording &recording);
/// After apply(): the job is to repeat the schedule. Errors: Failure.
llvm::Error apply_schedule(const Recording &recording, Job &job);

/// Only the image: for a run with other arguments, files and input.
void apply_image(const Recording &recording, Job &job);

/// Where the emulated device has its memory while a run is recorded or
/// replayed: at one address in each process, so that its addresses repeat. Of
/// no size where that is taken. It stays until the process ends.
llvm::MutableArrayRef<std::byte> fixed_memory();

} // namespace gpuexec::record

#endif
