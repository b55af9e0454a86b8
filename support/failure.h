//===-- support/failure.h - Why something failed ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two errors that every room returns. The code that meets an error knows
// whether the image or the host is to blame; the error carries that up to the
// exit status.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SUPPORT_FAILURE_H
#define GPUEXEC_SUPPORT_FAILURE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>
#include <string>

namespace gpuexec {

/// Who is to blame for a Failure.
enum class Reason {
  failed,       ///< gpuexec, the host or the device's driver
  not_runnable, ///< the image: it cannot run here
  /// One of the programs that ran side by side on a GPU (gpuexec serve
  /// --together): it faulted, which has ended all of them.
  group_faulted,
  /// Likewise, but another program is known to be the cause.
  group_ended,
  /// There is no GPU of the kind that the image is for: it cannot run here,
  /// unless an emulated one takes it.
  no_device,
};

/// A failure to run a program, described in one line.
class Failure : public llvm::ErrorInfo<Failure> {
public:
  static inline char ID = 0; ///< its address is the type's identity in LLVM
  Failure(Reason reason, std::string message)
      : why(reason), text(std::move(message)) {}
  Reason reason() const { return why; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  Reason why;
  std::string text;
};

/// The program itself broke on the device: a bad address, an illegal
/// instruction, a trap. `report` may have several lines (where, which wave);
/// `signal` ends a native program that does the same.
class DeviceFault : public llvm::ErrorInfo<DeviceFault> {
public:
  static inline char ID = 0; ///< its address is the type's identity in LLVM
  DeviceFault(std::string message, std::string report, int signal = SIGSEGV)
      : text(std::move(message)), details(std::move(report)), number(signal) {}
  int signal() const { return number; }
  const std::string &report() const { return details; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string text;
  std::string details;
  int number;
};

/// A Failure whose message is `format` of llvm::formatv with its arguments.
template <typename... Args>
llvm::Error failure(Reason reason, const char *format, Args &&...args) {
  return llvm::make_error<Failure>(
      reason, llvm::formatv(format, std::forward<Args>(args)...).str());
}

} // namespace gpuexec

#endif
