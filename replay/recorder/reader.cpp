//===-- replay/recorder/reader.cpp - Reads a recording --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing in a file is believed that was not checked. Where the file ends in
// the middle of a chunk its writer was killed; a chunk that is there in full
// and wrong is damage.
//===----------------------------------------------------------------------===//
#include "replay/recorder/chunk.h"
#include "replay/recorder/recording.h"
#include "support/descriptor.h"
#include "support/packed.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <csignal>
#include <cstring>
#include <elf.h>
#include <sys/stat.h>

using namespace gpuexec;
using namespace gpuexec::recording;

template <typename... A>
static llvm::Error wrong(const char *format, const A &...values) {
  return llvm::createStringError(std::errc::invalid_argument, format,
                                 values...);
}

size_t gpuexec::size_of_executable(llvm::StringRef file) {
  Elf64_Ehdr header;
  if (file.size() < sizeof header || !file.starts_with(ELFMAG))
    return 0;
  std::memcpy(&header, file.data(), sizeof header);
  // The table of sections is the last thing in it.
  const uint64_t sections = uint64_t(header.e_shnum) * header.e_shentsize;
  return header.e_shoff > file.size() || sections > file.size() - header.e_shoff
             ? file.size()
             : header.e_shoff + sections;
}

struct Recording::Memory {
  const uint64_t file; ///< bytes
  MemoryAccount account;

  bool exceeded = false;

  llvm::Error take(uint64_t bytes, uint64_t items = 0, uint64_t addresses = 0) {
    exceeded = !account.take(bytes, items, addresses, file);
    if (!exceeded)
      return llvm::Error::success();
    return wrong("needs more memory than a recording of %" PRIu64
                 " bytes may: the limit is %" PRIu64 " bytes and %" PRIu64
                 " for each byte of it",
                 file, MEMORY_ALLOWANCE, MEMORY_PER_BYTE);
  }
};
static_assert(3 * sizeof(RecordedCall) + 3 * sizeof(size_t) <= ITEM_MEMORY &&
                  3 * sizeof(RecordedOutput) <= ITEM_MEMORY &&
                  3 * sizeof(RecordedWait) <= ITEM_MEMORY &&
                  3 * sizeof(std::string) <= ITEM_MEMORY &&
                  3 * sizeof(uint64_t) <= ADDRESS_MEMORY,
              "a vector that grows has three times its elements");

/// The largest file, and the largest pipe, that is read: all of it is kept.
static constexpr uint64_t LARGEST_FILE = uint64_t(16) << 30;
static constexpr uint64_t LARGEST_STREAM = uint64_t(1) << 30;

static bool may_be_recording(llvm::StringRef beginning) {
  return beginning.size() < sizeof MAGIC ||
         beginning.starts_with(llvm::StringRef(MAGIC, sizeof MAGIC)) ||
         beginning.starts_with(ELFMAG);
}

