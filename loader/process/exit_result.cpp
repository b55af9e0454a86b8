//===-- loader/process/exit_result.cpp - How the process is to end --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/process/exit_result.h"
#include "loader/command_line/messages.h"
#include "support/printable.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

namespace gpuexec {

Personality Personality::from_command(llvm::StringRef argv0) {
  llvm::StringRef name = llvm::sys::path::filename(argv0);
  if (name == "llvm-gpu-loader" || name == "amdhsa-loader" ||
      name == "nvptx-loader")
    return {name, true};
  return {};
}

int Personality::failure_status(int status) const {
  bool ours = status == status::Failed || status == status::NotRunnable ||
              status == status::NotFound;
  return llvm && ours ? 1 : status;
}

ExitResult stopped_by(int signal) {
  if (signal == own_failure_number)
    return {status::Failed, 0, /*clean=*/false, /*ours=*/true};
  return {status::signalled(signal), signal, /*clean=*/false};
}

ExitResult report(llvm::StringRef command, const Result &result) {
  using Kind = Result::Kind;
  // print_error() makes the message one printable line: it contains words of
  // the user, the program and drivers.
  auto say_why = [&] {
    if (!result.message.empty())
      print_error(command, result.message);
  };
  auto failed = [&](int status) {
    say_why();
    return ExitResult{result.value ? result.value : status, 0, result.settled,
                      /*ours=*/true};
  };
  switch (result.kind) {
  case Kind::exited:
    return {result.value, 0, result.settled};
  case Kind::signalled:
    // A status alone would look like exit(134).
    if (!result.message.empty())
      say_error(command + ": " + printable(result.message) + "\n");
    return {status::signalled(result.value),
            result.value == SIGABRT ? 0 : result.value, result.settled};
  case Kind::faulted:
    say_why();
    say_error(result.report);
    return {status::signalled(result.value ? result.value : SIGSEGV), 0,
            result.settled};
  case Kind::timed_out:
    say_why();
    say_error(result.report);
    return {status::TimedOut, 0, result.settled};
  case Kind::not_found:
    return failed(status::NotFound);
  case Kind::refused:
    return failed(status::NotRunnable);
  case Kind::failed:
    return failed(status::Failed);
  }
  return failed(status::Failed);
}

ExitResult own_failure(llvm::StringRef command, llvm::Error error) {
  return report(command, failure_of(std::move(error)));
}

} // namespace gpuexec
