//===-- replay/recorder/tests/fuzz_compare.cpp - Any two recordings, compared ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever two recordings hold, comparing them ends, in lines of printable
// text. The input: a byte of choices, the size of the first one's events in two
// bytes, its events, and the events of the second one.

#include "replay/recorder/compare.h"
#include "support/packed.h"
#include <cstdlib>
#include <cstring>

using namespace gpuexec;

static void require(bool condition) {
  if (!condition)
    abort();
}

static void add_chunk(std::string &file, chunk_kind kind,
                      llvm::StringRef bytes) {
  const chunk_header chunk = make_chunk_header(kind, bytes, bytes.size());
  file.append(reinterpret_cast<const char *>(&chunk), sizeof chunk);
  file += bytes;
}

static std::string file_of(llvm::StringRef events, bool narrow, uint8_t grid) {
  const file_header head = make_file_header();
  std::string file(reinterpret_cast<const char *>(&head), sizeof head), facts;
  pack_bytes(facts, "image target");
  pack_number(facts, 1);
  pack_bytes(facts, narrow ? "gfx1100" : "gfx942");
  pack_bytes(facts, "threads");
  pack_number(facts, 1);
  pack_bytes(facts, std::to_string(grid * 33));
  add_chunk(file, CHUNK_FACTS, facts);
  add_chunk(file, CHUNK_IMAGE, "image");
  add_chunk(file, CHUNK_EVENTS, events);
  return file;
}

static void compare(const Recording &a, const Recording &b) {
  record::Comparison found = record::compare(a, b);
  auto check = [](const std::string &text) {
    for (char byte : text)
      require(uint8_t(byte) >= ' ');
  };
  for (const std::string &note : found.notes)
    check(note);
  for (const record::Difference &difference : found.differences) {
    check(difference.what);
    require(!difference.first || *difference.first < a.calls().size());
    require(!difference.second || *difference.second < b.calls().size());
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3)
    return 0;
  const size_t first = std::min<size_t>(data[1] | data[2] << 8, size - 3);
  llvm::StringRef bytes(reinterpret_cast<const char *>(data + 3), size - 3);
  const std::string files[2] = {
      file_of(bytes.take_front(first), data[0] & 1, data[0] >> 2),
      file_of(bytes.drop_front(first), data[0] & 2, data[0] >> 2)};
  llvm::Expected<Recording> a = Recording::parse({files[0], "a"}),
                            b = Recording::parse({files[1], "b"});
  if (a && b) {
    compare(*a, *b);
    compare(*b, *a);
    compare(*a, *a);
  }
  for (llvm::Expected<Recording> *each : {&a, &b})
    if (!*each)
      llvm::consumeError(each->takeError());
  return 0;
}
