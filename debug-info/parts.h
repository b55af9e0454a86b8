//===-- debug-info/parts.h - Both sides of the child's answer ---*- C++ -*-===//
// For source_lines.cpp and for tests.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_PARTS_H
#define GPUEXEC_DEBUG_INFO_PARTS_H

#include "debug-info/source_lines.h"

#include <optional>

namespace gpuexec::debug_info {

using AllFrames = std::vector<std::vector<SourceFrame>>;

/// Frames of one address that are kept.
inline constexpr size_t MAX_FRAMES = 64;

/// Reads with LLVM. Unsafe on hostile images: only in a confined child.
AllFrames read_dwarf(llvm::ArrayRef<llvm::StringRef> images,
                     llvm::ArrayRef<uint64_t> addresses, Reading reading);

/// Frames as bytes, names cut to MAX_NAME.
std::string pack(const AllFrames &frames);

/// The other way, from any bytes: nothing unless they hold exactly `count`
/// lists within the bounds above.
std::optional<AllFrames> unpack(llvm::StringRef bytes, size_t count);

} // namespace gpuexec::debug_info

#endif
