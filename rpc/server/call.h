//===-- rpc/server/call.h - A request and its answer ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sequence of an opcode (opcodes.def) as awaitables: Call<CODE>::request()
// receives all words and streams of a request, answer() sends the lanes'
// results. The compiler makes both from the sequence; they allocate memory only
// for streams.
//
//     Call<RPC_LSEEK> call(port);
//     co_await call.request();
//     ... call.word("offset", lane) ... call.results[lane] = position;
//     co_await call.answer();
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_CALL_H
#define GPUEXEC_RPC_SERVER_CALL_H

#include "rpc/server/port.h"
#include "rpc/server/sequence.h"
#include "support/packed.h"
#include <array>
#include <optional>
#include <string>

namespace gpuexec::rpc {

//===-- What a lane gets back ---------------------------------------------===//

/// A lane's result and errno. Not initialised, because arrays of 64 results are
/// filled only for the lanes that take part. A failure is sent with the error
/// value that the opcode's sequence names, -1 or 0.
struct Result {
  int64_t value;
  int error;
  bool failed;

  Result() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): `return 0;` in a service
  Result(int64_t value, int error = 0)
      : value(value), error(error), failed(false) {}
  static Result failure(int error) {
    Result result(0, error);
    result.failed = true;
    return result;
  }
  /// 0, or a failure when `error` is an errno.
  static Result of(int error) { return error ? failure(error) : Result(0); }
};

/// A result with `COUNT` more words of the reply; words that are not given are
/// 0.
template <unsigned COUNT> struct ResultWords : Result {
  uint64_t words[COUNT];
  ResultWords() = default;
  template <typename... W>
  // NOLINTNEXTLINE(google-explicit-constructor): `return Result::failure(…);`
  ResultWords(Result result, W... words)
      : Result(result), words{uint64_t(words)...} {}
};

/// A result with a stream, of type std::string, Buffer or llvm::StringRef.
template <typename T = std::string> struct ResultBytes : Result {
  T bytes;
  ResultBytes() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  ResultBytes(Result result, T bytes = {})
      : Result(result), bytes(std::move(bytes)) {}
};

/// A result with an object that is sent in two packets.
template <typename T> struct ResultRecord : Result {
  static_assert(sizeof(T) == 2 * RPC_PACKET_BYTES);
  T record;
  ResultRecord() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  ResultRecord(Result result, const T &record = {})
      : Result(result), record(record) {}
};

inline llvm::StringRef view(const std::string &text) { return text; }
inline llvm::StringRef view(llvm::StringRef text) { return text; }
inline llvm::StringRef view(const Buffer &bytes) { return bytes.text(); }

//===-- Receiving ---------------------------------------------------------===//

/// Receives the steps of a request. `words` and `streams` have room for all
/// words and streams of `sequence`'s request.
class ReceiveRequest final : public PacketWait {
public:
  ReceiveRequest(Port &port, const Sequence &sequence, uint64_t (*words)[64],
                 LaneBytes *streams)
      : PacketWait(port), sequence(sequence), words(words), streams(streams) {}
  bool advance() override;

private:
  const Sequence &sequence;
  uint64_t (*words)[64];
  LaneBytes *streams;
  unsigned at = 0;
  bool begun = false;
  std::optional<ReceiveBytes> stream;
};

/// For --trace: adds a step's names and the first lane's values to the port's
/// trace_arguments.
void trace_words(Port &port, const Step &step);
void trace_stream(Port &port, const Step &step, const LaneBytes &bytes);

/// For a journal: adds a packet or a stream of the request to the port's notes.
void note_words(Port &port, const Step &step, const uint64_t (*words)[64]);
void note_stream(Port &port, const LaneBytes &bytes);

//===-- Sending -----------------------------------------------------------===//

