//===-- loader/program/gcc.h - Programs that GCC made -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of GCC's compilers for GPUs have their own start-up contracts. This
// code does what the runners of GCC's test suites do (gcn-run, nvptx-none-run):
//   amdgcn   kernels _init_array, main and _fini_array, one wave each. Their
//            argument block points to argc and argv, a heap, a stack, and a
//            queue of messages that the host prints
//   nvptx    kernel __main(int *status, int argc, char **argv); the driver
//            prints what its printf prints
// The program asks its host for nothing else: no files, no input.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROGRAM_GCC_H
#define GPUEXEC_LOADER_PROGRAM_GCC_H

#include "loader/device/device.h"
#include <atomic>
#include <thread>

namespace gpuexec {

/// The program called abort().
class Aborted : public llvm::ErrorInfo<Aborted> {
public:
  static char ID;
  explicit Aborted(std::string message) : text(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override;

private:
  std::string text;
};

/// What one program of GCC's needs on the host: its memory, and the thread that
/// prints its messages.
class GccProcess {
public:
  /// `argv`: with the image's name first. `output`: the descriptor to which the
  /// program's output is written; the caller owns it. `device` must outlive the
  /// process.
  static llvm::Expected<std::unique_ptr<GccProcess>>
  create(Device &device, const Image &image, llvm::ArrayRef<std::string> argv,
         int output);
  /// Frees the memory; allowed also when a kernel did not end.
  ~GccProcess();

  /// Starts the thread that prints; call it before the first kernel. In a
  /// sandbox call it after the calling thread is confined, so that the new
  /// thread is, too.
  void start();

  /// The argument block of each kernel, and the threads of its one block.
  llvm::ArrayRef<std::byte> arguments() const { return block; }
  const Grid &grid() const { return threads; }

  /// After the last kernel: writes the rest of the output and returns the
  /// program's exit status, 0 to 255. Errors: Aborted; Failure, when a program
  /// for AMD set no status or its output could not be written. A program for
  /// NVIDIA that set no status has 255.
  llvm::Expected<int32_t> finish();
  /// From now on the output does not wait for its reader. From any thread.
  void abandon() { abandoned = true; }

private:
  struct Output;
  GccProcess(Device &device, const Image &image, int output);
  llvm::Error set_up(llvm::ArrayRef<std::string> argv);
  llvm::Error set_up_gcn(const HostBuffer &strings, int32_t argc);
  llvm::Error set_up_nvptx(const HostBuffer &strings, int32_t argc);
  /// Prints the lines that the program has written completely; with `all`, also
  /// an unfinished last one.
  void print(bool all);
  void write(llvm::StringRef text);
  void end_printing();

  Device &device;
  const Image &image;
  const int descriptor;
  Grid threads;
  std::vector<std::byte> block;
  std::vector<HostBuffer> host_memory;
  std::vector<DeviceAddress> device_memory;
  Output *output = nullptr; ///< the device writes it; null on NVIDIA
  int32_t *status = nullptr;
  uint32_t printed = 0; ///< messages
  int write_error = 0;  ///< errno
  std::atomic<bool> ended = false, abandoned = false;
  std::thread printer;
};

} // namespace gpuexec

#endif // GPUEXEC_LOADER_PROGRAM_GCC_H
