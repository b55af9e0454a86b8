//===-- toolchain/gpucc/cuda_plan.h - Commands for CUDA ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each .cu file is compiled to PTX for each processor, the PTX becomes a fat
// binary, and the host's part is compiled with the fat binary in it. The result
// is an ordinary program of the host, linked with our libcudart.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_CUDA_PLAN_H
#define GPUEXEC_GPUCC_CUDA_PLAN_H

#include "toolchain/gpucc/plan.h"

namespace gpuexec {

/// The plan for a command line that means_cuda().
Plan cuda_plan(const std::vector<std::string> &argv, const Machine &machine);

/// The text of --help in CUDA mode.
extern const char cuda_usage[];

} // namespace gpuexec

#endif
