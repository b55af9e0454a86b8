//===-- loader/process/held_streams.h - Streams of --rerun ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that may have to run again, from its beginning, must not have its
// output seen twice, and must find its input again. So its standard output and
// error go to pipes, and what comes out is held back until it is known that the
// run counts; and what it reads from a pipe is kept. A thread of its own moves
// the bytes. Of output that is longer than MOST_HELD nothing is held back any
// more, and the program cannot run again.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROCESS_HELD_STREAMS_H
#define GPUEXEC_LOADER_PROCESS_HELD_STREAMS_H

#include "support/descriptor.h"
#include "support/thread.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gpuexec {

class HeldStreams {
public:
  /// Bytes of output that are held back, and bytes of input that are kept.
  static constexpr size_t MOST_HELD = 64u << 20;

  /// `most`: for tests, in place of MOST_HELD. Error: Failure when there are no
  /// descriptors or threads left.
  static llvm::Expected<std::unique_ptr<HeldStreams>>
  create(size_t most = MOST_HELD);
  /// Drops what is still held.
  ~HeldStreams();
  HeldStreams(const HeldStreams &) = delete;

  // The program's streams:
  int input() const { return stdin_pipe ? stdin_pipe.get() : STDIN_FILENO; }
  int output() const { return output_end.get(); }
  int errors() const { return error_end ? error_end.get() : output(); }

  /// Passes on what is held, and from now on everything at once: the program
  /// will not run again. Waits for the readers.
  void let_go();
  /// The program has ended: passes on what is held and ends the thread. Waits
  /// for the readers.
  void pass_on();
  /// The program is to run again: forgets its output, and begins again with its
  /// input. False when that cannot be: some output has been passed on, or not
  /// all of the input was kept. Then nothing changes.
  bool begin_again();

private:
  explicit HeldStreams(size_t most) : most(most) {}
  struct Chunk {
    int to;
    std::string bytes;
  };
  bool start();
  void stop(bool drain);
  void move_bytes();
  void take_output(UniqueFd &from, int to);
  void take_input();
  void give_input();
  void write_held();

  const size_t most;
  Thread mover;                     ///< in move_bytes()
  UniqueFd output_end, error_end;   ///< the program writes
  UniqueFd stdin_pipe;              ///< the program reads; none: not a pipe
  UniqueFd output_pipe, error_pipe; ///< the mover reads
  UniqueFd input_end;               ///< the mover writes
  Pipe wake;                        ///< its end ends the mover
  off_t begin = -1; ///< where the input was, in a file that can be read again
  // The mover's, or of others while it does not run:
  bool drains = false;
  bool input_has_ended = false;
  std::string input_kept;
  size_t input_given = 0; ///< bytes of `input_kept`
  bool input_is_whole = true;
  std::mutex mutex; ///< guards what follows
  std::vector<Chunk> held;
  size_t held_bytes = 0;
  bool passes = false; ///< output goes on at once
};

} // namespace gpuexec

#endif
