//===-- services/common/mark.h - Services that a program needs --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_SERVICES_COMMON_MARK_H
#define GPUEXEC_SERVICES_COMMON_MARK_H

enum {
#define GPUEXEC_SERVICE(NAME, SHARES_DEVICE, IN_SANDBOX)                       \
  GPUEXEC_KNOWS_SERVICE_##NAME,
#include "services/services.def"
};

/// Used in the device's part of a service: gpuexec loads the service NAME, a
/// row of services.def, for each program that is linked with this part.
#define GPUEXEC_MARK_SERVICE(NAME)                                             \
  _Static_assert(GPUEXEC_KNOWS_SERVICE_##NAME >= 0, "a row of services.def");  \
  __attribute__((used, retain, visibility("protected")))                       \
  const char __gpuexec_service_##NAME = 1

#endif
