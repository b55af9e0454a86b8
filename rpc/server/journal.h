//===-- rpc/server/journal.h - What a program asked of its host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A journal sees each call of the program with all that its host answered. One
// that replays gives the answers itself: then no service reads a file, a clock
// or a socket.
//
// Notes of a call are packed numbers and strings (support/packed.h), in the
// order of the sequence in opcodes.def, lane by lane within a step: the named
// words of a packet (several that hold a string: the string), a stream's bytes,
// an object's bytes. The packet with the result has all words, then errno.
// Besides that:
//   - words that are addresses of the device are apart, in `addresses`: another
//     run may have other ones
//   - printf: stream and text instead of format and arguments
//   - BULK_WRITE...: the bytes at the address follow the request
//   - BULK_READ...: the bytes for the address precede the answer
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_JOURNAL_H
#define GPUEXEC_RPC_SERVER_JOURNAL_H

#include "rpc/protocol/protocol.h"
#include "rpc/server/outcome.h"
#include "support/device_address.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace gpuexec::rpc {

/// A tagged word as it is noted: of a standard stream only the tag counts.
inline uint64_t noted_stream(uint64_t word) {
  const uint64_t tag = word & RPC_STREAM_TAG_MASK;
  return tag == RPC_STREAM_FILE ? word : tag;
}

/// One call of a wave.
struct CallNotes {
  uint32_t opcode = 0;
  uint32_t caller = 0; ///< wave of the grid, counted from 1; 0: not known
  uint64_t mask = 0;   ///< lanes that call
  /// No wave runs any more: another call will not come. Not in lockstep.
  bool is_last = false;
  // In lockstep (lockstep.h), else 0:
  uint64_t number = 0; ///< the calls that had begun, this one included
  uint64_t step = 0;   ///< of the device when it got, or is to get, its answer
  std::string request;
  std::vector<uint64_t> addresses; ///< of the request, in its order
  std::string answer;

  /// Forgets the call before. Small buffers stay, and most calls then allocate
  /// nothing. No buffer is one that std::string has inside itself: its bytes
  /// share memory with the string's capacity, and reading the capacity would
  /// wait for the byte that was stored last.
  void begin(uint32_t new_opcode, uint32_t new_caller, uint64_t new_mask) {
    number = step = 0;
    is_last = false;
    opcode = new_opcode;
    caller = new_caller;
    mask = new_mask;
    addresses.clear();
    for (std::string *text : {&request, &answer}) {
      text->clear();
      if (text->capacity() > MOST_KEPT)
        text->shrink_to_fit();
      if (text->capacity() < LEAST_KEPT)
        text->reserve(LEAST_KEPT);
    }
  }

private:
  static constexpr size_t LEAST_KEPT = 64, MOST_KEPT = 4 << 10;
};

/// Thread-safe. The calls of a wave come in their order.
class Journal {
public:
  virtual ~Journal() = default;
  /// Does match() give the answers?
  virtual bool replays() const = 0;
  /// Until its holder has reported a call, nobody else reports one. Whoever
  /// sends an answer and reports the call behind it takes it before: what the
  /// program does after the answer is reported later.
  using Turn = std::unique_lock<std::mutex>;
  virtual Turn take_turn() { return {}; }
  /// A call has been served. Its answer is about to be sent, or has been sent
  /// in this turn.
  virtual void served(const CallNotes &call, Turn turn) {}
  /// Looks for the answer of a call that is described but for its answer. An
  /// `answer` stays valid as long as the journal; without one the program ends
  /// with `outcome`, or the call waits and match() is called again. An empty
  /// answer to a call for memory: to be served as if nothing were recorded.
  enum class Found { answer, none, later };
  virtual Found match(const CallNotes &call, llvm::StringRef &answer,
                      Outcome &outcome) {
    return Found::none;
  }
  /// In lockstep: the device was kept waiting for its host at this step, for
  /// about `ticks` of 10 ns. By how much its clock is to be put forward: while
  /// replaying, by as much as then.
  virtual uint64_t waited(uint64_t step, uint64_t ticks) { return ticks; }
  /// In lockstep, recording: the device makes no step after this one.
  virtual void halted(uint64_t step) {}
  /// In lockstep, replaying: is the device to make no step after this one, and
  /// the program to end with `outcome`? It may be none: somebody else ends it.
  virtual bool halts(uint64_t step, std::optional<Outcome> &outcome) {
    return false;
  }
  /// What the program has of the device's memory, while replaying: where it was
  /// in the recording, and where it is now.
  virtual void allocated(DeviceAddress recorded, DeviceAddress now,
                         uint64_t size) {}
  virtual void freed(DeviceAddress now) {}
  /// Bytes went to the program's standard output (1) or standard error (2).
  virtual void output(int stream, llvm::StringRef bytes) {}
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_JOURNAL_H
