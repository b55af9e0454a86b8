//===-- emulator/hsa/api_loader.h - AMD's loader extension ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_HSA_API_LOADER_H
#define GPUEXEC_EMULATOR_HSA_API_LOADER_H

#include <hsa/hsa.h>
#include <hsa/hsa_ven_amd_loader.h>

#include <cstddef>

namespace gpuexec::emulator {

/// Writes the first `size` bytes of the table of the extension's functions
/// (version 1.3).
void fill_loader_table(void *table, size_t size);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_API_LOADER_H
