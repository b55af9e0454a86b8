//===-- loader/command_line/units.h - Sizes and times -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values with units, as coreutils and docker take them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_COMMAND_LINE_UNITS_H
#define GPUEXEC_LOADER_COMMAND_LINE_UNITS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace gpuexec {

/// The end of a message about a bad size: "'1Q' is not a size ...".
inline constexpr llvm::StringLiteral SIZE_IS =
    "a size in bytes, such as 4096, 64K, 16MiB, 10MB or 2G";
/// The end of a message about a bad time.
inline constexpr llvm::StringLiteral TIME_IS =
    "a time, such as 10, 1.5s, 500ms or 2m";

/// Bytes from "4096", "64K", "16MiB" or "10MB": K, M, G and T, alone or with
/// iB, are powers of 1024, with B powers of 1000. Nothing for other texts.
std::optional<uint64_t> parse_size(llvm::StringRef text);

/// Seconds from "10", "1.5s", "500ms", "2m", "1h" or "1d". Nothing for other
/// texts, negative times, and times of 1e9 seconds and more.
std::optional<double> parse_time(llvm::StringRef text);

/// "0 B", "4.0 KiB", "112.3 MiB".
std::string print_size(uint64_t bytes);

} // namespace gpuexec

#endif
