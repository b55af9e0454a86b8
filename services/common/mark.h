//===-- services/common/mark.h - What a program asks for --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_COMMON_MARK_H
#define GPUEXEC_SERVICES_COMMON_MARK_H

enum {
#define GPUEXEC_SERVICE(NAME, SHARES_DEVICE) GPUEXEC_KNOWS_SERVICE_##NAME,
#include "services/services.def"
};

/// In the device's part of a service: programs that are linked with it have
/// gpuexec load the service NAME, a row of services.def.
#define GPUEXEC_MARK_SERVICE(NAME)                                             \
  _Static_assert(GPUEXEC_KNOWS_SERVICE_##NAME >= 0, "a row of services.def");  \
  __attribute__((used, retain, visibility("protected")))                       \
  const char __gpuexec_service_##NAME = 1

#endif
