//===-- rpc/services/records.cpp - WRITE_RECORDS: printf in the buffer ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program collects the calls of printf whose result it does not need among
// the text in a stream's buffer (rpc_record), and sends the buffer when it is
// full. All of it comes from the device: the bytes are copied once, and every
// size and place is checked against the copy.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <limits.h>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;

namespace {

constexpr uint64_t ALIGNMENT = 8;

/// A record whose head has been checked.
struct Record {
  uint32_t at;
  rpc_record head;
};

/// Formats the records of one buffer, in order.
class RecordReader {
public:
  RecordReader(Services &services, llvm::StringRef bytes, Buffer &out)
      : services(services), bytes(bytes), out(out) {}

  Records read(uint32_t last) {
    llvm::SmallVector<Record, 512> records;
    if (!find(last, records))
      return std::move(result);
    uint32_t begin = 0; // of the text before the next record
    for (const Record &record : llvm::reverse(records)) {
      const uint32_t text = record.head.text;
      if (text > record.at ||
          llvm::alignTo(begin + text, ALIGNMENT) != record.at)
        return damaged(record.at, "does not follow what is before it");
      append(bytes.substr(begin, text));
      if (!print(record))
        return std::move(result);
      begin = record.at + record.head.size;
    }
    append(bytes.substr(begin));
    return std::move(result);
  }

private:
  Records &&damaged(uint64_t at, const char *why) {
    result.damage = llvm::formatv("the record at byte {0} {1}", at, why);
    return std::move(result);
  }

  /// Finds all records, the last one first. False: the buffer is damaged.
  bool find(uint32_t last, llvm::SmallVectorImpl<Record> &records) {
    uint32_t end = uint32_t(bytes.size());
    for (uint32_t mark = last; mark;) {
      Record record = {mark - 1, {}};
      if (record.at % ALIGNMENT || record.at > end ||
          end - record.at < sizeof record.head) {
        damaged(record.at, "is not in the buffer");
        return false;
      }
      memcpy(&record.head, bytes.data() + record.at, sizeof record.head);
      if (record.head.size % ALIGNMENT ||
          record.head.size < sizeof record.head ||
          record.head.size > end - record.at) {
        damaged(record.at, "has an impossible size");
        return false;
      }
      records.push_back(record);
      end = record.at;
      mark = record.head.previous;
    }
    return true;
  }

  /// The strings of a record, which lie in `rest`, one for each of the
  /// format's.
  bool take_strings(const Format &format, llvm::StringRef block,
                    llvm::StringRef rest) {
    strings.clear();
    for (const Format::StringArgument &string : format.strings()) {
      strings.emplace_back();
      if (!format.address(string, block))
        continue;
      if (rest.empty())
        return false;
      const size_t size = std::min(rest.find('\0'), rest.size());
      strings.back() = rest.take_front(size);
      rest = rest.substr(
          std::min<size_t>(llvm::alignTo(size + 1, ALIGNMENT), rest.size()));
    }
    return true;
  }

  /// Appends the text of a record. False: the record is damaged.
  bool print(const Record &record) {
    llvm::StringRef body =
        bytes.substr(record.at, record.head.size).substr(sizeof record.head);
    const uint32_t size = record.head.format;
    if (!size || size > body.size() || body[size - 1]) {
      damaged(record.at, "has no format");
      return false;
    }
    const Format &format = format_of(body.take_front(size - 1));
    body = body.substr(
        std::min<size_t>(llvm::alignTo(size, ALIGNMENT), body.size()));
    const uint64_t arguments = format.argument_bytes();
    if (arguments > body.size() ||
        !take_strings(format, body, body.substr(arguments))) {
      damaged(record.at, "is too short for its format");
      return false;
    }
    const uint64_t before = out.size();
    if (int error = format.print(out, body, strings)) {
      out.truncate(before);
      note(error);
    }
    result.printed = out.size() - before;
    return true;
  }

  /// The parsed format. Most records have the format of one just before them.
  const Format &format_of(llvm::StringRef text) {
    for (const auto &[known, format] : formats)
      if (known == text)
        return *format;
    if (formats.size() == formats.capacity())
      formats.pop_back();
    formats.insert(formats.begin(),
                   {text, services.format(text, Format::Packing::slots)});
    return *formats.front().second;
  }

  void append(llvm::StringRef text) {
    if (!out.append(text.data(), text.size()))
      note(ENOMEM);
  }
  void note(int error) { result.error = result.error ? result.error : error; }

