//===-- cuda_runtime.h - CUDA's runtime for C++ ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's functions, C++'s forms of them and, in a .cu file, what device
// code calls. gpucc includes it before each .cu file.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_CUDA_RUNTIME_H
#define GPUEXEC_CUDA_CUDA_RUNTIME_H
// Programs ask for the guard that NVIDIA has here.
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "host_config.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include <gpuexec/runtime_templates.h>
#endif
#ifdef __CUDA__
#include <gpuexec/atomics.h>
#include <gpuexec/device_functions.h>
#include <gpuexec/textures.h>
#ifdef GPUEXEC_CUDA_REFERENCES
#include <gpuexec/texture_references.h>
#endif
#include "cuda_device_runtime_api.h"
#endif

#endif
