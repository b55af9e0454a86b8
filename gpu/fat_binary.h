//===-- gpu/fat_binary.h - CUDA's fat binaries ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a CUDA program holds its device code. Who makes fat binaries and who
// reads those of its own process share these layouts; loader/image/ reads them
// from files.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPU_FAT_BINARY_H
#define GPUEXEC_GPU_FAT_BINARY_H

#include <cstddef>
#include <cstdint>

namespace gpuexec {

inline constexpr uint32_t FAT_BINARY_MAGIC = 0xba55ed50,
                          FAT_BINARY_WRAPPER_MAGIC = 0x466243b1;

/// What the compiler registers with the runtime: where a fat binary is.
struct FatBinaryWrapper {
  uint32_t magic, version; ///< version 2: several images that must be linked
  uint64_t fat_binary, unused;
};
static_assert(sizeof(FatBinaryWrapper) == 24, "the layout of compilers");

/// The beginning of a fat binary; `size` bytes of entries follow.
struct FatBinaryHeader {
  uint32_t magic;
  uint16_t version, header_size;
  uint64_t size;
};
static_assert(sizeof(FatBinaryHeader) == 16, "the layout of fat binaries");

/// The beginning of an entry; the next one is behind its header and payload.
struct FatBinaryEntry {
  uint16_t kind; ///< FAT_BINARY_PTX or FAT_BINARY_CUBIN
  uint16_t version;
  uint32_t header_size;
  uint64_t payload_size;    ///< a multiple of 8
  uint32_t compressed_size; ///< 0: not compressed
  uint32_t options;         ///< offset of ptxas's options; 0 for a cubin
  uint16_t minor, major;    ///< PTX's version, or the cubin format's
  uint32_t sm;              ///< 80 for sm_80
  uint32_t reserved[2];
  uint64_t flags;
  uint64_t reserved_too;
  uint64_t uncompressed_size; ///< 0: not compressed
};
static_assert(sizeof(FatBinaryEntry) == 64 &&
                  offsetof(FatBinaryEntry, sm) == 28 &&
                  offsetof(FatBinaryEntry, flags) == 40,
              "the layout of fat binaries");
inline constexpr uint16_t FAT_BINARY_PTX = 1, FAT_BINARY_CUBIN = 2;

/// A bit of the flags of a fat binary's entry, which NVIDIA's files leave 0:
/// the device code may use that of other files of the same program or shared
/// library (-rdc=true). libcudart links it when it is needed first.
inline constexpr uint64_t FAT_BINARY_RELOCATABLE = uint64_t(1) << 40;

} // namespace gpuexec

#endif
