//===-- rpc/services/printf.cpp - PRINTF_TO_... (spec section 3.9) --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device sends format, arguments and, round by round, the strings of %s;
// the host formats the text (format.h). Lanes may have different formats and so
// different numbers of strings. Each lane's text is written to its stream in
// one piece.
//===----------------------------------------------------------------------===//
#include "rpc/services/format.h"
#include "rpc/services/serve.h"
#include <limits.h>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;
using gpuexec::pack_bytes;
using gpuexec::pack_number;
using gpuexec::PackedReader;
using Packing = Format::Packing;

namespace {

/// A wave whose strings have more bytes than this holds Services::long_strings
/// while it copies and prints them: the long strings of thousands of threads
/// may not fit into memory at once.
constexpr uint64_t LONG_STRINGS = 1 << 20;

/// The state of one lane's call.
struct LaneCall {
  llvm::StringRef block;               // the arguments
  const Format *format = nullptr;      // lanes with the same format share it
  std::vector<llvm::StringRef> copies; // one per string of the format
  std::vector<Buffer> held;            // memory of some of the copies
  size_t asked = 0;                    // strings asked for or skipped so far
  uint64_t begin = 0, size = 0;        // of the text, in the wave's buffer
};

/// The calls of a wave's lanes.
struct Calls {
  llvm::SmallVector<LaneCall, 1> calls; // up to the last lane that calls
  Services::Write writes[64];
  std::vector<std::shared_ptr<Stream>> held; // while we write
  llvm::SmallVector<std::pair<llvm::StringRef, std::shared_ptr<const Format>>,
                    2>
      formats;               // usually one for all lanes
  uint64_t handles[64] = {}; // of the streams, as the request has them
  Result results[64];        // until the texts are written: 0 or a failure

