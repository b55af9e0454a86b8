//===-- gpu/one_thread.h - Programs with one thread a block -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names by which passes and gpucc-ld exchange facts about the threads of a
// block: module flags and an environment variable.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPU_ONE_THREAD_H
#define GPUEXEC_GPU_ONE_THREAD_H

namespace gpuexec {

/// Module flag, 1 in a program that can see how its threads are divided into
/// blocks and waves. The pass note_threads sets it.
inline constexpr const char SEES_THREADS[] = "gpuexec.sees-threads";

/// Module flag, 1 in a program whose blocks have one thread each. The pass
/// limit_blocks sets it.
inline constexpr const char ONE_THREAD[] = "gpuexec.one-thread";

/// Module flag, 1 in a program whose OpenMP threads are waves of their own. The
/// pass waves_for_threads sets it.
inline constexpr const char OPENMP_WAVES[] = "gpuexec.openmp-waves";

/// Named metadata: places in the source where a loop waits for what another
/// thread writes. The pass note_busy_waits adds them.
inline constexpr const char BUSY_WAITS[] = "gpuexec.busy-waits";

/// Environment variable: the most threads of a block, or AUTOMATIC, for which
/// limit_blocks chooses. gpucc-ld sets it while ld.lld links.
inline constexpr const char BLOCK_THREADS[] = "GPUEXEC_BLOCK_THREADS";
inline constexpr const char AUTOMATIC[] = "auto";

} // namespace gpuexec

#endif
