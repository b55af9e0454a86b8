//===-- emulator/cuda/driver/copies.h - Copies and fills --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills as work of a stream. A rectangle of rows stands for all of
// them: a plain range is one row.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_COPIES_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_COPIES_H

#include "emulator/cuda/driver/context.h"

namespace gpuexec::cuda {

/// Rows of `width` bytes, `pitch` bytes apart, in slices that are
/// `pitch * slice_rows` bytes apart.
struct Plane {
  char *base = nullptr;
  size_t pitch = 0, slice_rows = 0;
};

/// What the caller says of an address.
enum class Side { host, device, any };

struct Copy {
  Plane to, from;
  Side to_side = Side::any, from_side = Side::any;
  size_t width = 0, height = 1, depth = 1; ///< bytes, rows, slices
};

struct Fill {
  Plane to;
  uint32_t value = 0;
  unsigned value_size = 1;      ///< 1, 2 or 4 bytes
  size_t width = 0, height = 1; ///< values, rows
};

enum class Waits { yes, no };

/// Adds the copy to the stream. It is waited for, too, if `waits` says so or if
/// the host's side is pageable memory, as CUDA documents. INVALID_VALUE when a
/// range that must be the device's is none.
CUresult copy(Context &context, Stream &stream, const Copy &copy, Waits waits);
CUresult fill(Context &context, Stream &stream, const Fill &fill, Waits waits);

/// Checks a copy and makes its work, which may be done often; no work if it has
/// no bytes. `is_pageable`: the host's side is pageable memory.
CUresult prepare(Context &context, const Copy &copy, Stream::Work &work,
                 bool &is_pageable);
CUresult prepare(Context &context, const Fill &fill, Stream::Work &work);
/// The copy that a program describes. Errors of its arrays.
CUresult set_copy(Copy &to, const CUDA_MEMCPY3D &from);
/// The fill that a program describes.
Fill to_fill(const CUDA_MEMSET_NODE_PARAMS &from);

} // namespace gpuexec::cuda

#endif