  explicit Calls(uint64_t mask)
      : calls(64 - unsigned(llvm::countl_zero(mask))) {
    std::fill(std::begin(results), std::end(results), Result(0));
  }
  void set_format(Services &services, unsigned lane, llvm::StringRef text,
                  Packing packing) {
    for (auto &[known, format] : formats)
      if (known == text)
        calls[lane].format = format.get();
    if (!calls[lane].format) {
      formats.emplace_back(text, services.format(text, packing));
      calls[lane].format = formats.back().second.get();
    }
  }
  void set_stream(unsigned lane, uint64_t handle,
                  std::shared_ptr<Stream> stream) {
    handles[lane] = handle;
    held.push_back(std::move(stream));
    writes[lane].stream = held.back().get();
  }
};

/// For a journal: replaces the notes of format and arguments by the texts.
void note_texts(Port &port, const Calls &all) {
  std::string &notes = port.notes()->request;
  notes.clear();
  port.for_each_lane([&](unsigned lane) {
    pack_number(notes, noted_stream(all.handles[lane]));
    pack_number(notes, uint64_t(all.results[lane].error));
    pack_bytes(notes, all.writes[lane].text);
  });
}

void note_results(Port &port, const Calls &all) {
  std::string &notes = port.notes()->answer;
  port.for_each_lane([&](unsigned lane) {
    const Result &result = all.results[lane];
    pack_number(notes, uint64_t(result.failed ? -1 : result.value));
    pack_number(notes, uint64_t(result.error));
  });
  port.note_served();
}

/// Takes the results from a recording. False when there are none.
Task<bool> replay_results(Port &port, Calls &all) {
  std::optional<llvm::StringRef> answer = co_await port.replayed_answer();
  if (!answer)
    co_return false;
  PackedReader reader(*answer);
  port.for_each_lane([&](unsigned lane) {
    all.results[lane] = int64_t(reader.number());
    all.results[lane].error = int(reader.number());
  });
  if (reader.failed())
    port.fail("the recorded answer is damaged");
  co_return !reader.failed();
}

/// Writes the texts of `lanes`, and sets the results of their calls.
Task<> write_texts(Services &services, Port &port, uint64_t lanes, Calls &all) {
  auto &[calls, writes, held, formats, handles, results] = all;
  Result written[64];
  co_await services.write_lanes(port, lanes, writes, written);
  for_each_lane_of(lanes, [&](unsigned lane) {
    if (results[lane].error)
      return;
    const Result &out = written[lane];
    bool whole = out.value == int64_t(calls[lane].size) && !out.error;
    if (whole && calls[lane].size <= INT_MAX)
      results[lane] = out.value;
    else
      results[lane] = Result::failure(whole ? EOVERFLOW : out.error);
  });
  if (port.notes())
    note_results(port, all);
}

//===-- Strings -----------------------------------------------------------===//

/// A round of strings: the next one of each lane that has any left.
struct Round {
  uint64_t addresses[64] = {}; ///< 0: none
  uint64_t limits[64] = {};    ///< the most bytes that are printed
  bool wide[64] = {}, utf8[64] = {}, any = false;
};

/// Finds the next round. Skips null strings, which print as (null).
Round next_round(Port &port, llvm::MutableArrayRef<LaneCall> calls) {
  Round round;
  port.for_each_lane([&](unsigned lane) {
    LaneCall &call = calls[lane];
    auto strings = call.format->strings();
    for (; call.asked < strings.size(); ++call.asked) {
      const auto &string = strings[call.asked];
      round.addresses[lane] = call.format->address(string, call.block);
      round.limits[lane] = call.format->precision(string, call.block);
      round.wide[lane] = string.wide;
      round.utf8[lane] = string.utf8;
      if (round.addresses[lane])
        break;
    }
    round.any |= round.addresses[lane] != 0;
  });
  return round;
}

/// Reads a string of `size` bytes from the program's memory. errno or 0.
int read_there(Services &services, Port &port, LaneCall &call,
               DeviceAddress address, uint64_t size, llvm::StringRef &copy) {
  copy = {};
  if (void *view = services.memory.host_view(address, size, false)) {
    copy = {static_cast<char *>(view), size_t(size)};
    return 0;
  }
  Buffer read(port.budget());
  if (!read.reserve(size))
    return ENOMEM;
  if (int error = to_errno(services.memory.read(read.data(), address, size)))
    return error;
  read.grow(size);
  copy = read.text();
  call.held.push_back(std::move(read));
  return 0;
}

/// Converts `copy` from 32-bit characters to ASCII or UTF-8. errno or 0.
int narrow(Port &port, LaneCall &call, bool utf8, uint64_t limit,
           llvm::StringRef &copy) {
  Buffer text(port.budget());
  size_t size;
  if (!text.reserve(copy.size()))
    return ENOMEM;
  const bool good = narrow_string(text.data(), &size,
                                  {copy.data(), copy.size()}, utf8, limit);
  text.grow(size);
  copy = text.text();
  call.held.push_back(std::move(text));
  return good ? 0 : EILSEQ;
}

/// Keeps a lane's string: reads `there` bytes from the program's memory, or if
/// that is 0 takes the bytes that the lane has sent.
void take_string(Services &services, Port &port, const Round &round,
                 unsigned lane, const LaneBytes &sent, uint64_t there,
                 Calls &all) {
  LaneCall &call = all.calls[lane];
  call.copies.resize(call.format->strings().size());
  llvm::StringRef &copy = call.copies[call.asked++];
  copy = sent[lane];
  int error = sent.complete(lane) ? 0 : ENOMEM;
  if (there)
    error = read_there(services, port, call,
                       DeviceAddress(round.addresses[lane]), there, copy);
  if (!error && round.wide[lane] && copy.size() % 4 == 0)
    error = narrow(port, call, round.utf8[lane], round.limits[lane], copy);
  if (error)
    all.results[lane] = Result::failure(error);
}

/// Fetches strings, one per lane and round. P[2] tells gpucc's client how many
/// bytes are printed at most, so that the string of %.8s need not end with a
/// NUL; P[3] tells it whether the string has wide characters. LLVM's clients
/// ignore both words. Long strings are read from the program's memory.
/// `received`: memory of the copies.
Task<> fetch_strings(Services &services, Port &port, Calls &all,
                     ServiceLock::Guard &alone,
                     std::vector<LaneBytes> &received) {
  const bool by_reference =
      !(services.options.disabled_features & RPC_FEATURE_STRINGS);
  for (;;) {
    const Round round = next_round(port, all.calls);
    if (!round.any)
      co_return;
    co_await port.send([&](unsigned lane, rpc_packet &packet) {
      packet.words[1] = round.addresses[lane];
      packet.words[2] = round.limits[lane];
      packet.words[3] = round.wide[lane];
    });
    ReceiveBytes stream = port.receive_bytes();
    if (co_await stream.sizes() > LONG_STRINGS && !alone)
      alone = co_await services.long_strings.acquire(port);
    LaneBytes strings = co_await stream;
    uint64_t there[64] = {}, all_there = 0;
    port.for_each_lane([&](unsigned lane) {
      if (by_reference && round.addresses[lane] &&
          strings.size(lane) == strings[lane].size())
        there[lane] = size_there({strings[lane].data(), strings[lane].size()},
                                 round.wide[lane], round.limits[lane]);
      all_there += std::min(there[lane], LONG_STRINGS);
    });
    if (all_there > LONG_STRINGS && !alone)
      alone = co_await services.long_strings.acquire(port);
    port.for_each_lane([&](unsigned lane) {
      if (round.addresses[lane])
        take_string(services, port, round, lane, strings, there[lane], all);
    });
    received.push_back(std::move(strings));
  }
}

//===-- Texts -------------------------------------------------------------===//

/// Formats the texts of `lanes` into one buffer, for one write.
void format_texts(uint64_t lanes, Calls &all, Buffer &out,
                  Format::Style style) {
  out.clear();
  for_each_lane_of(lanes, [&](unsigned lane) {
    LaneCall &call = all.calls[lane];
    call.begin = out.size();
    if (all.results[lane].error)
      return;
    if (int error = call.format->print(out, call.block, call.copies, style)) {
      all.results[lane] = Result::failure(error);
      out.truncate(call.begin);
    }
    call.size = out.size() - call.begin;
  });
  for_each_lane_of(lanes, [&](unsigned lane) {
    all.writes[lane].text =
        out.text().substr(all.calls[lane].begin, all.calls[lane].size);
  });
}

/// Serves the rest of the calls once formats and arguments have been received.
Task<> print_calls(Services &services, Port &port, Calls &all,
                   Format::Style style) {
  bool any_strings = false;
  port.for_each_lane([&](unsigned lane) {
    any_strings |= !all.calls[lane].format->strings().empty();
  });
  DeviceHeap::Hold hold(services.heap); // against a free() from another wave
  ServiceLock::Guard alone(nullptr);
  std::vector<LaneBytes> received;
  if (any_strings)
    co_await fetch_strings(services, port, all, alone, received);
  Buffer out(port.budget());
  // Long texts one after the other: they take the memory of one, not of 64.
  const bool one_by_one = alone && !port.notes() && !port.is_replayed();
  for (uint64_t left = port.mask(); left;) {
    const uint64_t lanes = one_by_one ? left & -left : left;
    left &= ~lanes;
    format_texts(lanes, all, out, style);
    if (port.notes())
      note_texts(port, all);
    if (!port.is_replayed())
      co_await write_texts(services, port, lanes, all);
    else if (!co_await replay_results(port, all))
      co_return;
  }
  const auto &results = all.results;
  co_await port.send([&](unsigned lane, rpc_packet &packet) {
    packet.words[0] = uint64_t(results[lane].failed ? -1 : results[lane].value);
    packet.words[1] = 0; // the end of the rounds
    packet.words[RPC_ERRNO_WORD] = uint64_t(results[lane].error);
  });
}

/// Receives the format, answers with the size of its arguments, receives these.
/// Prints to standard stream number STANDARD, or to the request's stream if
/// that is -1.
template <rpc_opcode CODE, Packing PACKING, int STANDARD = -1>
Task<> print_formatted(Services &services, Port &port) {
  Calls all(port.mask());
  Call<CODE> call(port);
  co_await call.request();
  port.for_each_lane([&](unsigned lane) {
    if constexpr (STANDARD >= 0)
      all.set_stream(lane, 0, services.standard[STANDARD]);
    else if constexpr (PACKING == Packing::slots)
      all.set_stream(lane, call.word("stream", lane),
                     services.tagged(call.word("stream", lane)));
    else
      all.set_stream(lane, call.word("handle", lane),
                     services.raw(call.word("handle", lane)));
    if (!call.complete("format", lane))
      all.results[lane] = Result::failure(ENOMEM);
    all.set_format(services, lane, call.bytes("format")[lane], PACKING);
  });
  co_await port.send([&](unsigned lane, rpc_packet &packet) {
    packet.words[0] = all.calls[lane].format->argument_bytes();
  });
  LaneBytes blocks = co_await port.receive_bytes();
  port.for_each_lane(
      [&](unsigned lane) { all.calls[lane].block = blocks[lane]; });
  // Only gpucc's client uses slots; its programs expect glibc's output.
  co_await print_calls(services, port, all,
                       PACKING == Packing::slots ? Format::Style::host
                                                 : services.llvm_style);
}

/// PRINTF_SLOTS: receives stream, format and arguments in one message.
Task<> print_whole(Services &services, Port &port) {
  Calls all(port.mask());
  Call<RPC_PRINTF_SLOTS> call(port);
  co_await call.request();
  port.for_each_lane([&](unsigned lane) {
    llvm::StringRef message = call.bytes("call")[lane];
    if (!call.complete("call", lane))
      all.results[lane] = Result::failure(ENOMEM);
    uint64_t stream = 0;
    if (message.size() >= sizeof stream)
      memcpy(&stream, message.data(), sizeof stream);
    all.set_stream(lane, stream, services.tagged(stream));
    message = message.substr(sizeof stream);
    const size_t size = std::min(message.find('\0'), message.size());
    all.set_format(services, lane, message.take_front(size), Packing::slots);
    all.calls[lane].block = message.substr(llvm::alignTo(size + 1, 8));
  });
  co_await print_calls(services, port, all, Format::Style::host);
}

} // namespace

RPC_SERVE(PRINTF_TO_STDOUT,
          print_formatted<RPC_PRINTF_TO_STDOUT, Packing::aligned, 1>)
RPC_SERVE(PRINTF_TO_STDERR,
          print_formatted<RPC_PRINTF_TO_STDERR, Packing::aligned, 2>)
RPC_SERVE(PRINTF_TO_STREAM,
          print_formatted<RPC_PRINTF_TO_STREAM, Packing::aligned>)
RPC_SERVE(PRINTF_TO_STDOUT_PACKED,
          print_formatted<RPC_PRINTF_TO_STDOUT_PACKED, Packing::packed, 1>)
RPC_SERVE(PRINTF_TO_STDERR_PACKED,
          print_formatted<RPC_PRINTF_TO_STDERR_PACKED, Packing::packed, 2>)
RPC_SERVE(PRINTF_TO_STREAM_PACKED,
          print_formatted<RPC_PRINTF_TO_STREAM_PACKED, Packing::packed>)
RPC_SERVE(PRINTF_SLOTS, print_whole)
RPC_SERVE(PRINTF_LONG_SLOTS,
          print_formatted<RPC_PRINTF_LONG_SLOTS, Packing::slots>)
