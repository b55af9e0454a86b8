//===-- emulator/cuda/driver/services.h - What kernels ask for --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's side of printf, malloc and assert of device code, which all
// modules of a context share (emulator/ptx/device/client.h). What the device
// writes is untrusted: it is read once and checked. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_SERVICES_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_SERVICES_H

#include "emulator/cuda/driver/hsa.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

struct gpuexec_cuda_client;

namespace gpuexec::cuda {

class Services {
public:
  /// The name of the variable that a module has if it asks for something.
  static const char *const VARIABLE;

  explicit Services(const Hsa &hsa) : hsa(hsa) {}
  Services(const Services &) = delete;
  ~Services();
  /// Bytes for printf and for the device's heap; before the first attach().
  void set_sizes(size_t printf_bytes, size_t heap_bytes);
  /// Gives a module's variable the address of what is shared. False: there is
  /// no memory, or the variable is none of 8 bytes.
  bool attach(DeviceRange variable, std::string &log);
  /// Prints what kernels have written so far.
  void serve();
  /// True once an assertion has failed; it is printed by then.
  bool asserted() const { return has_asserted; }

private:
  using Words = std::vector<uint64_t>;
  bool make_client();
  bool take(Words &record);
  std::string text_of_printf(const Words &record) const;
  std::string text_of_assertion(const Words &record) const;

  const Hsa &hsa;
  std::mutex mutex; // guards the members below
  size_t printf_bytes = 1 << 20, heap_bytes = 8 << 20;
  gpuexec_cuda_client *client = nullptr;
  // Copies that the device cannot change.
  uint64_t *ring = nullptr;
  uint64_t ring_bytes = 0, taken = 0;
  char *heap = nullptr;
  bool is_broken = false; ///< a record that cannot be: no more is read
  std::atomic<bool> has_asserted{false};
};

} // namespace gpuexec::cuda

#endif