/// Whether a result of type `R` has all parts of the answer of opcode `CODE`.
template <rpc_opcode CODE, typename R> consteval bool holds_answer() {
  unsigned words = 1;
  if constexpr (requires(R result) { result.words; })
    words += sizeof(R::words) / sizeof(uint64_t);
  constexpr const Sequence &sequence = sequence_of<CODE>;
  for (unsigned i = sequence.request_steps(); i < sequence.count; ++i) {
    const Step &step = sequence.steps[i];
    if (step.is_stream() ? !requires(R result) { view(result.bytes); }
        : step.kind == Step::Kind::record
            ? !requires(R result) { result.record; }
            : step.words() > words)
      return false;
  }
  return true;
}

/// Sends the steps of the answer from one result of type `R` for each lane.
template <rpc_opcode CODE, typename R>
class SendAnswer final : public PacketWait {
public:
  SendAnswer(Port &port, const R (&results)[64])
      : PacketWait(port), results(results) {}
  bool advance() override;

  static void fill(const R &result, const Step &step, rpc_packet &packet);
  /// For a journal: notes the whole answer.
  static void note(Port &port, const R (&results)[64]);
  /// Sends an answer of one packet, then reports the call to the journal, while
  /// the device already goes on. The server must own the port. `before_note` is
  /// called after the answer has been sent and before it is noted.
  template <typename F>
  static void send_and_note(Port &port, const R (&results)[64], F before_note);

private:
  static constexpr bool HAS_STREAM = requires(R result) { view(result.bytes); };
  static constexpr bool IS_PACKET =
      sequence_of<CODE>.count == sequence_of<CODE>.request_steps() + 1 &&
      sequence_of<CODE>.steps[sequence_of<CODE>.request_steps()].kind ==
          Step::Kind::packet;
  const R (&results)[64];
  bool noted = false;
  unsigned at = sequence_of<CODE>.request_steps(), half = 0;
  std::array<llvm::StringRef, HAS_STREAM ? 64 : 0> texts;
  std::optional<SendBytes> stream;
};

template <rpc_opcode CODE, typename R>
void SendAnswer<CODE, R>::fill(const R &result, const Step &step,
                               rpc_packet &packet) {
  packet.words[0] =
      uint64_t(result.failed ? sequence_of<CODE>.error_value() : result.value);
  if constexpr (requires { result.words; })
    for (unsigned i = 1; i < step.words(); ++i)
      packet.words[i] = result.words[i - 1];
  packet.words[RPC_ERRNO_WORD] = uint64_t(result.error);
}

template <rpc_opcode CODE, typename R>
void SendAnswer<CODE, R>::note(Port &port, const R (&results)[64]) {
  std::string &notes = port.notes()->answer;
  const Sequence &sequence = sequence_of<CODE>;
  for (unsigned i = sequence.request_steps(); i < sequence.count; ++i) {
    const Step &step = sequence.steps[i];
    port.for_each_lane([&](unsigned lane) {
      if (step.kind == Step::Kind::packet) {
        rpc_packet packet;
        fill(results[lane], step, packet);
        for (unsigned word = 0; word < step.words(); ++word)
          pack_number(notes, packet.words[word]);
        pack_number(notes, packet.words[RPC_ERRNO_WORD]);
      }
      if constexpr (HAS_STREAM)
        if (step.is_stream())
          pack_bytes(notes, view(results[lane].bytes));
      if constexpr (requires(R result) { result.record; })
        if (step.kind == Step::Kind::record)
          pack_bytes(notes,
                     {reinterpret_cast<const char *>(&results[lane].record),
                      sizeof results[lane].record});
    });
  }
}

template <rpc_opcode CODE, typename R>
template <typename F>
void SendAnswer<CODE, R>::send_and_note(Port &port, const R (&results)[64],
                                        F before_note) {
  static_assert(IS_PACKET);
  constexpr const Step &step =
      sequence_of<CODE>.steps[sequence_of<CODE>.request_steps()];
  Journal::Turn turn = port.journal().take_turn();
  port.put([&](unsigned lane, rpc_packet &packet) {
    fill(results[lane], step, packet);
  });
  before_note();
  note(port, results);
  port.note_served(std::move(turn));
}

