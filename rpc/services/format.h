//===-- rpc/services/format.h - printf of device arguments ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format comes from the device and so do the bytes of its arguments. We
// parse it ourselves, take each value from the block by the size that spec
// section 3.9 gives it, and hand one conversion at a time to the host's
// snprintf, with a conversion that we wrote.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_FORMAT_H
#define GPUEXEC_RPC_SERVICES_FORMAT_H

#include "rpc/server/bytes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuexec::rpc {

/// A parsed format.
class Format {
public:
  /// Where the arguments lie: one directly behind the other (LLVM's C library
  /// on AMDGPU), each aligned to its size (on NVPTX), or each in a slot of 8
  /// bytes (gpucc).
  enum class Packing { packed, aligned, slots };

  /// Parses up to the first NUL or the end.
  Format(llvm::StringRef text, Packing packing);

  /// False for arguments that %1$... leaves out: their sizes are unknown.
  bool valid() const { return is_valid; }
  /// Bytes of arguments the device must send.
  uint64_t argument_bytes() const { return block_size; }

  /// Arguments of %s: index of the string and where its address is in the
  /// block.
  struct StringArgument {
    unsigned argument;
    uint64_t offset;
    int precision_argument; ///< of a `*` precision; -1: `precision` is it
    int64_t precision;      ///< -1 for none
    bool wide;              ///< %ls: of 32-bit characters
    bool utf8;              ///< those become UTF-8, else ASCII
  };
  llvm::ArrayRef<StringArgument> strings() const { return string_arguments; }
  /// The address of a %s, 0 when the block is too short.
  uint64_t address(const StringArgument &string, llvm::StringRef block) const;

  /// How many bytes of it can matter, all ones for all.
  uint64_t precision(const StringArgument &string, llvm::StringRef block) const;

  /// Whose conversions: glibc's, or those of LLVM's C library, with which
  /// LLVM's loaders format up to version 22. They differ in %p and in null
  /// pointers: `(nil)` is `(nullptr)`, and a short precision cuts `(null)`.
  enum class Style { host, llvm };

  /// Appends the text to `out`. `copies` is indexed as strings() is. An errno
  /// (EOVERFLOW, ENOMEM, EINVAL) or 0; `out` may hold a part then.
  int print(Buffer &out, llvm::StringRef block,
            llvm::ArrayRef<llvm::StringRef> copies,
            Style style = Style::host) const;

  /// The letter of a conversion that our own client makes of %m: the text of
  /// the error whose number is the width, and no argument.
  static constexpr char ERROR_TEXT = 5;
  /// The letters that it makes of %ls and %lc where its locale has UTF-8.
  /// Precision and width count bytes.
  static constexpr char UTF8_STRING = 6, UTF8_CHARACTER = 7;

  /// No lane's text is longer, and no width or precision larger: EOVERFLOW. A
  /// few bytes from a device must not keep the host busy for seconds.
  static constexpr uint64_t MAX_TEXT = 64 << 20;
  static constexpr int64_t MAX_WIDTH = 1 << 20;

private:
  struct Argument {
    uint8_t size = 0; // 4 or 8
    uint64_t offset = 0;
  };
  struct Piece {
    std::string text;    // literal, or "%" and flags
    char conversion = 0; // 0: literal
    char length = 0;     // 'H' hh, 'h', 'l' (8 bytes), 'u' UTF-8, 0
    int argument = -1, width_argument = -1, precision_argument = -1;
    int width = -1, precision = -1; // -1: none
    int string = -1;
  };
  bool use(int index, uint8_t size);
  uint64_t value(int argument, llvm::StringRef block) const;
  static int pad(llvm::StringRef text, bool left, uint64_t width, Buffer &out);
  int convert(const Piece &piece, Buffer &out, llvm::StringRef block,
              llvm::ArrayRef<llvm::StringRef> copies, Style style) const;

  std::vector<Piece> pieces;
  std::vector<Argument> arguments;
  std::vector<StringArgument> string_arguments;
  uint64_t block_size = 0;
  bool is_valid = true;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_FORMAT_H
