//===-- replay/recorder/writer.cpp - Writes a recording -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that reports a call appends it to a buffer. When the buffer has
// enough small calls, that thread compresses and writes them itself. The
// writer's own thread writes the rest: large calls, and ten times a second all
// calls that are still in the buffer. The reporting thread does the work itself
// because on a busy machine waking another thread displaces a third one for
// milliseconds, which costs more than compressing small calls.
//===----------------------------------------------------------------------===//
#include "replay/recorder/recording.h"
#include "support/descriptor.h"
#include "support/packed.h"
#include "support/thread.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <sys/file.h>
#include <sys/stat.h>

using namespace gpuexec;
using namespace std::chrono_literals;

// The writer's thread writes when the buffer has this many bytes, and at the
// latest after this time.
static constexpr size_t CHUNK = 1 << 20;
static constexpr auto INTERVAL = 100ms;
// The thread that reports a call writes this many bytes, when no call and no
// output among them is larger than SMALL_EVENT.
static constexpr size_t SMALL_CHUNK = 256 << 10;
static constexpr size_t SMALL_EVENT = 1 << 10;
// A thread that reports a call waits while the buffer has this many bytes.
static constexpr size_t MOST_WAITING = 64 << 20;
static constexpr int LEVEL = 1; // of zstd

/// Packs a signed number; numbers near 0 take few bytes.
static void pack_signed(std::string &to, int64_t value) {
  pack_number(to, uint64_t(value) << 1 ^ uint64_t(value >> 63));
}

namespace {

/// Digest of bytes that come in pieces: xxh3 of the xxh3 of each block of 64
/// KiB (docs/recording.md).
class Digest {
public:
  void add(llvm::StringRef bytes) {
    while (!bytes.empty()) {
      const size_t part = std::min(bytes.size(), BLOCK - block.size());
      block.append(bytes.data(), part);
      bytes = bytes.drop_front(part);
      if (block.size() == BLOCK)
        end_block();
    }
  }
  uint64_t value() {
    if (!block.empty())
      end_block();
    return llvm::xxh3_64bits(digests);
  }

private:
  static constexpr size_t BLOCK = 64 << 10;
  void end_block() {
    const uint64_t digest = llvm::xxh3_64bits(block);
    digests.append(reinterpret_cast<const char *>(&digest), sizeof digest);
    block.clear();
  }
  std::string block, digests;
};

} // namespace

file_header gpuexec::make_file_header() {
  const uint32_t version = RECORDING_VERSION;
  file_header header = {{}, version, ~version};
  std::memcpy(header.magic, RECORDING_MAGIC, sizeof header.magic);
  return header;
}

chunk_header gpuexec::make_chunk_header(uint32_t kind, llvm::StringRef stored,
                                        uint64_t size) {
  chunk_header header = {
      kind, 0, stored.size(), size, llvm::xxh3_64bits(stored), 0};
  header.header_checksum = llvm::xxh3_64bits(
      {reinterpret_cast<const char *>(&header), CHECKED_HEADER});
  return header;
}

struct RecordingWriter::Impl {
  std::string path;
  // Held while chunks are written. A thread takes it before it releases
  // `mutex`, so that chunks are written in the order of their events.
  std::mutex file_mutex;
  UniqueFd file;
  std::mutex mutex;
  std::condition_variable changed;
  std::string events;                // the buffer of packed events
  bool has_large_event = false;      // in the buffer
  uint64_t items = 0, addresses = 0; // in the buffer (memory_account)
  std::string spare;                 // an empty buffer with capacity
  std::chrono::steady_clock::time_point emptied; // when the buffer was last
  bool finished = false, stopping = false;
  bool without_thread = false; // begin() could not start `thread`
  bool compressed = true;
  uint64_t calls = 0;
  uint64_t last_step = 0, last_number = 0; // of the last event of a schedule
  Digest digests[2];
  Thread thread;
  int error = 0;              // errno of the file; file_mutex protects it
  memory_account memory = {}; // of a reader; likewise
  uint64_t written_size = 0;  // bytes of the file; likewise

  void write(chunk_kind kind, llvm::StringRef bytes, uint64_t items = 0,
             uint64_t addresses = 0);
  /// Packs a step as the difference to the last one; steps only grow.
  void pack_step(uint64_t step) {
    pack_number(events, step - std::exchange(last_step, step));
  }
  /// Writes all events. Releases the lock of `mutex` meanwhile.
  void flush(std::unique_lock<std::mutex> &lock,
             std::unique_lock<std::mutex> file_lock);
  void run();
  void stop();
};

