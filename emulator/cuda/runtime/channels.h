//===-- emulator/cuda/runtime/channels.h - Elements of arrays ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime describes an array's elements by the bits of each channel, the
// driver by a format and the number of channels.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_RUNTIME_CHANNELS_H
#define GPUEXEC_EMULATOR_CUDA_RUNTIME_CHANNELS_H

#include "emulator/cuda/runtime/types.h"

namespace gpuexec::cudart {

struct Channels {
  CUarray_format format{};
  unsigned count = 0;
  unsigned bytes() const; ///< of an element
};

/// False for a description that CUDA does not allow.
bool channels_of(const cudaChannelFormatDesc &description, Channels &channels);
cudaChannelFormatDesc description_of(const Channels &channels);

} // namespace gpuexec::cudart

#endif
