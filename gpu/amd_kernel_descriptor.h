//===-- gpu/amd_kernel_descriptor.h - NAME.kd of a code object --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The descriptor of a kernel, 64 bytes that the GPU's command processor reads:
// LLVM's "User Guide for AMDGPU Backend", section "Kernel Descriptor", code
// object V3 to V6. Host and device are both little endian.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPU_AMD_KERNEL_DESCRIPTOR_H
#define GPUEXEC_GPU_AMD_KERNEL_DESCRIPTOR_H

#include <cstddef>
#include <cstdint>

namespace gpuexec::gpu {

/// Bits of AmdKernelDescriptor::kernel_code_properties. The first seven ask for
/// user SGPRs, which are filled in this order.
enum AmdKernelProperty : uint16_t {
  AMD_PRIVATE_SEGMENT_BUFFER = 1 << 0,
  AMD_DISPATCH_PTR = 1 << 1,
  AMD_QUEUE_PTR = 1 << 2,
  AMD_KERNARG_SEGMENT_PTR = 1 << 3,
  AMD_DISPATCH_ID = 1 << 4,
  AMD_FLAT_SCRATCH_INIT = 1 << 5,
  AMD_PRIVATE_SEGMENT_SIZE = 1 << 6,
  AMD_WAVE32 = 1 << 10,
  AMD_DYNAMIC_STACK = 1 << 11,
};

/// Bit of compute_pgm_rsrc1, from gfx10 on: a block may use the whole
/// work-group processor.
inline constexpr uint32_t AMD_WGP_MODE = 1u << 29;

struct AmdKernelDescriptor {
  uint32_t group_segment_size = 0;   ///< bytes of static LDS
  uint32_t private_segment_size = 0; ///< bytes of stack per lane
  uint32_t kernarg_size = 0;
  uint32_t reserved0 = 0;
  int64_t entry_offset = 0; ///< of the first instruction, from the descriptor
  uint8_t reserved1[20] = {};
  uint32_t compute_pgm_rsrc3 = 0, compute_pgm_rsrc1 = 0, compute_pgm_rsrc2 = 0;
  uint16_t kernel_code_properties = 0; ///< AmdKernelProperty
  /// Kernel arguments that are loaded into SGPRs before the kernel starts: bits
  /// 6:0 are their number of dwords, bits 15:7 the offset of the first dword.
  uint16_t kernarg_preload = 0;
  uint32_t reserved2 = 0;

  bool wave32() const { return kernel_code_properties & AMD_WAVE32; }
  bool dynamic_stack() const {
    return kernel_code_properties & AMD_DYNAMIC_STACK;
  }
};
static_assert(sizeof(AmdKernelDescriptor) == 64 &&
                  offsetof(AmdKernelDescriptor, kernarg_size) == 8 &&
                  offsetof(AmdKernelDescriptor, entry_offset) == 16 &&
                  offsetof(AmdKernelDescriptor, compute_pgm_rsrc3) == 44 &&
                  offsetof(AmdKernelDescriptor, compute_pgm_rsrc1) == 48 &&
                  offsetof(AmdKernelDescriptor, compute_pgm_rsrc2) == 52 &&
                  offsetof(AmdKernelDescriptor, kernel_code_properties) == 56 &&
                  offsetof(AmdKernelDescriptor, kernarg_preload) == 58,
              "LLVM's User Guide for AMDGPU Backend, Kernel Descriptor");

} // namespace gpuexec::gpu

#endif // GPUEXEC_GPU_AMD_KERNEL_DESCRIPTOR_H
