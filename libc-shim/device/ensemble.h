//===-- libc-shim/device/ensemble.h - Instances of an ensemble -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For start-up code and thread-local variables. In programs without -fensemble
// what is weak here is null, and start-up code has weak definitions of the
// others that do nothing: LLVM removes them with their calls. On NVIDIA there
// are no such programs.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_ENSEMBLE_H
#define GPUEXEC_LIBC_ENSEMBLE_H

#include <stdbool.h>

#ifdef __AMDGPU__
/// The memory for the variables of the calling wave's instance; null when the
/// program runs as others do.
__attribute__((weak)) char *__gpuexec_instance_block(void);
/// Stores in this memory, once it has its initial contents, what the loader
/// says of the instance's mailbox.
__attribute__((weak)) void __gpuexec_fill_instance_block(char *block);
/// Sets the arguments of the instance's main(). False when the program runs as
/// others do.
bool __gpuexec_begin_instance(int *argc, char ***argv, char ***envp);
/// Called before the constructors: stores addresses, as below.
void __gpuexec_prepare_instance(void);
/// Stores addresses of the instance's variables in those that have them as
/// initial values. The pass separate_instances defines it.
__attribute__((weak)) void __gpuexec_store_addresses(void);
#endif

#endif