/// Writes a chunk. It is not compressed if a reader would refuse it then,
/// because it needs too much memory for the size of the file.
void RecordingWriter::Impl::write(chunk_kind kind, llvm::StringRef bytes,
                                  uint64_t items, uint64_t addresses) {
  llvm::SmallVector<uint8_t, 0> packed;
  llvm::StringRef stored = bytes;
  if (compressed && llvm::compression::zstd::isAvailable()) {
    llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(bytes),
                                      packed, LEVEL);
    if (packed.size() < bytes.size() &&
        take_memory(&memory, bytes.size(), items, addresses,
                    written_size + packed.size()))
      stored = llvm::toStringRef(packed);
  }
  if (stored.data() == bytes.data())
    take_memory(&memory, bytes.size(), items, addresses,
                written_size + bytes.size());
  written_size += stored.size();
  const chunk_header header = make_chunk_header(kind, stored, bytes.size());
  std::string all(reinterpret_cast<const char *>(&header), sizeof header);
  all += stored;
  if (!error)
    error = write_all(file.get(), all);
}

void RecordingWriter::Impl::flush(std::unique_lock<std::mutex> &lock,
                                  std::unique_lock<std::mutex> file_lock) {
  std::string taken = std::exchange(events, std::move(spare));
  const uint64_t taken_items = std::exchange(items, 0),
                 taken_addresses = std::exchange(addresses, 0);
  has_large_event = false;
  emptied = std::chrono::steady_clock::now();
  lock.unlock();
  if (taken.size() >= MOST_WAITING)
    changed.notify_all(); // take_turn() may wait for room
  write(CHUNK_EVENTS, taken, taken_items, taken_addresses);
  file_lock.unlock();
  lock.lock();
  taken.clear();
  if (taken.capacity() <= 2 * CHUNK)
    spare = std::move(taken);
}

void RecordingWriter::Impl::run() {
  std::unique_lock lock(mutex);
  while (!stopping || !events.empty()) {
    const auto due = emptied + INTERVAL;
    if (!stopping && events.size() < CHUNK &&
        std::chrono::steady_clock::now() < due)
      changed.wait_until(lock, due,
                         [&] { return stopping || events.size() >= CHUNK; });
    else if (events.empty())
      emptied = std::chrono::steady_clock::now();
    else
      flush(lock, std::unique_lock(file_mutex));
  }
}

void RecordingWriter::Impl::stop() {
  {
    std::lock_guard lock(mutex);
    stopping = finished = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
  // The thread that reported the last call may still be writing.
  std::lock_guard written(file_mutex);
}

RecordingWriter::RecordingWriter(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}

RecordingWriter::~RecordingWriter() { impl->stop(); }

/// Empties the file and sets its mode. errno or 0; EWOULDBLOCK: another run is
/// being recorded into it.
static int take_over(int file, mode_t mode) {
  struct stat status;
  if (::fstat(file, &status) != 0)
    return errno;
  if (!S_ISREG(status.st_mode)) // a pipe or a device stays as it is
    return 0;
  // A file system may have no locks.
  if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return errno;
  return ::fchmod(file, mode) != 0 || ::ftruncate(file, 0) != 0 ? errno : 0;
}

static std::string reason_of(int error) {
  return error == EWOULDBLOCK ? "another run is being recorded into it"
                              : std::strerror(error);
}

llvm::Expected<std::unique_ptr<RecordingWriter>>
RecordingWriter::create(const std::string &path, llvm::StringRef executable) {
  UniqueFd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600));
  if (!file)
    return llvm::createStringError("%s: %s", path.c_str(),
                                   std::strerror(errno));
  return create(std::move(file), path, executable);
}

llvm::Expected<std::unique_ptr<RecordingWriter>>
RecordingWriter::create(UniqueFd file, const std::string &path,
                        llvm::StringRef executable) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->file = std::move(file);
  impl->compressed = executable.empty();
  const file_header header = make_file_header();
  int error = take_over(impl->file.get(), executable.empty() ? 0600 : 0700);
  if (!error)
    error = write_all(impl->file.get(), executable);
  if (!error)
    error = write_all(impl->file.get(),
                      {reinterpret_cast<const char *>(&header), sizeof header});
  if (error)
    return llvm::createStringError("%s: %s", path.c_str(),
                                   reason_of(error).c_str());
  return std::unique_ptr<RecordingWriter>(new RecordingWriter(std::move(impl)));
}

