//===-- loader/sandbox/landlock.h - Landlock's interface --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Landlock's names and numbers up to ABI 8. Debian 12's <linux/landlock.h> ends
// at ABI 2, and the kernel may be newer than the header.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SANDBOX_LANDLOCK_H
#define GPUEXEC_LOADER_SANDBOX_LANDLOCK_H

#include "loader/sandbox/sandbox.h"
#include <cstdint>

namespace gpuexec::sandbox {

/// Rights to files. The comments give the first ABI that has each.
namespace right {
inline constexpr uint64_t EXECUTE = 1 << 0;     // 1
inline constexpr uint64_t WRITE_FILE = 1 << 1;  // 1
inline constexpr uint64_t READ_FILE = 1 << 2;   // 1
inline constexpr uint64_t READ_DIR = 1 << 3;    // 1
inline constexpr uint64_t REMOVE_DIR = 1 << 4;  // 1
inline constexpr uint64_t REMOVE_FILE = 1 << 5; // 1
inline constexpr uint64_t MAKE_CHAR = 1 << 6;   // 1
inline constexpr uint64_t MAKE_DIR = 1 << 7;    // 1
inline constexpr uint64_t MAKE_REG = 1 << 8;    // 1
inline constexpr uint64_t MAKE_SOCK = 1 << 9;   // 1
inline constexpr uint64_t MAKE_FIFO = 1 << 10;  // 1
inline constexpr uint64_t MAKE_BLOCK = 1 << 11; // 1
inline constexpr uint64_t MAKE_SYM = 1 << 12;   // 1
inline constexpr uint64_t REFER = 1 << 13;      // 2: rename and link elsewhere
inline constexpr uint64_t TRUNCATE = 1 << 14;   // 3
inline constexpr uint64_t IOCTL_DEV = 1 << 15;  // 5
} // namespace right

/// The kernel's Landlock ABI, or 0 without Landlock (absent or switched off).
int landlock_abi();

/// Makes a ruleset for `grants`, with the newest ABI that both the kernel and
/// this file know. Returns its descriptor, which the caller owns.
llvm::Expected<int> landlock_ruleset(const Grants &grants);

/// Restricts the calling thread to the ruleset, and with ABI 8 all threads of
/// the process. The thread needs no_new_privs.
llvm::Error landlock_restrict(int ruleset);

} // namespace gpuexec::sandbox

#endif // GPUEXEC_LOADER_SANDBOX_LANDLOCK_H
