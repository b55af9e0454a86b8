//===-- libc-shim/device/known_call.h - Functions known by name ---*- C -*-===//
// The emulator's --check=uninit takes what some calls mean from the function's
// name and parameters: what malloc() gives is undefined, what is sent to the
// host is read. Link-time optimisation leaves both as they are.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_KNOWN_CALL_H
#define GPUEXEC_LIBC_KNOWN_CALL_H

#ifdef __AMDGPU__
#define KNOWN_CALL __attribute__((noinline, used))
#else
#define KNOWN_CALL __attribute__((noinline))
#endif

#endif // GPUEXEC_LIBC_KNOWN_CALL_H
