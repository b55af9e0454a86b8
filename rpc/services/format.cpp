//===-- rpc/services/format.cpp - printf with the device's arguments ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/format.h"
#include "llvm/ADT/SmallVector.h"
#include <errno.h>

using namespace gpuexec::rpc;

namespace {

/// The memory of a Buffer, as the formatter wants it.
struct BufferOutput : format_output {
  explicit BufferOutput(Buffer &buffer)
      : format_output{buffer.data(), buffer.size(), buffer.capacity(), enlarge},
        buffer(buffer) {}
  ~BufferOutput() { buffer.truncate(size); }

  static bool enlarge(format_output *output, size_t more) {
    BufferOutput &self = *static_cast<BufferOutput *>(output);
    self.buffer.truncate(self.size);
    if (!self.buffer.reserve(more))
      return false;
    self.data = self.buffer.data();
    self.room = self.buffer.capacity();
    return true;
  }
  Buffer &buffer;
};

} // namespace

int Format::print(Buffer &out, llvm::StringRef block,
                  llvm::ArrayRef<llvm::StringRef> copies, Style style) const {
  if (!has_memory)
    return ENOMEM;
  llvm::SmallVector<format_bytes, 8> texts;
  for (llvm::StringRef copy : copies)
    texts.push_back({copy.data(), copy.size()});
  BufferOutput output(out);
  return print_format(&format, &output, {block.data(), block.size()},
                      texts.data(), texts.size(), style == Style::llvm);
}
