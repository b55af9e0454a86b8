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
  uint32_t first_version = 22; ///< LLVM's, the oldest that has this layout
  uint32_t last_version = 22;
  uint32_t ports = 1;
  uint32_t lanes = 32; ///< slots per port the buffer has room for
  uint32_t doorbell_size = 0;
  uint32_t client_size = 552;
  uint32_t max_ports = 4096;
  bool short_opcodes = false; ///< rpc_opcode_of_19()
  /// LLVM's loader formats with LLVM's C library, not with the host's.
  bool llvm_formatter = true;

  /// From the size of the image's symbol __llvm_rpc_client. `lanes` is the
  /// widest wave of the image's kernels: 1, 32 or 64. `ports` is lowered to
  /// what the version can hold. Errors name what was found.
  static llvm::Expected<Layout>
  from_client_size(uint64_t st_size, uint32_t ports, uint32_t lanes);
  /// For an image that has LLVM 19's symbol instead. Arguments and errors as
  /// above.
  static llvm::Expected<Layout> for_version_19(uint32_t ports, uint32_t lanes);

  size_t inbox_offset() const; ///< client's inbox: the server writes
  size_t outbox_offset() const;
  size_t headers_offset() const;
  size_t packets_offset() const;
  size_t fast_slots_offset() const; ///< ours, behind LLVM's
  size_t output_offset() const;     ///< rpc_output
  size_t buffer_size() const;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_LAYOUT_H
