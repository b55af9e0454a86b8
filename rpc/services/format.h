//===-- rpc/services/format.h - printf of device arguments ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVICES_FORMAT_H
#define GPUEXEC_RPC_SERVICES_FORMAT_H

#include "rpc/format/format.h"
#include "rpc/server/bytes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpuexec::rpc {

/// A parsed format (rpc/format/format.h). Threads may share it.
class Format {
public:
  enum class Packing { packed = PACKED, aligned = ALIGNED, slots = SLOTS };

  /// Parses up to the first NUL or the end; keeps nothing of the text.
  Format(llvm::StringRef text, Packing packing)
      : has_memory(parse_format(&format, {text.data(), text.size()},
                                static_cast<enum packing>(packing))) {}
  ~Format() { free_format(&format); }
  Format(const Format &) = delete;

  /// False for arguments that %1$... leaves out: their sizes are unknown.
  bool valid() const { return format.valid; }
  /// Bytes of arguments the device must send.
  uint64_t argument_bytes() const { return format.block_size; }

  using StringArgument = string_argument;
  llvm::ArrayRef<StringArgument> strings() const {
    return {format.strings, format.string_count};
  }
  /// The address of a %s, 0 when the block is too short.
  uint64_t address(const StringArgument &string, llvm::StringRef block) const {
    return string_address(&format, &string, {block.data(), block.size()});
  }
  /// How many bytes of it can matter, all ones for all.
  uint64_t precision(const StringArgument &string,
                     llvm::StringRef block) const {
    return string_precision(&format, &string, {block.data(), block.size()});
  }

  /// Whose conversions: glibc's, or those of LLVM's C library.
  enum class Style { host, llvm };

  /// Appends the text to `out`. `copies` is indexed as strings() is. An errno
  /// (EOVERFLOW, ENOMEM, EINVAL, EILSEQ) or 0; `out` may hold a part then.
  int print(Buffer &out, llvm::StringRef block,
            llvm::ArrayRef<llvm::StringRef> copies,
            Style style = Style::host) const;

private:
  struct format format;
  const bool has_memory;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_FORMAT_H
