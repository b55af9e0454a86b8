//===-- emulator/cuda/runtime/copies.h - Copies as the driver's -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every copy of the runtime is one of boxes of the driver.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_RUNTIME_COPIES_H
#define GPUEXEC_EMULATOR_CUDA_RUNTIME_COPIES_H

#include "emulator/cuda/runtime/types.h"

namespace gpuexec::cudart {

enum class Waits { yes, no };

/// Says of each side that is no array what `kind` says. The addresses are in
/// dstDevice and srcDevice. InvalidMemcpyDirection for a kind that is none.
cudaError_t set_kind(CUDA_MEMCPY3D &what, cudaMemcpyKind kind);
/// A copy of bytes, of which the kind is not said yet.
CUDA_MEMCPY3D plain_copy(void *to, const void *from, size_t size);
/// The address of `size` bytes of a variable of the device. InvalidSymbol;
/// InvalidValue when they are not all in it.
cudaError_t place_in(const void *symbol, size_t offset, size_t size,
                     void *&place);
/// Bytes of an element of the array.
cudaError_t element_bytes(cudaArray_t array, size_t &bytes);
/// set_kind(), and the copy.
cudaError_t copy(CUDA_MEMCPY3D what, cudaMemcpyKind kind, cudaStream_t stream,
                 Waits waits);
/// The driver's description of the copy, with its kind.
cudaError_t to_driver(const cudaMemcpy3DParms &from, CUDA_MEMCPY3D &to);

} // namespace gpuexec::cudart

#endif
