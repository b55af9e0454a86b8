//===-- libc-shim/abi/more_frames.h - Memory for shared variables ---------===//
#ifndef GPUEXEC_LIBC_MORE_FRAMES_H
#define GPUEXEC_LIBC_MORE_FRAMES_H

#include <stdint.h>

/// A program that refers to this has its shared variables in memory that all
/// threads see.
void *__gpuexec_more_frames(uint64_t end, uint64_t bytes);

#endif
