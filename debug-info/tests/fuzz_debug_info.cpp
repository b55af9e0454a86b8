//===-- debug-info/tests/fuzz_debug_info.cpp - Any bytes as DWARF ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever the bytes, functions and lines are read or not, and nothing happens
// to this process: LLVM's reader may do what it likes in its own. Its answer is
// any bytes, too.
//===----------------------------------------------------------------------===//
#include "debug-info/functions.h"
#include "debug-info/parts.h"

#include <cstdlib>

using namespace gpuexec::debug_info;

static void require(bool condition) {
  if (!condition)
    abort();
}

static void check(const AllFrames &frames, size_t count) {
  require(frames.size() == count);
  for (const auto &list : frames) {
    require(list.size() <= MAX_FRAMES);
    for (const SourceFrame &frame : list)
      require(frame.function.size() <= MAX_NAME &&
              frame.file.size() <= MAX_NAME);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  Functions functions;
  functions.add(bytes);
  functions.sort();
  // Inside the functions of the kept inputs, and nowhere.
  std::vector<uint64_t> addresses{0,      0x1000, 0x1040, 0x1610,      0x1630,
                                  0x1710, 0x1740, 0x2004, ~uint64_t(0)};
  for (uint64_t address : addresses)
    if (const Functions::Function *function = functions.find(address))
      require(function->name.size() <= MAX_NAME);
  for (size_t count : {0, 1, 3})
    if (auto frames = unpack(bytes, count)) {
      check(*frames, count);
      require(pack(*frames) == bytes);
    }
  Limits limits;
  limits.seconds = 1;
  for (Reading reading : {Reading::inlining, Reading::line_tables_alone})
    check(read_source_lines(bytes, addresses, reading, limits).frames,
          addresses.size());
  return 0;
}
