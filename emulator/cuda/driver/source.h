//===-- emulator/cuda/driver/source.h - A module's image --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program hands over a module as an address without a length: a fat binary,
// its wrapper, an ELF file or PTX text that ends with a zero byte. Its bytes
// are untrusted. They are copied page by page, so that sizes that lie end with
// an error and not with a fault of the host.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_SOURCE_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_SOURCE_H

#include <cstdint>
#include <functional>
#include <string>

namespace gpuexec::cuda {

/// What an image is.
enum class SourceKind {
  fat_binary, ///< a container; `bytes` begins with its header
  ptx,        ///< text, without its zero byte
  amdgpu,     ///< an ELF file for AMD GPUs
};

struct Source {
  SourceKind kind = SourceKind::ptx;
  std::string bytes;
};

/// Why an image is none; each is one value of CUresult.
enum class SourceError {
  none,
  invalid,      ///< unknown or broken
  machine_code, ///< a cubin: code for NVIDIA GPUs alone
  relocatable,  ///< several fat binaries that a linker must put together
};

/// Copies `size` bytes from `address` of whoever holds the image; false when
/// not all of them can be read.
using ReadBytes = std::function<bool(uint64_t address, void *to, size_t size)>;

/// Reads the image at `address`. `problem`: one line.
SourceError read_source(uint64_t address, const ReadBytes &read, Source &source,
                        std::string &problem);

/// Whether the wrapper of a fat binary is at `address`.
bool is_wrapper(uint64_t address, const ReadBytes &read);

/// Reads this process' own memory; false where nothing is mapped.
bool read_own_memory(uint64_t address, void *to, size_t size);

} // namespace gpuexec::cuda

#endif
