//===-- support/fixed_addresses.h - The same in each process ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preferred addresses of memory that should be at the same address in each
// process: compiled code that the emulator keeps on disk works only at the
// address at which its image was loaded. Where another mapping has the address,
// the memory is elsewhere. Linux and the sanitizers by themselves map nothing
// near these addresses. The thread sanitizer leaves a program 512 GiB at the
// bottom and a few TiB at the top, and uses the rest itself.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_FIXED_ADDRESSES_H
#define GPUEXEC_SUPPORT_FIXED_ADDRESSES_H

#include <cstdint>

namespace gpuexec {

#if __has_feature(thread_sanitizer)
inline constexpr uint64_t FIXED_IMAGES = uint64_t(128) << 30;
inline constexpr uint64_t FIXED_ARENA = uint64_t(256) << 30;
#else
/// Images on the emulated device.
inline constexpr uint64_t FIXED_IMAGES = uint64_t(32) << 40;
/// All memory of an emulated device that a server lends: up to 256 GiB.
inline constexpr uint64_t FIXED_ARENA = uint64_t(48) << 40;
#endif

} // namespace gpuexec

#endif // GPUEXEC_SUPPORT_FIXED_ADDRESSES_H
