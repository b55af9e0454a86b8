//===-- cuda_occupancy.h - Occupancy, for those who include it ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thrust includes this header and uses nothing of it. The calculator for
// devices that are not there (cudaOccMaxActiveBlocksPerMultiprocessor) is
// missing; cudaOccupancyMaxActiveBlocksPerMultiprocessor() asks the device.
//===----------------------------------------------------------------------===//
#include <cuda_runtime_api.h>
