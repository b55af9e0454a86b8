//===-- loader/device/error.h - Failures that carry an exit status -*- C++ -*-//
// gpuexec's own exit statuses follow env(1) and timeout(1). An error that was
// met deep inside knows best which one it means, so it carries it up to main.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_ERROR_H
#define GPUEXEC_LOADER_DEVICE_ERROR_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace gpuexec {

namespace status {
inline constexpr int TimedOut = 124;
inline constexpr int Failed = 125;      ///< gpuexec or the device's driver
inline constexpr int NotRunnable = 126; ///< the file is no image for us
inline constexpr int NotFound = 127;
/// Ended by signal N, as a shell reports it.
inline constexpr int signalled(int signal) { return 128 + signal; }
} // namespace status

/// A one-line reason, and the exit status that says the same.
class Failure : public llvm::ErrorInfo<Failure> {
public:
  static char ID;
  Failure(int status, std::string message)
      : exit_status(status), text(std::move(message)) {}
  int status() const { return exit_status; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  int exit_status;
  std::string text;
};

/// The program itself broke on the device: a bad address, an illegal
/// instruction, a trap. `report` may have several lines (where, which wave);
/// the exit status is that of SIGSEGV.
class DeviceFault : public llvm::ErrorInfo<DeviceFault> {
public:
  static char ID;
  DeviceFault(std::string message, std::string report)
      : text(std::move(message)), details(std::move(report)) {}
  const std::string &report() const { return details; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string text;
  std::string details;
};

template <typename... Args>
llvm::Error failure(int status, const char *format, Args &&...args) {
  return llvm::make_error<Failure>(
      status, llvm::formatv(format, std::forward<Args>(args)...).str());
}

} // namespace gpuexec

#endif