  Services &services;
  const llvm::StringRef bytes;
  Buffer &out;
  Records result;
  llvm::SmallVector<llvm::StringRef, 8> strings;
  llvm::SmallVector<std::pair<llvm::StringRef, std::shared_ptr<const Format>>,
                    8>
      formats;
};

/// Copies a lane's buffer. errno or 0.
int copy_buffer(Services &services, DeviceAddress address, uint32_t size,
                Buffer &to) {
  if (size > RPC_OUTPUT_BYTES)
    return EINVAL;
  if (!to.reserve(size))
    return ENOMEM;
  if (!size)
    return 0;
  if (const void *view = services.host_view(address, size, false))
    memcpy(to.data(), view, size);
  else if (int error = to_errno(services.memory.read(to.data(), address, size)))
    return error;
  to.grow(size);
  return 0;
}

/// A buffer of one lane, on its way from the device to a file.
struct Taken {
  Buffer bytes, text;
  std::shared_ptr<Stream> stream; // held while we write
  uint32_t last = 0;
  bool goes_on = false;   // RPC_BUFFERED_GOES_ON
  bool is_output = false; // Services::output
  Records records = {};
};

using RecordsCall = Call<RPC_WRITE_RECORDS, ResultWords<1>>;

Taken take(Services &services, Port &port, const RecordsCall &call,
           unsigned lane) {
  const uint64_t buffered = call.word("buffered", lane);
  const DeviceAddress address(call.word("address", lane));
  Taken taken = {Buffer(port.budget()), Buffer(port.budget()),
                 services.tagged(call.word("stream", lane)),
                 uint32_t(buffered >> 32)};
  taken.goes_on = buffered & RPC_BUFFERED_GOES_ON;
  taken.is_output = services.output && address == services.output_text;
  taken.records.error =
      copy_buffer(services, address, uint32_t(buffered & ~RPC_BUFFERED_GOES_ON),
                  taken.bytes);
  return taken;
}

/// Formats a buffer. False: it is damaged, and the program ends.
bool format(Services &services, Port &port, Taken &taken) {
  if (taken.records.error)
    return true;
  taken.records =
      services.format_records(taken.bytes.text(), taken.last, taken.text);
  port.count_bytes(taken.text.size());
  if (taken.records.damage.empty())
    return true;
  port.fail("output that the program has buffered is damaged: " +
            taken.records.damage);
  return false;
}

/// unwritten_output() shall not have the text again.
void forget_output(Services &services, const Taken &taken) {
  if (taken.is_output)
    __atomic_store_n(&services.output->used, 0, __ATOMIC_RELAXED);
}

/// Answers when the buffer has been copied, and formats it while the program
/// goes on. What has to wait, for a pipe that is full, waits in the call after
/// that one.
Task<> write_meanwhile(Services &services, Port &port, RecordsCall &call,
                       Taken &taken) {
  Stream &stream = *taken.stream;
  auto guard = co_await stream.lock.acquire(port);
  int error = stream.begin_write();
  const bool accepts = !error;
  if (!error && stream.wants_flush())
    error = co_await services.flush(port, stream);
  const int untold = stream.take_untold();
  call.results[llvm::countr_zero(port.mask())] = {
      Result::of(error ? error : untold), 0};
  forget_output(services, taken);
  Port::Unfinished unfinished(port);
  co_await call.answer();
  if (!accepts || !format(services, port, taken))
    co_return;
  error = stream.append(taken.text.text());
  if (!error && stream.wants_flush() && stream.host_file().is_regular())
    error = co_await services.flush(port, stream);
  error = error ? error : taken.records.error;
  if (error)
    stream.note_lost(error); // the program's printf had succeeded
}

Task<> write_and_answer(Services &services, Port &port, RecordsCall &call,
                        llvm::MutableArrayRef<Taken> all) {
  Services::Write writes[64];
  Result written[64];
  bool damaged = false;
  Taken *next = all.begin();
  port.for_each_lane([&](unsigned lane) {
    damaged = damaged || !format(services, port, *next);
    writes[lane] = {next->stream.get(), next->text.text()};
    ++next;
  });
  if (damaged)
    co_return;
  co_await services.write_lanes(port, port.mask(), writes, written);
  next = all.begin();
  port.for_each_lane([&](unsigned lane) {
    int error = written[lane].error;
    if (!error)
      forget_output(services, *next);
    else if (next->is_output && next->stream)
      next->stream->note_lost(error); // the program's printf had succeeded
    if (!error)
      error = next->records.error;
    call.results[lane] = {Result::of(error), next->records.printed};
    ++next;
  });
  co_await call.answer();
}

Task<> write_records(Services &services, Port &port) {
  RecordsCall call(port);
  co_await call.request();
  DeviceHeap::Hold hold(services.heap); // against a free() from another wave
  llvm::SmallVector<Taken, 1> all;
  port.for_each_lane(
      [&](unsigned lane) { all.push_back(take(services, port, call, lane)); });
  Taken &first = all.front();
  if (first.goes_on && all.size() == 1 && !port.lockstep() && first.stream &&
      !first.records.error)
    co_await write_meanwhile(services, port, call, first);
  else
    co_await write_and_answer(services, port, call, all);
}

} // namespace

Records Services::format_records(llvm::StringRef bytes, uint32_t last,
                                 Buffer &text) {
  return RecordReader(*this, bytes, text).read(last);
}

RPC_SERVE(WRITE_RECORDS, write_records)
