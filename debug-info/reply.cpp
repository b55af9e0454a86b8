//===-- debug-info/reply.cpp - Frames as bytes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number is 8 bytes in the machine's byte order, a text its length and bytes.
//===----------------------------------------------------------------------===//
#include "debug-info/functions.h"
#include "debug-info/parts.h"

#include <cstring>

namespace gpuexec::debug_info {

static void put(std::string &bytes, uint64_t number) {
  bytes.append(reinterpret_cast<const char *>(&number), sizeof(number));
}

static void put(std::string &bytes, llvm::StringRef text) {
  text = text.take_front(MAX_NAME);
  put(bytes, uint64_t(text.size()));
  bytes.append(text.data(), text.size());
}

std::string pack(const AllFrames &frames) {
  std::string bytes;
  for (const auto &list : frames) {
    size_t count = std::min(list.size(), MAX_FRAMES);
    put(bytes, uint64_t(count));
    for (size_t i = 0; i < count; ++i) {
      put(bytes, list[i].function);
      put(bytes, list[i].file);
      put(bytes, list[i].line);
      put(bytes, list[i].column);
      put(bytes, list[i].begin);
    }
  }
  return bytes;
}

namespace {
/// Reads from the front. After the first read past the end, all reads fail.
struct Reader {
  llvm::StringRef left;
  bool good = true;

  uint64_t number(uint64_t most) {
    uint64_t value = 0;
    good = good && left.size() >= sizeof(value);
    if (!good)
      return 0;
    memcpy(&value, left.data(), sizeof(value));
    left = left.drop_front(sizeof(value));
    good = value <= most;
    return good ? value : 0;
  }
  std::string text() {
    uint64_t size = number(MAX_NAME);
    good = good && size <= left.size();
    if (!good)
      return {};
    std::string result = left.take_front(size).str();
    left = left.drop_front(size);
    return result;
  }
};
} // namespace

std::optional<AllFrames> unpack(llvm::StringRef bytes, size_t count) {
  Reader reader{bytes};
  AllFrames frames(count);
  for (auto &list : frames)
    for (uint64_t left = reader.number(MAX_FRAMES); left && reader.good;
         --left) {
      SourceFrame frame;
      frame.function = reader.text();
      frame.file = reader.text();
      frame.line = uint32_t(reader.number(UINT32_MAX));
      frame.column = uint32_t(reader.number(UINT32_MAX));
      frame.begin = reader.number(UINT64_MAX);
      list.push_back(std::move(frame));
    }
  if (!reader.good || !reader.left.empty())
    return std::nullopt;
  return frames;
}

} // namespace gpuexec::debug_info
