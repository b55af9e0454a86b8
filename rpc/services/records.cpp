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
  else if (int error =
               to_errno(services.memory.read(to.data(), address, size)))
    return error;
  to.grow(size);
  return 0;
}

Task<> write_records(Services &services, Port &port) {
  Call<RPC_WRITE_RECORDS, ResultWords<1>> call(port);
  co_await call.request();
  DeviceHeap::Hold hold(services.heap); // against a free() from another wave
  Services::Write writes[64];
  Records records[64];
  std::vector<std::shared_ptr<Stream>> held; // while we write
  std::vector<Buffer> texts;
  bool damaged = false;
  port.for_each_lane([&](unsigned lane) {
    const uint64_t buffered = call.word("buffered", lane);
    Buffer bytes(port.budget());
    texts.emplace_back(port.budget());
    records[lane].error =
        copy_buffer(services, DeviceAddress(call.word("address", lane)),
                    uint32_t(buffered), bytes);
    if (!records[lane].error)
      records[lane] = services.format_records(
          bytes.text(), uint32_t(buffered >> 32), texts.back());
    if (!records[lane].damage.empty() && !damaged) {
      port.fail("output that the program has buffered is damaged: " +
                records[lane].damage);
      damaged = true;
    }
    held.push_back(services.tagged(call.word("stream", lane)));
    writes[lane] = {held.back().get(), texts.back().text()};
  });
  if (damaged)
    co_return;
  Result written[64];
  co_await services.write_lanes(port, writes, written);
  port.for_each_lane([&](unsigned lane) {
    int error = written[lane].error;
    if (services.output &&
        DeviceAddress(call.word("address", lane)) == services.output_text) {
      if (!error) // or unwritten_output() would have the text again
        __atomic_store_n(&services.output->used, 0, __ATOMIC_RELAXED);
      else if (writes[lane].stream) // the program's printf had succeeded
        writes[lane].stream->note_lost(error);
    }
    if (!error)
      error = records[lane].error;
    call.results[lane] = {Result::of(error), records[lane].printed};
    port.count_bytes(writes[lane].text.size());
  });
  co_await call.answer();
}

} // namespace

Records Services::format_records(llvm::StringRef bytes, uint32_t last,
                                 Buffer &text) {
  return RecordReader(*this, bytes, text).read(last);
}

RPC_SERVE(WRITE_RECORDS, write_records)
