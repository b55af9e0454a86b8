//===-- replay/recorder/describe.cpp - Recorded calls, for people ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/describe.h"
#include "replay/recorder/core.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuexec::record {

std::string quoted(llvm::StringRef bytes) {
  constexpr size_t SHOWN = 48;
  std::string text = "\"" + printable(bytes.take_front(SHOWN)) + "\"";
  if (bytes.size() > SHOWN)
    text += llvm::formatv("... ({0} bytes)", bytes.size()).str();
  return text;
}

std::string describe(const RecordedCall &call) {
  const recorded_call described = call.to_core();
  Text text;
  describe_call(text, &described);
  return text.printable();
}

std::string describe_caller(const RecordedCall &call) {
  const recorded_call described = call.to_core();
  Text text;
  ::describe_caller(text, &described);
  return text.printable();
}

} // namespace gpuexec::record
