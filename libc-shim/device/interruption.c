//===-- libc-shim/device/interruption.c - See interruption.h --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/interruption.h"

unsigned (*__gpuexec_interruption)(bool);
bool __gpuexec_has_timers;
void (*__gpuexec_end_cancelled)(void);
