//===-- emulator/cuda/driver/own_folder.h - Where the library is ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_OWN_FOLDER_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_OWN_FOLDER_H

#include <string>

namespace gpuexec::cuda {

/// The folder of the library (or program) that holds this code, without links;
/// "." where it is unknown.
std::string own_folder();

} // namespace gpuexec::cuda

#endif
