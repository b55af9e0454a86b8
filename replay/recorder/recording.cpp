//===-- replay/recorder/recording.cpp - Reads a recording -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/recorder/recording.h"
#include "support/descriptor.h"
#include "support/packed.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/MemAlloc.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <cstring>
#include <elf.h>
#include <sys/stat.h>

using namespace gpuexec;

//===-- What the core needs -----------------------------------------------===//

// LLVM's functions end the process if there is no memory
// (support/out_of_memory.h).
extern "C" void *allocate(uint64_t count, uint64_t size) {
  return llvm::safe_calloc(count, size);
}
extern "C" void *reallocate(void *data, uint64_t size) {
  return llvm::safe_realloc(data, size);
}

static bool unpack(uint8_t *to, size_t size, bytes packed, error *error) {
  if (!llvm::compression::zstd::isAvailable())
    return set_error_text(
        error, "compressed with zstd, which this build cannot unpack");
  size_t unpacked = size;
  llvm::Error failed = llvm::compression::zstd::decompress(
      {packed.data, packed.size}, to, unpacked);
  const bool good = !failed && unpacked == size;
  llvm::consumeError(std::move(failed));
  return good;
}

static llvm::StringRef to_ref(bytes of) {
  return {reinterpret_cast<const char *>(of.data), of.size};
}
static bytes to_bytes(llvm::StringRef text) {
  return {text.bytes_begin(), text.size()};
}

RecordedCall RecordedCall::of(const recorded_call &call) {
  return {call.opcode,
          call.caller,
          call.mask,
          {call.addresses, call.address_count},
          to_ref(call.request),
          to_ref(call.answer),
          call.number,
          call.step};
}

recorded_call RecordedCall::to_core() const {
  return {opcode,           caller,           mask,
          addresses.size(), addresses.data(), to_bytes(request),
          to_bytes(answer), number,           step};
}

RecordedOutput RecordedOutput::of(const recorded_output &output) {
  return {output.stream, to_ref(output.bytes), output.calls_before};
}

size_t gpuexec::size_of_executable(llvm::StringRef file) {
  return find_recording(to_bytes(file));
}

//===-- The file ----------------------------------------------------------===//

template <typename... A>
static llvm::Error wrong(const char *format, const A &...values) {
  return llvm::createStringError(std::errc::invalid_argument, format,
                                 values...);
}

/// The most bytes that are read from a file, and from a pipe; all are kept in
/// memory.
static constexpr uint64_t LARGEST_FILE = uint64_t(16) << 30;
static constexpr uint64_t LARGEST_STREAM = uint64_t(1) << 30;

static constexpr llvm::StringLiteral MAGIC = RECORDING_MAGIC;

static bool may_be_recording(llvm::StringRef beginning) {
  return beginning.size() < MAGIC.size() || beginning.starts_with(MAGIC) ||
         beginning.starts_with(ELFMAG);
}

/// Reads a whole file. Stops early if the bytes cannot be the beginning of a
/// recording, because a pipe or a device may never end. `expected`: the file's
/// size, or 0 if it has none.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
read_open_file(int file, uint64_t expected, uint64_t most,
               const std::string &path) {
  static constexpr size_t PART = 1 << 20;
  llvm::SmallVector<char, 0> text;
  ssize_t count = 0;
  do {
    if (text.size() > most)
      return wrong("more than %" PRIu64 " bytes, the limit", most);
    // Reserve memory for the whole file only if it looks like a recording.
    if (text.size() >= MAGIC.size() && text.size() < expected)
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

//===-- The recording -----------------------------------------------------===//

Recording::Recording() : core(new ::recording()) {}

void Recording::FreeCore::operator()(::recording *core) const {
  free_recording(core);
  delete core;
}

llvm::Expected<Recording> Recording::parse(llvm::MemoryBufferRef file) {
  Recording recording;
  error error;
  const llvm::StringRef bytes =
      file.getBuffer().drop_front(find_recording(to_bytes(file.getBuffer())));
  if (!parse_recording(recording.core.get(), to_bytes(bytes), unpack, &error))
    return llvm::createStringError(
        "%s: %s", file.getBufferIdentifier().str().c_str(), error.text);
  recording.note_facts();
  recording.note_image(bytes);
  recording.note_end();
  return std::move(recording);
}

/// The core has checked that the facts are whole.
void Recording::note_facts() {
  PackedReader reader(to_ref(core->facts));
  while (!reader.at_end()) {
    std::string name(reader.bytes());
    std::vector<std::string> values;
    for (uint64_t count = reader.number(); count; --count)
      values.emplace_back(reader.bytes());
    all_facts[std::move(name)] = std::move(values);
  }
}

/// Sets image_bytes. The image's reader needs a zero byte behind it: an
/// unpacked chunk has one; an image that lies in the file is copied.
void Recording::note_image(llvm::StringRef file) {
  image_bytes = to_ref(core->image);
  if (image_bytes.data() < file.begin() || image_bytes.data() > file.end())
    return;
  own_image = llvm::MemoryBuffer::getMemBufferCopy(image_bytes);
  image_bytes = own_image->getBuffer();
}

void Recording::note_end() {
  if (core->has_end)
    how_it_ended = {to_ref(core->end_kind).str(),
                    core->end_value,
                    to_ref(core->end_message).str(),
                    core->call_count,
                    core->output_digest,
                    core->error_digest};
}

llvm::StringRef Recording::fact(const std::string &name) const {
  auto found = all_facts.find(name);
  return found == all_facts.end() || found->second.empty()
             ? llvm::StringRef()
             : llvm::StringRef(found->second.front());
}
