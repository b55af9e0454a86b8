//===-- lending/peer/copies.h - Large copies for a client -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device copies to and from host memory that the client has mapped, or that
// a relay carries to the client's machine.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_PEER_COPIES_H
#define GPUEXEC_LENDING_PEER_COPIES_H

#include "lending/peer/peer.h"

namespace gpuexec::serve {

class Copies {
public:
  /// `memory`: rpc::copy_memory_size(half_size) bytes, which the device has at
  /// `address` and which live longer. Of a device without a copy engine the
  /// processor copies.
  Copies(Device &device, std::byte *memory, DeviceAddress address,
         uint64_t half_size, bool is_far);

  bool has_end_words() const { return !is_far && buffer->has_end_words(); }
  // Request::copy_read, copy_write and copy_finish. Errors: Failure; of a
  // client of this machine, finish() has those of the others.
  llvm::Error read(remote::Reader body, remote::Response &reply);
  llvm::Error write(remote::Reader body, remote::Response &reply);
  llvm::Error finish(remote::Reader body);

private:
  llvm::Error begin_read(unsigned half, remote::Reader parts);
  llvm::Error read_and_carry(unsigned half, remote::Reader parts,
                             const remote::Response &reply);
  llvm::Error begin_write(unsigned half, remote::Reader body);
  llvm::Error end(unsigned half, remote::Response &reply, llvm::Error error);

  const DeviceAddress address;
  const uint64_t half_size;
  const bool is_far;
  std::unique_ptr<rpc::CopyBuffer> buffer;
  std::string why_failed[2]; ///< told by finish()
};

} // namespace gpuexec::serve

#endif