void RecordingWriter::begin(const RecordedFacts &facts, llvm::StringRef image) {
  std::string text;
  uint64_t items = 0;
  for (const auto &[name, values] : facts) {
    items += 1 + values.size();
    pack_bytes(text, name);
    pack_number(text, values.size());
    for (const std::string &value : values)
      pack_bytes(text, value);
  }
  impl->write(CHUNK_FACTS, text, items);
  impl->write(CHUNK_IMAGE, image);
  if (impl->thread.start([this] { impl->run(); }, Thread::Signals::blocked))
    return;
  // Nobody would empty the buffer, and take_turn() would wait for ever.
  std::lock_guard lock(impl->mutex);
  impl->finished = impl->without_thread = true;
}

RecordingWriter::Turn RecordingWriter::take_turn() {
  Turn turn(impl->mutex);
  if (impl->events.size() >= MOST_WAITING)
    impl->changed.wait(turn, [&] {
      return impl->events.size() < MOST_WAITING || impl->finished;
    });
  return turn;
}

void RecordingWriter::call(const RecordedCall &call, Turn turn) {
  if (impl->finished)
    return;
  std::string &to = impl->events;
  const bool was_small = to.size() < CHUNK;
  if (call.number) {
    pack_number(to, uint64_t(EVENT_SCHEDULED));
    impl->pack_step(call.step);
    // Most calls are answered in the order in which they begin.
    pack_signed(to, int64_t(call.number - impl->last_number) - 1);
    impl->last_number = call.number;
    ++impl->items;
  }
  pack_numbers(to, uint64_t(EVENT_CALL), call.opcode, call.caller, call.mask,
               call.addresses.size());
  for (uint64_t address : call.addresses)
    pack_number(to, address);
  pack_bytes(to, call.request);
  pack_bytes(to, call.answer);
  ++impl->calls;
  ++impl->items;
  impl->addresses += call.addresses.size();
  impl->has_large_event |=
      call.request.size() + call.answer.size() > SMALL_EVENT;
  if (to.size() >= SMALL_CHUNK && !impl->has_large_event)
    if (std::unique_lock file(impl->file_mutex, std::try_to_lock); file)
      return impl->flush(turn, std::move(file));
  if (was_small && to.size() >= CHUNK)
    impl->changed.notify_all();
}

void RecordingWriter::output(int stream, llvm::StringRef bytes) {
  std::unique_lock lock(impl->mutex);
  if (impl->finished)
    return;
  std::string &to = impl->events;
  pack_number(to, uint64_t(EVENT_OUTPUT));
  pack_number(to, uint64_t(stream));
  pack_bytes(to, bytes);
  ++impl->items;
  impl->digests[stream == 2].add(bytes);
  impl->has_large_event |= bytes.size() > SMALL_EVENT;
  if (to.size() >= CHUNK)
    impl->changed.notify_all();
}

void RecordingWriter::waited(const RecordedWait &wait) {
  std::lock_guard lock(impl->mutex);
  if (impl->finished)
    return;
  ++impl->items;
  pack_number(impl->events, uint64_t(EVENT_WAITED));
  impl->pack_step(wait.step);
  pack_number(impl->events, wait.ticks);
}

void RecordingWriter::halted(uint64_t step) {
  std::lock_guard lock(impl->mutex);
  if (impl->finished)
    return;
  ++impl->items;
  pack_number(impl->events, uint64_t(EVENT_HALTED));
  impl->pack_step(step);
}

llvm::Error RecordingWriter::finish(RecordedEnd end) {
  impl->stop();
  std::string text;
  pack_bytes(text, end.kind);
  pack_number(text, uint64_t(end.value));
  pack_bytes(text, end.message);
  pack_number(text, impl->calls);
  for (Digest &digest : impl->digests)
    pack_number(text, digest.value());
  impl->write(CHUNK_END, text);
  if (::close(impl->file.release()) != 0 && !impl->error)
    impl->error = errno;
  if (impl->without_thread)
    return llvm::createStringError(
        "%s: the recording has no calls: the system starts no more threads "
        "(see ulimit -u)",
        impl->path.c_str());
  if (!impl->error)
    return llvm::Error::success();
  return llvm::createStringError("%s: %s", impl->path.c_str(),
                                 std::strerror(impl->error));
}
