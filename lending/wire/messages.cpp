//===-- lending/wire/messages.cpp - Messages as types ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/wire/messages.h"
#include "loader/device/backend.h"
#include "support/printable.h"

namespace gpuexec::wire {

void Decoder::field(Text &value, uint64_t limit) {
  Bytes bytes;
  field(bytes, limit);
  value = printable_lines(bytes);
}

const char *known_backend(llvm::StringRef name) {
  for (const Backend *backend : backends())
    if (name == backend->name)
      return backend->name;
  return "";
}

const char *known_units(llvm::StringRef name) {
  static constexpr char MULTIPROCESSORS[] = "multiprocessors";
  return name == MULTIPROCESSORS ? MULTIPROCESSORS : DeviceInfo().units_name;
}

} // namespace gpuexec::wire
