//===-- debug-info/source_lines.h - Source lines of addresses ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an image's DWARF. LLVM's reader is not safe on hostile input: it may
// end the process, recurse without end or loop. It therefore runs in a confined
// child process, and a crash there costs only the source lines. The emulator
// and the loader use it; it knows nothing of devices.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DEBUG_INFO_SOURCE_LINES_H
#define GPUEXEC_DEBUG_INFO_SOURCE_LINES_H

#include "debug-info/confined.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec::debug_info {

/// All text comes from the image: pass it through printable() before printing.
struct SourceFrame {
  std::string function; ///< empty: unknown
  std::string file;     ///< empty: no source line
  uint32_t line = 0, column = 0;
  uint64_t begin = 0; ///< with line_tables_alone: address of the line's code
};

struct SourceLines {
  /// For each address its frames: the innermost function first, then the
  /// callers it was inlined into. Empty when nothing is known.
  std::vector<std::vector<SourceFrame>> frames;
  /// One line of text: why there are no lines although the images have debug
  /// information. Else empty.
  std::string trouble;
};

/// Which parts of DWARF are read.
enum class Reading {
  inlining,         ///< compile units: functions and inlined calls
  line_tables_alone ///< line tables without compile units, as ptxas writes them
};

/// Frames for addresses in the address space of the ELF images. The first image
/// that knows an address gives its frames. A call takes milliseconds: ask for
/// many addresses at once. Starts no child when no image has lines.
/// Thread-safe.
SourceLines read_source_lines(llvm::ArrayRef<llvm::StringRef> images,
                              llvm::ArrayRef<uint64_t> addresses,
                              Reading reading, const Limits &limits = {});

/// The same for one image, with a child that the constructor starts: for a
/// process that will not be allowed to fork later. Not thread-safe.
class PreparedLines {
public:
  /// The child has a copy of `image`.
  PreparedLines(llvm::StringRef image, Reading reading);
  SourceLines read(llvm::ArrayRef<uint64_t> addresses);

private:
  std::optional<ConfinedServer> server;
  std::string trouble; ///< why the child could not be started
};

} // namespace gpuexec::debug_info

#endif
