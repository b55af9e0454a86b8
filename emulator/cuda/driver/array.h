//===-- emulator/cuda/driver/array.h - Arrays -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's arrays: elements in rows, slices and layers, in an order that is only
// the driver's. Here rows follow each other, and slices of rows.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_ARRAY_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_ARRAY_H

#include "emulator/cuda/driver/memory.h"
#include "emulator/ptx/device/texture.h"

#include <memory>

namespace gpuexec::cuda {

/// What an element of an array or texture consists of.
struct ElementFacts {
  gpuexec_cuda_channel channel = GPUEXEC_CUDA_U8;
  unsigned channels = 0;
  unsigned bytes = 0;
};
/// False for formats and numbers of channels that are not supported.
bool element_facts(CUarray_format format, unsigned channels,
                   ElementFacts &facts);

class Array {
public:
  /// Allocates zeroed memory of a context. INVALID_VALUE for a description that
  /// CUDA does not allow, NOT_SUPPORTED for one that is not there.
  static CUresult make(Memory &memory, const void *context,
                       const CUDA_ARRAY3D_DESCRIPTOR &description,
                       std::shared_ptr<Array> &array);
  Array(Memory &memory, const void *context)
      : memory(memory), context(context) {}
  Array(const Array &) = delete;
  ~Array();

  size_t row_bytes() const { return size_t(place.width) * element.bytes; }

  CUDA_ARRAY3D_DESCRIPTOR description{};
  ElementFacts element;
  gpuexec_cuda_level place{};

private:
  Memory &memory;

public:
  const void *const context;
};

/// Arrays of which each has half the size of the one before.
class MipmappedArray {
public:
  static CUresult make(Memory &memory, const void *context,
                       const CUDA_ARRAY3D_DESCRIPTOR &description,
                       unsigned levels, std::shared_ptr<MipmappedArray> &array);
  MipmappedArray(Memory &memory, const void *context)
      : memory(memory), context(context) {}
  MipmappedArray(const MipmappedArray &) = delete;
  ~MipmappedArray();

  std::vector<std::shared_ptr<Array>> levels;
  /// The places of all levels, in memory of the device.
  gpuexec_cuda_level *places = nullptr;

private:
  Memory &memory;

public:
  const void *const context;
};

} // namespace gpuexec::cuda

#endif
