//===-- emulator/cuda/driver/services.cpp - See services.h ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/services.h"
#include "emulator/ptx/device/client.h"
#include "rpc/format/format.h"
#include "support/printable.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace gpuexec::cuda {

const char *const Services::VARIABLE = GPUEXEC_CUDA_VARIABLE;

namespace {

constexpr size_t SMALLEST_RING = 16 << 10, LARGEST_RING = size_t(1) << 30;
constexpr size_t LARGEST_FORMAT = 64 << 10;

/// Reads the texts that lie behind the fixed words of a record.
class Texts {
public:
  Texts(const std::vector<uint64_t> &words, size_t first)
      : words(words), at(first) {}
  /// The next text; empty when the record has no more.
  std::string_view next() {
    if (at >= words.size())
      return {};
    const uint64_t length = words[at++];
    if (length > (words.size() - at) * 8)
      return {};
    std::string_view text(reinterpret_cast<const char *>(words.data() + at),
                          length);
    at += (length + 7) / 8;
    return text;
  }

private:
  const std::vector<uint64_t> &words;
  size_t at;
};

bool grow(format_output *output, size_t more) {
  const size_t room = std::max(output->size + more, output->room * 2);
  void *bigger = realloc(output->data, room);
  if (!bigger)
    return false;
  output->data = static_cast<char *>(bigger);
  output->room = room;
  return true;
}

} // namespace

Services::~Services() {
  if (client)
    hsa.free(client);
  if (ring)
    hsa.free(ring);
  if (heap)
    hsa.free(heap);
}

void Services::set_sizes(size_t for_printf, size_t for_heap) {
  std::lock_guard guard(mutex);
  printf_bytes = for_printf;
  heap_bytes = for_heap;
}

bool Services::make_client() {
  if (client)
    return true;
  ring_bytes =
      std::bit_ceil(std::clamp(printf_bytes, SMALLEST_RING, LARGEST_RING));
  auto *made =
      static_cast<gpuexec_cuda_client *>(hsa.allocate(sizeof(*client)));
  ring = static_cast<uint64_t *>(hsa.allocate(ring_bytes));
  heap = heap_bytes ? static_cast<char *>(hsa.allocate(heap_bytes)) : nullptr;
  if (!made || !ring || (heap_bytes && !heap)) {
    if (made)
      hsa.free(made);
    return false;
  }
  made->ring = reinterpret_cast<uint64_t>(ring);
  made->ring_bytes = ring_bytes;
  made->heap = reinterpret_cast<uint64_t>(heap);
  made->heap_bytes = heap_bytes;
  hsa.wrote(made, sizeof(*made));
  hsa.wrote(ring, ring_bytes);
  client = made;
  return true;
}

bool Services::attach(DeviceRange variable, std::string &log) {
  std::lock_guard guard(mutex);
  constexpr size_t SIZE = sizeof(uint64_t); // of the address
  if (variable.size != SIZE || !make_client()) {
    log = "printf and malloc of the device: no memory, or a wrong module";
    return false;
  }
  return hsa.copy(reinterpret_cast<void *>(variable.begin), &client, SIZE);
}

/// Takes the oldest record out of the ring; false when there is none.
bool Services::take(Words &record) {
  auto word = [&](uint64_t at) { return ring + at % ring_bytes / 8; };
  // Acquire: the device has written the record before its first word.
  const uint64_t first = __atomic_load_n(word(taken), __ATOMIC_ACQUIRE);
  const uint64_t bytes = uint32_t(first);
  if (!first || is_broken)
    return false;
  if (bytes < 24 || bytes % 8 || bytes > ring_bytes) {
    is_broken = true;
    return false;
  }
  record.assign(bytes / 8, first);
  for (size_t i = 0; i < record.size(); ++i) {
    uint64_t *place = word(taken + 8 * i);
    if (i)
      record[i] = *place;
    *place = 0;
  }
  taken += bytes;
  // Release: the words are zero before the device may use them again.
  __atomic_store_n(&client->taken, taken, __ATOMIC_RELEASE);
  return true;
}

void Services::serve() {
  std::lock_guard guard(mutex);
  Words record;
  while (client && take(record)) {
    const uint64_t kind = record[0] >> 32;
    if (kind == GPUEXEC_CUDA_PRINTF) {
      const std::string text = text_of_printf(record);
      fwrite(text.data(), 1, text.size(), stdout);
    } else if (kind == GPUEXEC_CUDA_ASSERTION) {
      fflush(stdout);
      fputs(printable_lines(text_of_assertion(record)).c_str(), stderr);
      has_asserted = true;
    }
  }
}

std::string Services::text_of_printf(const Words &record) const {
  const auto *text = reinterpret_cast<const char *>(record[1]);
  const DeviceRange range = hsa.find(text);
  const uint64_t arguments = record[2];
  if (!range.size || arguments > (record.size() - 3) * 8)
    return "";
  const size_t most =
      std::min<uint64_t>(LARGEST_FORMAT, range.begin + range.size - record[1]);
  const format_bytes block{reinterpret_cast<const char *>(&record[3]),
                           size_t(arguments)};
  format parsed;
  format_output output{nullptr, 0, 0, grow};
  if (parse_format(&parsed, {text, strnlen(text, most)}, ALIGNED) &&
      parsed.valid) {
    Texts texts(record, 3 + (arguments + 7) / 8);
    std::vector<format_bytes> copies;
    for (size_t i = 0; i < parsed.string_count; ++i) {
      std::string_view copy;
      if (string_address(&parsed, &parsed.strings[i], block))
        copy = texts.next();
      copies.push_back({copy.data(), copy.size()});
    }
    print_format(&parsed, &output, block, copies.data(), copies.size(),
                 /*llvm_style=*/false);
  }
  free_format(&parsed);
  std::string printed(output.data ? output.data : "", output.size);
  ::free(output.data);
  return printed;
}

std::string Services::text_of_assertion(const Words &record) const {
  if (record.size() < 5)
    return "";
  Texts texts(record, 5);
  const std::string message(texts.next()), file(texts.next()),
      function(texts.next());
  auto low = [&](size_t i) { return std::to_string(uint32_t(record[i])); };
  auto high = [&](size_t i) { return std::to_string(record[i] >> 32); };
  return file + ":" + std::to_string(record[1]) + ": " + function +
         ": block: [" + low(2) + "," + high(2) + "," + low(3) + "], thread: [" +
         high(3) + "," + low(4) + "," + high(4) + "] Assertion `" + message +
         "` failed.\n";
}

} // namespace gpuexec::cuda
