//===-- rpc/server/layout.h - Where a mailbox's parts lie -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_RPC_SERVER_LAYOUT_H
#define GPUEXEC_RPC_SERVER_LAYOUT_H

#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>

namespace gpuexec::rpc {

/// Offsets and sizes of one mailbox, spec section 1.
struct Layout {
  uint32_t first_version = 22; ///< oldest version of LLVM with this layout
  uint32_t last_version = 22;
  uint32_t ports = 1;
  uint32_t lanes = 32; ///< packets per port
  uint32_t doorbell_size = 0;
  uint32_t client_size = 552;
  uint32_t max_ports = 4096;
  bool short_opcodes = false; ///< rpc_opcode_of_19()
  /// LLVM's loader formats with LLVM's C library, not with the host's.
  bool llvm_formatter = true;

  /// The layout for an image whose symbol __llvm_rpc_client has `st_size`
  /// bytes. `lanes` is the widest wave of the image's kernels: 1, 32 or 64.
  /// `ports` is lowered to the version's maximum. An unknown size or number is
  /// an error.
  static llvm::Expected<Layout>
  from_client_size(uint64_t st_size, uint32_t ports, uint32_t lanes);
  /// The layout for an image with LLVM 19's symbol. Arguments and errors as
  /// above.
  static llvm::Expected<Layout> for_version_19(uint32_t ports, uint32_t lanes);

  size_t inbox_offset() const; ///< client's inbox: the server writes
  size_t outbox_offset() const;
  size_t headers_offset() const;
  size_t packets_offset() const;
  size_t fast_slots_offset() const; ///< gpuexec's, behind LLVM's parts
  size_t output_offset() const;     ///< rpc_output
  /// Last: a relay of another version need not know of them.
  size_t long_requests_offset() const;
  size_t buffer_size() const;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_LAYOUT_H
