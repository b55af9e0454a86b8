//===-- rpc/server/outcome.h - How a program ends ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVER_OUTCOME_H
#define GPUEXEC_RPC_SERVER_OUTCOME_H

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace gpuexec::rpc {

/// How the program asked to end, or why it must end. The embedder decides which
/// exit status that becomes.
struct Outcome {
  enum class Kind {
    exit,        ///< EXIT was called
    abort,       ///< ABORT, or FREE of an address that is not allocated
    closed_pipe, ///< standard output's reader is gone
    error,       ///< the device broke the protocol, or the host failed
  };
  Kind kind;
  int status = 0;           ///< of Kind::exit: what the program said, 0..255
  std::string message = {}; ///< of the other kinds: why; may be empty
};

/// The outcome of one program. Thread-safe.
class OutcomeRecord {
public:
  /// `program_name` precedes the messages of fail().
  explicit OutcomeRecord(std::string program_name)
      : program_name(std::move(program_name)) {}

  /// Sets the outcome and calls the notifier. Only the first call counts; no
  /// new request is served after it.
  void finish(Outcome outcome);
  /// finish() with an error and its message.
  void fail(const std::string &message) {
    finish({Outcome::Kind::error, 0, name_of_program() + ": " + message});
  }
  /// Not all output of a program that has ended could be written. Makes that an
  /// error unless the outcome is already another than an exit with status 0.
  void output_was_lost(const std::string &message);

  bool finished() const { return is_set.load(std::memory_order_acquire); }
  std::optional<Outcome> get() const;
  /// Sets the function that finish() calls once. Call this before other threads
  /// use the record.
  void set_notifier(std::function<void()> f) { notifier = std::move(f); }

private:
  std::string name_of_program() const {
    return program_name.empty() ? "program" : program_name;
  }
  std::string program_name;
  std::atomic<bool> is_set = false;
  mutable std::mutex mutex;
  std::optional<Outcome> first;
  std::function<void()> notifier;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_OUTCOME_H