template <rpc_opcode CODE, typename R> bool SendAnswer<CODE, R>::advance() {
  if (!port.may_serve()) // an answer is noted only in the turn that sends it
    return false;
  if (!noted && port.notes() && !port.is_replayed()) {
    if constexpr (IS_PACKET) {
      if (!port.try_own())
        return false;
      send_and_note(port, results, [] {});
      return true;
    }
    note(port, results);
    port.note_served();
  }
  noted = true;
  for (; at < sequence_of<CODE>.count; ++at) {
    const Step &step = sequence_of<CODE>.steps[at];
    if (step.kind == Step::Kind::packet) {
      if (!port.try_own())
        return false;
      port.put([&](unsigned lane, rpc_packet &packet) {
        fill(results[lane], step, packet);
      });
    }
    if constexpr (HAS_STREAM)
      if (step.is_stream()) {
        if (!stream) {
          port.for_each_lane(
              [&](unsigned lane) { texts[lane] = view(results[lane].bytes); });
          stream.emplace(port, texts);
        }
        if (!stream->advance())
          return false;
        stream.reset();
      }
    if constexpr (requires(R result) { result.record; })
      for (; step.kind == Step::Kind::record && half < 2; ++half) {
        if (!port.try_own())
          return false;
        port.put([&](unsigned lane, rpc_packet &packet) {
          const auto *bytes =
              reinterpret_cast<const char *>(&results[lane].record);
          std::memcpy(packet.bytes, bytes + half * RPC_PACKET_BYTES,
                      RPC_PACKET_BYTES);
        });
      }
  }
  return true;
}

/// The string in a field's words, up to its NUL or the end.
template <typename F>
std::string text_of(const Sequence::Input &input, F word) {
  std::string text;
  for (unsigned i = 0; i < input.field.words; ++i) {
    const uint64_t part = word(input.place + i);
    text.append(reinterpret_cast<const char *>(&part), sizeof part);
  }
  return text.substr(0, text.find('\0'));
}

//===-- Both --------------------------------------------------------------===//

/// An input of a request, by its name in opcodes.def or by its number. One that
/// does not exist does not compile.
template <rpc_opcode CODE> struct InputOf {
  Sequence::Input input;
  // NOLINTNEXTLINE(google-explicit-constructor): an input is named by a literal
  consteval InputOf(const char *name)
      : input(sequence_of<CODE>.input(std::string_view(name))) {}
  // NOLINTNEXTLINE(google-explicit-constructor): or by its number
  consteval InputOf(unsigned number) : input(sequence_of<CODE>.input(number)) {}
};

/// One call of a wave.
template <rpc_opcode CODE, typename R = Result> class Call {
  static constexpr const Sequence &sequence = sequence_of<CODE>;

public:
  explicit Call(Port &port) : port(port) {}

  ReceiveRequest request() {
    return ReceiveRequest(port, sequence, words.data(), streams.data());
  }
  /// Sends `results`, which must be filled for all lanes of the port and must
  /// live until the answer has been sent.
  SendAnswer<CODE, R> answer() {
    static_assert(sequence.is_plain(), "the two sides go on in turns");
    static_assert(holds_answer<CODE, R>(),
                  "the result's type lacks a part of the answer");
    return SendAnswer<CODE, R>(port, results);
  }

  /// A word of the request.
  uint64_t word(InputOf<CODE> name, unsigned lane) const {
    return words[name.input.place][lane];
  }
  /// A stream of the request.
  const LaneBytes &bytes(InputOf<CODE> name) const {
    return streams[name.input.place];
  }
  /// A string of the request, up to its NUL or the end.
  std::string text(InputOf<CODE> name, unsigned lane) const {
    if (name.input.is_stream) {
      llvm::StringRef bytes = streams[name.input.place][lane];
      return bytes.substr(0, bytes.find('\0')).str();
    }
    return text_of(name.input,
                   [&](unsigned place) { return words[place][lane]; });
  }
  /// Whether the whole input was received; false when memory was refused.
  bool complete(InputOf<CODE> name, unsigned lane) const {
    return !name.input.is_stream || streams[name.input.place].complete(lane);
  }

  R results[64];

private:
  Port &port;
  std::array<uint64_t[64], sequence.request_words()> words;
  std::array<LaneBytes, sequence.request_streams()> streams;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_CALL_H
