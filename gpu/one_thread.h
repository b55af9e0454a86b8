//===-- gpu/one_thread.h - Programs whose blocks have one thread -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes and gpucc-ld tell one another about the threads of a block.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPU_ONE_THREAD_H
#define GPUEXEC_GPU_ONE_THREAD_H

namespace gpuexec {

/// Module flag, 1 in a program that can see how its threads are divided into
/// blocks and waves (note_threads).
inline constexpr const char SEES_THREADS[] = "gpuexec.sees-threads";

/// Module flag, 1 in a program whose blocks have one thread each
/// (limit_blocks).
inline constexpr const char ONE_THREAD[] = "gpuexec.one-thread";

/// What gpucc-ld sets to a number, or to AUTOMATIC, while ld.lld links.
inline constexpr const char BLOCK_THREADS[] = "GPUEXEC_BLOCK_THREADS";
inline constexpr const char AUTOMATIC[] = "auto";

} // namespace gpuexec

#endif
