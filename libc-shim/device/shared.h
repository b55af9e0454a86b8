//===-- libc-shim/device/shared.h - What instances share --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a program of an ensemble (gpucc -fensemble) each wave has its own copy of
// every variable that can change. A variable with SHARED is one for all waves.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_SHARED_H
#define GPUEXEC_LIBC_SHARED_H

// The pass separate_instances looks for the section, and removes it.
#ifdef __AMDGPU__
#define SHARED __attribute__((section("gpuexec.shared")))
#else
#define SHARED
#endif

#endif
