//===-- emulator/cuda/driver/read_file.h - Images in files ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_READ_FILE_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_READ_FILE_H

#include <cstddef>
#include <string>

namespace gpuexec::cuda {

/// The most bytes of an image that a program hands over.
inline constexpr size_t LARGEST_FILE = size_t(1) << 30;

/// Reads a regular file of at most LARGEST_FILE bytes; false when it cannot.
bool read_file(const char *path, std::string &bytes);

} // namespace gpuexec::cuda

#endif
