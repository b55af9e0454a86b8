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

  /// False when an argument has no size, as with %2$d alone, or two sizes.
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
  /// The most bytes of the string that are printed; all ones: no limit.
  uint64_t precision(const StringArgument &string,
                     llvm::StringRef block) const {
    return string_precision(&format, &string, {block.data(), block.size()});
  }

  /// Which C library's conversions are printed: glibc's or LLVM's.
  enum class Style { host, llvm };

  /// Appends the printed text to `out`. `copies` is indexed as strings() is.
  /// Returns 0 or an errno (EOVERFLOW, ENOMEM, EINVAL, EILSEQ); after an error
  /// `out` may have a part of the text.
  int print(Buffer &out, llvm::StringRef block,
            llvm::ArrayRef<llvm::StringRef> copies,
            Style style = Style::host) const;

private:
  struct format format;
  const bool has_memory;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_FORMAT_H
