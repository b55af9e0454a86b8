//===-- recording/reader.cpp - Reads a recording --------------------------===//
// Nothing in a file is believed that was not checked. Where the file ends in
// the middle of a chunk its writer was killed; a chunk that is there in full
// and wrong is damage.
//===----------------------------------------------------------------------===//
#include "recording/chunk.h"
#include "recording/recording.h"
#include "support/descriptor.h"
#include "support/packed.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
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

/// A number of things to come is believed only as far as there are bytes.
static std::vector<std::string> read_strings(PackedReader &from) {
  std::vector<std::string> all;
  for (uint64_t count = from.number(); count && !from.failed(); --count)
    all.emplace_back(from.bytes());
  return all;
}

/// A pipe or a device, which may never end: all of it, or a part that cannot be
/// the beginning of a recording.
static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
read_stream(int file, const std::string &path) {
  llvm::SmallString<0> text;
  char part[64 << 10];
  ssize_t count;
  do {
    count = ::read(file, part, sizeof part);
    if (count > 0)
      text.append(part, part + count);
  } while (count > 0 &&
           (text.size() < sizeof MAGIC ||
            text.starts_with(llvm::StringRef(MAGIC, sizeof MAGIC)) ||
            text.starts_with(ELFMAG)));
  if (count < 0)
    return std::error_code(errno, std::generic_category());
  return llvm::MemoryBuffer::getMemBufferCopy(text, path);
}

static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
read_file(const std::string &path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  struct stat status;
  if (!file || ::fstat(file.get(), &status) != 0)
    return std::error_code(errno, std::generic_category());
  if (!S_ISREG(status.st_mode))
    return read_stream(file.get(), path);
  return llvm::MemoryBuffer::getOpenFile(file.get(), path,
                                         uint64_t(status.st_size),
                                         /*RequiresNullTerminator=*/false,
                                         /*IsVolatile=*/true);
}

llvm::Expected<Recording> Recording::read(const std::string &path) {
  auto file = read_file(path);
  if (!file)
    return llvm::createStringError("%s: %s", path.c_str(),
                                   file.getError().message().c_str());
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
    if (llvm::Error error = parse_chunk(header.kind, bytes))
      return wrong("damaged: the chunk at byte %zu: %s", at,
                   llvm::toString(std::move(error)).c_str());
  }
  if (!left.empty() && how_it_ended)
    return wrong("damaged: %zu bytes behind its end", left.size());
  if (!has_facts || !has_image)
    return wrong("cut off before the program began");
  return llvm::Error::success();
}

llvm::Error Recording::parse_chunk(uint32_t kind, llvm::StringRef bytes) {
  PackedReader reader(bytes);
  switch (Kind(kind)) {
  case Kind::facts:
    if (std::exchange(has_facts, true))
      return wrong("facts for the second time");
    while (!reader.at_end()) {
      std::string name(reader.bytes());
      all_facts[name] = read_strings(reader);
    }
    break;
  case Kind::image:
    if (std::exchange(has_image, true))
      return wrong("an image for the second time");
    image_bytes = bytes;
    return llvm::Error::success();
  case Kind::events:
    return parse_events(bytes);
  case Kind::end: {
    RecordedEnd &end = how_it_ended.emplace();
    end.kind = reader.bytes();
    end.value = int64_t(reader.number());
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

llvm::Error Recording::parse_events(llvm::StringRef bytes) {
  PackedReader reader(bytes);
  address_lists.push_back(std::make_unique<std::vector<uint64_t>>());
  std::vector<uint64_t> &addresses = *address_lists.back();
  const size_t first = all_calls.size();
  std::vector<size_t> counts; // of addresses: the list still moves
  uint64_t number = 0; // of the next call, if it has one
  while (!reader.at_end()) {
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
