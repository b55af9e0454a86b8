//===-- replay/recorder/recording.h - A recorded run, as a file -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recording holds a program's image, arguments, environment, each call with
// the host's answer, and the run's result. docs/recording.md describes the
// format. This code does not know opcodes or devices: calls and facts are
// names, numbers and bytes.
//
// A file is written in chunks, each with its checksums, while the program runs:
// if the writer is killed, the file is valid up to its last whole chunk.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_RECORDING_H
#define GPUEXEC_REPLAY_RECORDER_RECORDING_H

#include "replay/core/file_format.h"
#include "replay/core/recording.h"
#include "support/descriptor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec {

/// The facts that are known before the program runs: lists of strings by name.
using RecordedFacts = std::map<std::string, std::vector<std::string>>;

/// A recorded_call of the core, as C++. Refers to memory that it does not own.
struct RecordedCall {
  uint32_t opcode = 0;
  uint32_t caller = 0; ///< wave of the grid from 1 on; 0: not known
  uint64_t mask = 0;   ///< lanes
  llvm::ArrayRef<uint64_t> addresses;
  llvm::StringRef request, answer;
  // In a recording with a schedule, else 0:
  uint64_t number = 0; ///< this call's number, from 1 on, in order of beginning
  uint64_t step = 0;   ///< the device's step in which it got the answer

  static RecordedCall of(const recorded_call &call);
  recorded_call to_core() const;
};

/// A recorded_output of the core, as C++: bytes that the program wrote to
/// standard output (1) or standard error (2).
struct RecordedOutput {
  int stream = 1;
  llvm::StringRef bytes;
  size_t calls_before = 0; ///< number of calls before it in the file

  static RecordedOutput of(const recorded_output &output);
};

using RecordedWait = recorded_wait;

/// A list of the core, whose elements are returned as the C++ types above.
template <typename Value, typename Core> class RecordedList {
public:
  RecordedList(const Core *all, size_t count) : all(all, count) {}
  size_t size() const { return all.size(); }
  bool empty() const { return all.empty(); }
  Value operator[](size_t i) const { return Value::of(all[i]); }
  auto begin() const { return llvm::map_iterator(all.begin(), Value::of); }
  auto end() const { return llvm::map_iterator(all.end(), Value::of); }

private:
  llvm::ArrayRef<Core> all;
};
using RecordedCalls = RecordedList<RecordedCall, recorded_call>;
using RecordedOutputs = RecordedList<RecordedOutput, recorded_output>;

/// How the run ended.
struct RecordedEnd {
  std::string kind; ///< "exited", "signalled" ...
  int64_t value = 0;
  std::string message;
  uint64_t calls = 0;         ///< number of calls
  uint64_t output_digest = 0; ///< xxh3 of all bytes of standard output
  uint64_t error_digest = 0;  ///< likewise of standard error
};

/// The size of the executable with which a file begins, as its ELF header says;
/// 0 for other files. The recording follows it.
size_t size_of_executable(llvm::StringRef file);

/// A recording that was read from a file. Movable, not copyable.
class Recording {
public:
  /// Errors name the file and what is wrong with it. An executable may come
  /// before the recording. A file that ends early is no error as long as facts
  /// and image are there: see is_cut().
  static llvm::Expected<Recording> read(const std::string &path);
  /// The same from memory, which must outlive the recording.
  static llvm::Expected<Recording> parse(llvm::MemoryBufferRef file);

  const RecordedFacts &facts() const { return all_facts; }
  /// The first string of a fact; empty without one.
  llvm::StringRef fact(const std::string &name) const;
  /// The program's image, for its device. Ends in a zero byte that does not
  /// count.
  llvm::StringRef image() const { return image_bytes; }
  RecordedCalls calls() const { return {core->calls, core->call_count}; }
  RecordedOutputs outputs() const {
    return {core->outputs, core->output_count};
  }
  /// None when the writer was killed before the program's end.
  const std::optional<RecordedEnd> &end() const { return how_it_ended; }
  /// With a schedule, in the order of their steps.
  llvm::ArrayRef<RecordedWait> waits() const {
    return {core->waits, core->wait_count};
  }
  /// With a schedule: the step behind which the device was halted, if it was.
  std::optional<uint64_t> halted_step() const {
    return core->is_halted ? std::optional(core->halted_step) : std::nullopt;
  }
  /// Whether the file lacks its end, because the writer was killed.
  bool is_cut() const { return !how_it_ended; }
  /// The core's recording; its address stays the same when this object moves.
  const ::recording &of_core() const { return *core; }

private:
  Recording();
  void note_facts();
  void note_image(llvm::StringRef file);
  void note_end();

  struct FreeCore {
    void operator()(::recording *core) const;
  };
  std::unique_ptr<llvm::MemoryBuffer> file;
  std::unique_ptr<::recording, FreeCore> core;
  std::unique_ptr<llvm::MemoryBuffer> own_image; ///< a copy, or null
  llvm::StringRef image_bytes;
  RecordedFacts all_facts;
  std::optional<RecordedEnd> how_it_ended;
};

/// The first bytes of a file.
file_header make_file_header();
/// The header of a chunk of `size` bytes, which are in the file as `stored`.
chunk_header make_chunk_header(uint32_t kind, llvm::StringRef stored,
                               uint64_t size);

/// Writes a file while a program runs. Thread-safe; errors of the file are kept
/// for finish().
class RecordingWriter {
public:
  /// Creates the file, which only this user can read, or empties it. Errors
  /// name it. `executable`: if not empty, the file begins with these bytes and
  /// can be executed, and chunks are not compressed.
  static llvm::Expected<std::unique_ptr<RecordingWriter>>
  create(const std::string &path, llvm::StringRef executable = {});
  /// The same with an open file; `path`: its name in errors.
  static llvm::Expected<std::unique_ptr<RecordingWriter>>
  create(UniqueFd file, const std::string &path, llvm::StringRef executable);
  /// Without finish() the file has no end, as after a run that was killed.
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter &) = delete;

  /// Writes facts and image. Call it once, before the functions below.
  void begin(const RecordedFacts &facts, llvm::StringRef image);
  /// While a thread holds the turn no other thread reports anything; call()
  /// takes it. take_turn() waits while too many reported bytes are not yet
  /// written.
  using Turn = std::unique_lock<std::mutex>;
  Turn take_turn();
  void call(const RecordedCall &call, Turn turn);
  void call(const RecordedCall &call) { this->call(call, take_turn()); }
  void output(int stream, llvm::StringRef bytes);
  /// In a run with a schedule (RecordedWait, Recording::halted_step()).
  void waited(const RecordedWait &wait);
  void halted(uint64_t step);
  /// Writes the end, whose digests and number of calls are filled in here, and
  /// closes the file. Later calls and outputs are dropped. Call it once. Errors
  /// name the file.
  llvm::Error finish(RecordedEnd end);

private:
  struct Impl;
  explicit RecordingWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace gpuexec

#endif // GPUEXEC_REPLAY_RECORDER_RECORDING_H
