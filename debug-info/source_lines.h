//===-- debug-info/source_lines.h - Source lines of addresses ---*- C++ -*-===//
// Reads an image's DWARF. LLVM's reader is not made for hostile input (it ends
// the process, recurses and loops), so it runs in a confined child process;
// what it breaks there costs the lines and nothing else. Knows nothing of
// devices; the emulator and the loader use it.
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

/// All text is the image's: make it printable before it is printed.
struct SourceFrame {
  std::string function; ///< empty when not known
  std::string file;     ///< empty when there is no line
  uint32_t line = 0, column = 0;
  uint64_t begin = 0; ///< line tables alone: where this line's code begins
};

struct SourceLines {
  /// For each address, innermost first, inlined callers after it; empty when
  /// nothing is known.
  std::vector<std::vector<SourceFrame>> frames;
  /// Why there are no lines although the images have debug information; else
  /// empty. One line of text.
  std::string trouble;
};

/// What is read.
enum class Reading {
  inlining,         ///< compile units: functions and what is inlined in them
  line_tables_alone ///< ptxas writes line tables without compile units
};

/// Frames for addresses as the ELF images count them. An address is looked up
/// in all images, the first that knows it counts. Takes milliseconds: ask for
/// many at once. No child is started when no image has lines. Thread-safe.
SourceLines read_source_lines(llvm::ArrayRef<llvm::StringRef> images,
                              llvm::ArrayRef<uint64_t> addresses,
                              Reading reading, const Limits &limits = {});

/// The same for one image, from a child that is started now: for a process that
/// will not be allowed to start one. Not thread-safe.
class PreparedLines {
public:
  /// `image` need not stay.
  PreparedLines(llvm::StringRef image, Reading reading);
  SourceLines read(llvm::ArrayRef<uint64_t> addresses);

private:
  std::optional<ConfinedServer> server;
  std::string trouble; ///< of its start
};

} // namespace gpuexec::debug_info

#endif
