//===-- replay/recorder/recording.h - A recorded run, as a file -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run of a program was given: its image, arguments, environment and each
// answer of its host; and what came of it. The format is described in
// docs/recording.md. Here nobody knows what an opcode or a device is: calls and
// facts are names, numbers and bytes.
//
// A file is written in chunks, each with its checksums, while the program runs:
// what is left by a writer that was killed is good up to its last whole chunk.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_REPLAY_RECORDER_RECORDING_H
#define GPUEXEC_REPLAY_RECORDER_RECORDING_H

#include "support/descriptor.h"
#include "llvm/ADT/SmallVector.h"
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

/// Of the format. A file of a newer one is refused.
inline constexpr uint32_t RECORDING_VERSION = 1;

/// What is known before the program runs: lists of strings by name.
using RecordedFacts = std::map<std::string, std::vector<std::string>>;

/// A call of the program's to its host: rpc/server/journal.h says what is in
/// `request` and `answer`.
struct RecordedCall {
  uint32_t opcode = 0;
  uint32_t caller = 0; ///< wave of the grid from 1 on; 0: not known
  uint64_t mask = 0;   ///< lanes
  llvm::ArrayRef<uint64_t> addresses;
  llvm::StringRef request, answer;
  // In a recording with a schedule, else 0:
  uint64_t number = 0; ///< the calls that had begun, this one included
  uint64_t step = 0;   ///< of the device when it got its answer
};

/// With a schedule: the device was kept waiting for its host.
struct RecordedWait {
  uint64_t step = 0;  ///< of the device
  uint64_t ticks = 0; ///< by which its clock was put forward
};

/// What went to the program's standard output (1) or standard error (2).
struct RecordedOutput {
  int stream = 1;
  llvm::StringRef bytes;
  size_t calls_before = 0; ///< in the file
};

/// How the run ended.
struct RecordedEnd {
  std::string kind; ///< "exited", "signalled" ...
  int64_t value = 0;
  std::string message;
  uint64_t calls = 0;         ///< how many there were
  uint64_t output_digest = 0; ///< xxh3 of all bytes of standard output
  uint64_t error_digest = 0;  ///< the same of standard error
};

/// The bytes before the recording in a file that begins with an executable, as
/// the executable's own head says; 0 of other files.
size_t size_of_executable(llvm::StringRef file);

/// A file that was read. Moves, does not copy.
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
  llvm::ArrayRef<RecordedCall> calls() const { return all_calls; }
  llvm::ArrayRef<RecordedOutput> outputs() const { return all_outputs; }
  /// None when the writer was killed before the program's end.
  const std::optional<RecordedEnd> &end() const { return how_it_ended; }
  /// With a schedule, in the order of their steps.
  llvm::ArrayRef<RecordedWait> waits() const { return all_waits; }
  /// With a schedule: the step behind which the device was halted, if it was.
  std::optional<uint64_t> halted_step() const { return last_step; }
  /// Something is missing at the end of the file.
  bool is_cut() const { return !how_it_ended; }

private:
  Recording() = default;
  /// Counts what is kept in memory (replay/recorder/chunk.h).
  struct Memory;
  llvm::Error parse_chunks(llvm::MemoryBufferRef file);
  llvm::Error parse_chunk(uint32_t kind, llvm::StringRef bytes, Memory &memory);
  llvm::Error parse_facts(llvm::StringRef bytes, Memory &memory);
  llvm::Error parse_events(llvm::StringRef bytes, Memory &memory);

  std::unique_ptr<llvm::MemoryBuffer> file;
  // What calls and outputs refer to.
  std::vector<std::unique_ptr<llvm::SmallVector<uint8_t, 0>>> chunks;
  std::vector<std::unique_ptr<std::vector<uint64_t>>> address_lists;
  RecordedFacts all_facts;
  bool has_facts = false, has_image = false;
  llvm::StringRef image_bytes;
  std::vector<RecordedCall> all_calls;
  std::vector<RecordedOutput> all_outputs;
  std::vector<RecordedWait> all_waits;
  std::optional<uint64_t> last_step;
  uint64_t event_step = 0, event_number = 0; // of the event before
  std::optional<RecordedEnd> how_it_ended;
};

/// Writes a file while a program runs. Thread-safe; errors of the file are kept
/// for finish().
class RecordingWriter {
public:
  /// Creates the file, for this user alone, or empties it. Errors name it.
  /// `executable`: what the file is to begin with; then it can be executed, and
  /// nothing is compressed.
  static llvm::Expected<std::unique_ptr<RecordingWriter>>
  create(const std::string &path, llvm::StringRef executable = {});
  /// The same with a file that is open; `path`: what errors call it.
  static llvm::Expected<std::unique_ptr<RecordingWriter>>
  create(UniqueFd file, const std::string &path, llvm::StringRef executable);
  /// Without finish() the file stays as that of a run that was killed.
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter &) = delete;

  /// Once, before all else.
  void begin(const RecordedFacts &facts, llvm::StringRef image);
  /// Waits where more has been reported than the disk takes. Until it is given
  /// to call(), or away, nothing else is reported.
  using Turn = std::unique_lock<std::mutex>;
  Turn take_turn();
  void call(const RecordedCall &call, Turn turn);
  void call(const RecordedCall &call) { this->call(call, take_turn()); }
  void output(int stream, llvm::StringRef bytes);
  /// With a schedule (RecordedWait, Recording::halted_step()).
  void waited(const RecordedWait &wait);
  void halted(uint64_t step);
  /// Writes the end, whose digests and count are filled in here, and closes the
  /// file. Later calls and outputs are dropped. Errors name the file; once.
  llvm::Error finish(RecordedEnd end);

private:
  struct Impl;
  explicit RecordingWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace gpuexec

#endif // GPUEXEC_REPLAY_RECORDER_RECORDING_H