/// All of a file, or a part that cannot be the beginning of a recording: a pipe
/// or a device may never end. `expected`: bytes, if the file has a size.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
read_open_file(int file, uint64_t expected, uint64_t most,
               const std::string &path) {
  static constexpr size_t PART = 1 << 20;
  llvm::SmallVector<char, 0> text;
  ssize_t count = 0;
  do {
    if (text.size() > most)
      return wrong("more than %" PRIu64 " bytes, the limit", most);
    // Room for what the file is said to have, once it looks like a recording.
    if (text.size() >= sizeof MAGIC && text.size() < expected)
      text.reserve(expected + PART);
    const size_t before = text.size();
    text.resize_for_overwrite(before + PART);
    do
      count = ::read(file, text.data() + before, PART);
    while (count < 0 && errno == EINTR);
    text.truncate(before + size_t(std::max<ssize_t>(count, 0)));
  } while (count > 0 &&
           may_be_recording(llvm::StringRef(text.data(), text.size())));
  if (count < 0)
    return wrong("%s", std::strerror(errno));
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(text), path, /*RequiresNullTerminator=*/false);
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
read_file(const std::string &path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  struct stat status;
  if (!file || ::fstat(file.get(), &status) != 0)
    return wrong("%s", std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return read_open_file(file.get(), 0, LARGEST_STREAM, path);
  const uint64_t size = uint64_t(status.st_size);
  if (size > LARGEST_FILE)
    return wrong("%" PRIu64 " bytes, more than %" PRIu64 ", the limit", size,
                 LARGEST_FILE);
  return read_open_file(file.get(), size, LARGEST_FILE, path);
}

llvm::Expected<Recording> Recording::read(const std::string &path) {
  auto file = read_file(path);
  if (!file)
    return llvm::createStringError("%s: %s", path.c_str(),
                                   llvm::toString(file.takeError()).c_str());
  llvm::Expected<Recording> recording = parse((*file)->getMemBufferRef());
  if (recording)
    recording->file = std::move(*file);
  return recording;
}

llvm::Expected<Recording> Recording::parse(llvm::MemoryBufferRef file) {
  Recording recording;
  if (llvm::Error error = recording.parse_chunks(file))
    return llvm::createStringError("%s: %s",
                                   file.getBufferIdentifier().str().c_str(),
                                   llvm::toString(std::move(error)).c_str());
  return std::move(recording);
}

llvm::StringRef Recording::fact(const std::string &name) const {
  auto found = all_facts.find(name);
  return found == all_facts.end() || found->second.empty()
             ? llvm::StringRef()
             : llvm::StringRef(found->second.front());
}

llvm::Error Recording::parse_chunks(llvm::MemoryBufferRef buffer) {
  llvm::StringRef left =
      buffer.getBuffer().drop_front(size_of_executable(buffer.getBuffer()));
  FileHeader head;
  if (left.size() < sizeof head ||
      std::memcmp(left.data(), MAGIC, sizeof MAGIC) != 0)
    return wrong("not a recording of gpuexec --record");
  std::memcpy(&head, left.data(), sizeof head);
  if (head.inverted_version != ~head.version || !head.version)
    return wrong("damaged: the version in its head");
  if (head.version > RECORDING_VERSION)
    return wrong("a recording of version %u; this gpuexec knows version %u",
                 head.version, RECORDING_VERSION);
  const char *const begin = left.data();
  Memory memory{left.size(), {}, false};
  left = left.drop_front(sizeof head);
  while (!left.empty() && !how_it_ended) {
    ChunkHeader header;
    if (left.size() < sizeof header)
      break;
    std::memcpy(&header, left.data(), sizeof header);
    const size_t at = size_t(left.data() - begin);
    if (header.header_checksum != header_checksum(header))
      return wrong("damaged: the head of the chunk at byte %zu", at);
    if (header.size > LARGEST_CHUNK || header.stored > header.size ||
        header.reserved)
      return wrong("damaged: the sizes of the chunk at byte %zu", at);
    left = left.drop_front(sizeof header);
    if (left.size() < header.stored)
      break;
    llvm::StringRef stored = left.take_front(header.stored);
    left = left.drop_front(header.stored);
    if (checksum(stored) != header.checksum)
      return wrong("damaged: the chunk at byte %zu", at);
    if (llvm::Error error = memory.take(header.size))
      return error;
    auto chunk = std::make_unique<llvm::SmallVector<uint8_t, 0>>();
    if (stored.size() < header.size) {
      if (!llvm::compression::zstd::isAvailable())
        return wrong("compressed with zstd, which this build cannot unpack");
      if (llvm::Error error = llvm::compression::zstd::decompress(
              llvm::arrayRefFromStringRef(stored), *chunk, header.size))
        return wrong("damaged: the chunk at byte %zu: %s", at,
                     llvm::toString(std::move(error)).c_str());
      if (chunk->size() != header.size)
        return wrong("damaged: the size of the chunk at byte %zu", at);
    } else {
      chunk->assign(stored.bytes_begin(), stored.bytes_end());
    }
    chunk->push_back(0); // as an image's reader wants it
    llvm::StringRef bytes = llvm::toStringRef(*chunk).drop_back();
    chunks.push_back(std::move(chunk));
    if (llvm::Error error = parse_chunk(header.kind, bytes, memory))
      return memory.exceeded ? std::move(error)
                             : wrong("damaged: the chunk at byte %zu: %s", at,
                                     llvm::toString(std::move(error)).c_str());
  }
  if (!left.empty() && how_it_ended)
    return wrong("damaged: %zu bytes behind its end", left.size());
  if (!has_facts || !has_image)
    return wrong("cut off before the program began");
  return llvm::Error::success();
}

/// A number of things to come is believed only as far as there are bytes.
llvm::Error Recording::parse_facts(llvm::StringRef bytes, Memory &memory) {
  PackedReader reader(bytes);
  while (!reader.at_end()) {
    if (llvm::Error error = memory.take(0, 1))
      return error;
    std::vector<std::string> values;
    std::string name(reader.bytes());
    for (uint64_t count = reader.number(); count && !reader.failed(); --count) {
      const std::string_view value = reader.bytes();
      if (llvm::Error error = memory.take(value.size(), 1))
        return error;
      values.emplace_back(value);
    }
    all_facts[name] = std::move(values);
  }
  return reader.failed() ? wrong("its content") : llvm::Error::success();
}

llvm::Error Recording::parse_chunk(uint32_t kind, llvm::StringRef bytes,
                                   Memory &memory) {
  PackedReader reader(bytes);
  switch (Kind(kind)) {
  case Kind::facts:
    if (std::exchange(has_facts, true))
      return wrong("facts for the second time");
    return parse_facts(bytes, memory);
  case Kind::image:
    if (std::exchange(has_image, true))
      return wrong("an image for the second time");
    image_bytes = bytes;
    return llvm::Error::success();
  case Kind::events:
    return parse_events(bytes, memory);
  case Kind::end: {
    RecordedEnd &end = how_it_ended.emplace();
    end.kind = reader.bytes();
    end.value = int64_t(reader.number());
    // Recordings of gpuexec before faults had signals of their own.
    if (end.kind == "faulted" && end.value == 0)
      end.value = SIGSEGV;
    end.message = reader.bytes();
    end.calls = reader.number();
    end.output_digest = reader.number();
    end.error_digest = reader.number();
    if (!reader.failed() && end.calls != all_calls.size())
      return wrong("%" PRIu64 " calls, of which %zu are there", end.calls,
                   all_calls.size());
    break;
  }
  default:
    return wrong("of kind %u, which this gpuexec does not know", kind);
  }
  if (reader.failed() || !reader.at_end())
    return wrong("its content");
  return llvm::Error::success();
}

llvm::Error Recording::parse_events(llvm::StringRef bytes, Memory &memory) {
  PackedReader reader(bytes);
  address_lists.push_back(std::make_unique<std::vector<uint64_t>>());
  std::vector<uint64_t> &addresses = *address_lists.back();
  const size_t first = all_calls.size();
  std::vector<size_t> counts; // of addresses: the list still moves
  uint64_t number = 0;        // of the next call, if it has one
  while (!reader.at_end()) {
    if (llvm::Error error = memory.take(0, 1))
      return error;
    switch (Event(reader.number())) {
    case Event::call: {
      RecordedCall &call = all_calls.emplace_back();
      call.number = std::exchange(number, 0);
      call.step = call.number ? event_step : 0;
      call.opcode = uint32_t(reader.number());
      call.caller = uint32_t(reader.number());
      call.mask = reader.number();
      const uint64_t count = reader.number();
      if (count > 64)
        return wrong("a call with %" PRIu64 " addresses", count);
      if (llvm::Error error = memory.take(0, 0, count))
        return error;
      for (uint64_t i = 0; i < count; ++i)
        addresses.push_back(reader.number());
      counts.push_back(count);
      call.request = reader.bytes();
      call.answer = reader.bytes();
      break;
    }
    case Event::output: {
      const uint64_t stream = reader.number();
      if (stream != 1 && stream != 2)
        return wrong("output number %" PRIu64, stream);
      all_outputs.push_back({int(stream), reader.bytes(), all_calls.size()});
      break;
    }
    case Event::scheduled: {
      event_step += reader.number();
      const uint64_t folded = reader.number();
      event_number += 1 + ((folded >> 1) ^ (0 - (folded & 1)));
      number = event_number;
      if (!number)
        return wrong("a call without a number");
      break;
    }
    case Event::waited:
      event_step += reader.number();
      all_waits.push_back({event_step, reader.number()});
      break;
    case Event::halted:
      event_step += reader.number();
      last_step = event_step;
      break;
    default:
      return wrong("an event that this gpuexec does not know");
    }
  }
  if (reader.failed())
    return wrong("its content");
  size_t at = 0;
  for (size_t i = 0; i < counts.size(); at += counts[i++])
    all_calls[first + i].addresses =
        llvm::ArrayRef(addresses).slice(at, counts[i]);
  return llvm::Error::success();
}
