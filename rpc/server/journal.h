//===-- rpc/server/journal.h - What a program asked of its host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A journal is told each call of the program and the host's answer. A journal
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

/// The value that is noted for a tagged stream word: for a standard stream the
/// tag alone.
inline uint64_t noted_stream(uint64_t word) {
  const uint64_t tag = word & RPC_STREAM_TAG_MASK;
  return tag == RPC_STREAM_FILE ? word : tag;
}

/// One call of a wave.
struct CallNotes {
  uint32_t opcode = 0;
  uint32_t caller = 0; ///< wave of the grid, counted from 1; 0: not known
  uint64_t mask = 0;   ///< lanes that call
  /// No wave runs any more, so no other call will come. Not set in lockstep.
  bool is_last = false;
  // In lockstep (lockstep.h), else 0:
  uint64_t number = 0; ///< this call's number, from 1 on, in order of beginning
  uint64_t step = 0;   ///< the device's step in which it gets the answer
  std::string request;
  std::vector<uint64_t> addresses; ///< of the request, in its order
  std::string answer;

  /// Forgets the previous call. Small buffers are kept, so that most calls
  /// allocate nothing. Buffers are made larger than the one inside a
  /// std::string: that one shares memory with the string's capacity, and
  /// reading the capacity would wait for the last byte to be stored.
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

/// Thread-safe. The calls of one wave are reported in their order.
class Journal {
public:
  virtual ~Journal() = default;
  /// Whether match() gives the answers.
  virtual bool replays() const = 0;
  /// While a thread holds the turn, no other thread reports a call. A thread
  /// that reports a call after it has sent the answer takes the turn before
  /// sending: calls that the program makes after the answer are reported later.
  using Turn = std::unique_lock<std::mutex>;
  virtual Turn take_turn() { return {}; }
  /// Reports a call that has been served. Its answer is about to be sent, or
  /// has been sent while `turn` was held.
  virtual void served(const CallNotes &call, Turn turn) {}
  /// Looks for the recorded answer of `call`, whose own `answer` is empty.
  /// Found::answer: sets `answer`, which stays valid as long as the journal; if
  /// it is empty for a call that allocates memory, the call is served as if
  /// nothing were recorded. Found::none: the program must end with `outcome`.
  /// Found::later: the call waits, and match() is called again.
  enum class Found { answer, none, later };
  virtual Found match(const CallNotes &call, llvm::StringRef &answer,
                      Outcome &outcome) {
    return Found::none;
  }
  /// In lockstep: the device waited for its host at this step, for about
  /// `ticks` of 10 ns. Returns the ticks by which its clock must be put
  /// forward: while replaying, as many as in the recorded run.
  virtual uint64_t waited(uint64_t step, uint64_t ticks) { return ticks; }
  /// In lockstep, recording: the device makes no step after this one.
  virtual void halted(uint64_t step) {}
  /// In lockstep, replaying: whether the device must make no step after this
  /// one. The program then ends with `outcome`; if that is none, another part
  /// of gpuexec ends it.
  virtual bool halts(uint64_t step, std::optional<Outcome> &outcome) {
    return false;
  }
  /// While replaying: the program has allocated device memory, which was at
  /// `recorded` in the recorded run and is at `now`.
  virtual void allocated(DeviceAddress recorded, DeviceAddress now,
                         uint64_t size) {}
  virtual void freed(DeviceAddress now) {}
  /// Bytes were written to the program's standard output (`stream` 1) or
  /// standard error (2).
  virtual void output(int stream, llvm::StringRef bytes) {}
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_JOURNAL_H
