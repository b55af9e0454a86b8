//===-- debug-info/parts.h - Both sides of the child's answer ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parent's requests are addresses; the child's answers are frames. Private
// to source_lines.cpp and tests.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_PARTS_H
#define GPUEXEC_DEBUG_INFO_PARTS_H

#include "debug-info/source_lines.h"

#include <optional>

namespace gpuexec::debug_info {

using AllFrames = std::vector<std::vector<SourceFrame>>;

/// The frames of one address are cut to this many.
inline constexpr size_t MAX_FRAMES = 64;

/// Reads DWARF with LLVM. Unsafe on hostile images: call it only in a confined
/// child.
AllFrames read_dwarf(llvm::ArrayRef<llvm::StringRef> images,
                     llvm::ArrayRef<uint64_t> addresses, Reading reading);

/// Serializes frames, with names cut to MAX_NAME.
std::string pack(const AllFrames &frames);

/// Reads what pack() wrote. Safe on any bytes: returns nothing unless they hold
/// exactly `count` lists, each within MAX_FRAMES and MAX_NAME.
std::optional<AllFrames> unpack(llvm::StringRef bytes, size_t count);

} // namespace gpuexec::debug_info

#endif
