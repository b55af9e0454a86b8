//===-- lending/cuda/worker/lender.h - A worker's CUDA device ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a worker prepares before a CUDA program comes, and keeps for the next:
// a context, the shared memory of layout.h, registered with the driver, and
// what the device is.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_WORKER_LENDER_H
#define GPUEXEC_LENDING_CUDA_WORKER_LENDER_H

#include "lending/cuda/layout.h"
#include "lending/cuda/worker/driver.h"
#include "support/descriptor.h"
#include "llvm/Support/Error.h"

namespace gpuexec::lent_cuda {

class Lender {
public:
  Lender() = default;
  ~Lender();
  Lender(const Lender &) = delete;

  /// Opens the device with that number of the driver `library`. Errors:
  /// Failure.
  llvm::Error prepare(const std::string &library, int device);
  /// Carries out the calls of the client at the other end of the socket, until
  /// it ends. `most_memory`: bytes that it may allocate at a time. False when
  /// the next client must have another process.
  bool serve(int socket, uint64_t most_memory);

private:
  friend class Session;
  bool take_context();
  Driver driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  UniqueFd file;
  Shared *shared = nullptr;
  DeviceFacts facts{};
};

} // namespace gpuexec::lent_cuda

#endif
