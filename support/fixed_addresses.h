//===-- support/fixed_addresses.h - The same in each process ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where memory begins that has the same address in each process, if that is
// free: compiled code that the emulator keeps on disk is for the address at
// which its image was loaded. Far from where Linux and the sanitizers put
// anything by themselves. The thread sanitizer gives a program 512 GiB at the
// bottom and a few TiB at the top; the rest is its own.
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
