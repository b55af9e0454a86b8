//===-- loader/image/lz4.h - Unpacks an LZ4 block ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The LZ4 block format (LZ4 block format description): sequences of literals
// and of copies from what is already unpacked. LLVM has no LZ4, and older CUDA
// toolkits pack fatbins with it.

#ifndef GPUEXEC_LOADER_IMAGE_LZ4_H
#define GPUEXEC_LOADER_IMAGE_LZ4_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace gpuexec::parsing {

/// Fills `plain` exactly; false when `packed` is broken or unpacks to another
/// size.
bool unpack_lz4(llvm::ArrayRef<uint8_t> packed,
                llvm::MutableArrayRef<uint8_t> plain);

} // namespace gpuexec::parsing

#endif
