//===-- host_config.h - The host's compiler -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing to configure: gpucc compiles the host's part with clang, too.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_HOST_CONFIG_H
#define GPUEXEC_CUDA_HOST_CONFIG_H
#endif
