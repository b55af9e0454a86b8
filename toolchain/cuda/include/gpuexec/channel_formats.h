//===-- toolchain/cuda/include/gpuexec/channel_formats.h - cudaCreateChannelDesc -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_CHANNEL_FORMATS_H
#define GPUEXEC_CUDA_CHANNEL_FORMATS_H

#include <driver_types.h>

namespace gpuexec_cuda {

/// The number of a vector's components, and what one is.
template <class T, int N> struct Channels {
  static cudaChannelFormatDesc describe() {
    const int bits = sizeof(T) * 8;
    const cudaChannelFormatKind kind =
        T(0.5) != T(0) ? cudaChannelFormatKindFloat
        : T(-1) < T(0) ? cudaChannelFormatKindSigned
                       : cudaChannelFormatKindUnsigned;
    return {bits, N > 1 ? bits : 0, N > 2 ? bits : 0, N > 3 ? bits : 0, kind};
  }
};
template <class T> struct Channel : Channels<T, 1> {};
#define GPUEXEC_CHANNELS(NAME, TYPE)                                           \
  template <> struct Channel<NAME##1> : Channels<TYPE, 1> {};                  \
  template <> struct Channel<NAME##2> : Channels<TYPE, 2> {};                  \
  template <> struct Channel<NAME##3> : Channels<TYPE, 3> {};                  \
  template <> struct Channel<NAME##4> : Channels<TYPE, 4> {};
GPUEXEC_CHANNELS(char, signed char)
GPUEXEC_CHANNELS(uchar, unsigned char)
GPUEXEC_CHANNELS(short, short)
GPUEXEC_CHANNELS(ushort, unsigned short)
GPUEXEC_CHANNELS(int, int)
GPUEXEC_CHANNELS(uint, unsigned int)
GPUEXEC_CHANNELS(long, long)
GPUEXEC_CHANNELS(ulong, unsigned long)
GPUEXEC_CHANNELS(float, float)
#undef GPUEXEC_CHANNELS

} // namespace gpuexec_cuda

/// Describes elements of the type T: float, uchar4 and so on.
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() {
  return gpuexec_cuda::Channel<T>::describe();
}
template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<void>() {
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}

#endif
