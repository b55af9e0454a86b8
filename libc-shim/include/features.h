// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/features.h - Which standards are chosen -*- C -*-===*/
#ifndef GPUEXEC_FEATURES_H
#define GPUEXEC_FEATURES_H

#include <sys/features.h>

#endif
