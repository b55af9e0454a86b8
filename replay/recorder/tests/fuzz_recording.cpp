//===-- replay/recorder/tests/fuzz_recording.cpp - Any bytes as a recording ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever the bytes, reading ends in a recording or in one line of text. The
// input is read as it is, and once more with checksums that are right: a byte
// for a chunk's kind, two for its size, its bytes, and so on.

#include "replay/recorder/recording.h"
#include <cstdlib>
#include <cstring>

using namespace gpuexec;

static void require(bool condition) {
  if (!condition)
    abort();
}

static void read(llvm::StringRef bytes) {
  llvm::Expected<Recording> recording = Recording::parse({bytes, "file"});
  if (!recording) {
    std::string message = llvm::toString(recording.takeError());
    require(llvm::StringRef(message).starts_with("file: ") &&
            message.find('\n') == std::string::npos);
    return;
  }
  unsigned sum = 0;
  auto touch = [&](llvm::StringRef text) {
    for (char byte : text)
      sum += uint8_t(byte);
  };
  touch(recording->image());
  require(*recording->image().end() == 0);
  for (const RecordedCall &call : recording->calls()) {
    touch(call.request);
    touch(call.answer);
    for (uint64_t address : call.addresses)
      sum += unsigned(address);
  }
  for (const RecordedOutput &output : recording->outputs()) {
    require(output.calls_before <= recording->calls().size());
    touch(output.bytes);
  }
  if (recording->end())
    require(recording->end()->calls == recording->calls().size());
  volatile unsigned used = sum;
  (void)used;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read({reinterpret_cast<const char *>(data), size});
  const file_header head = make_file_header();
  std::string file(reinterpret_cast<const char *>(&head), sizeof head);
  while (size >= 3) {
    const uint32_t kind = data[0];
    const size_t part = std::min<size_t>(data[1] | data[2] << 8, size - 3);
    llvm::StringRef bytes(reinterpret_cast<const char *>(data + 3), part);
    const chunk_header chunk = make_chunk_header(kind, bytes, part);
    file.append(reinterpret_cast<const char *>(&chunk), sizeof chunk);
    file += bytes;
    data += 3 + part;
    size -= 3 + part;
  }
  read(file);
  return 0;
}
