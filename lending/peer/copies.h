//===-- lending/peer/copies.h - Large copies for a client -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device copies to and from host memory that the client has mapped, or that
// a relay carries to the client's machine.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_PEER_COPIES_H
#define GPUEXEC_LENDING_PEER_COPIES_H

#include "lending/peer/handler.h"

namespace gpuexec::lending {

class Copies {
public:
  /// `memory`: rpc::copy_memory_size(half_size) bytes, which the device has at
  /// `address` and which live longer. Of a device without a copy engine the
  /// processor copies.
  Copies(Device &device, std::byte *memory, DeviceAddress address,
         uint64_t half_size, bool is_far);

  bool has_end_words() const { return !is_far && buffer->has_end_words(); }
  // Errors: Failure. For a client of this machine finish() returns those of the
  // other two.
  llvm::Error read(const wire::CopyRead &request, Response &response);
  llvm::Error write(const wire::CopyWrite &request, Response &response);
  llvm::Error finish(const wire::CopyFinish &request);

private:
  llvm::Error begin_read(const wire::CopyRead &request);
  llvm::Error read_and_carry(const wire::CopyRead &request,
                             const Response &response);
  llvm::Error begin_write(const wire::CopyWrite &request);
  llvm::Error end(unsigned half, Response &response, llvm::Error error);

  const DeviceAddress address;
  const uint64_t half_size;
  const bool is_far;
  std::unique_ptr<rpc::CopyBuffer> buffer;
  std::string why_failed[2]; ///< told by finish()
};

} // namespace gpuexec::lending

#endif
