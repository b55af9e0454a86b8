// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of gpu/ are those of LLVM 22's "User Guide for AMDGPU Backend":
// here LLVM's own constants and structures say so.
#include "gpu/amd_kernel_descriptor.h"
#include "gpu/amd_processor.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include <gtest/gtest.h>
#include <set>

using namespace gpuexec::gpu;
namespace ELF = llvm::ELF;
namespace hsa = llvm::amdhsa;

namespace {

constexpr unsigned EF_AMDGPU_MACH_AMDGCN_NONE = ELF::EF_AMDGPU_MACH_NONE;

#define AMD_PROCESSOR(MACHINE, SUFFIX, NAME, ...)                              \
  {                                                                            \
    using namespace ELF;                                                       \
    EXPECT_EQ(MACHINE##u, unsigned(EF_AMDGPU_MACH_AMDGCN_##SUFFIX)) << NAME;   \
  }
TEST(AmdProcessor, HasTheNumberOfLlvm){
#include "gpu/amd_processors.def"
}

TEST(AmdProcessor, EveryNumberOfLlvmIsThere) {
  const std::set<unsigned> reserved{0x27, 0x40, 0x4b, 0x4d, 0x50, 0x56,
                                    0x57, 0x5b, 0x5c, 0x5d, 0x5e};
  for (unsigned machine = ELF::EF_AMDGPU_MACH_AMDGCN_FIRST;
       machine <= ELF::EF_AMDGPU_MACH_AMDGCN_LAST; ++machine)
    EXPECT_EQ(find_amd_processor(machine) != nullptr, !reserved.count(machine))
        << machine;
}

TEST(AmdProcessor, GenericOnesAreProcessors) {
  for (const AmdProcessor &processor : AMD_PROCESSORS)
    if (!processor.generic.empty())
      EXPECT_TRUE(find_amd_processor(processor.generic)) << processor.name;
}

TEST(AmdProcessor, IsFoundByNameAndByFlags) {
  const AmdProcessor *found = find_amd_processor("gfx90a");
  ASSERT_TRUE(found);
  EXPECT_EQ(find_amd_processor(ELF::EF_AMDGPU_MACH_AMDGCN_GFX90A |
                               ELF::EF_AMDGPU_FEATURE_XNACK_ON_V4),
            found);
  EXPECT_TRUE(found->limits.unified_registers);
  EXPECT_FALSE(find_amd_processor("gfx90"));
  EXPECT_FALSE(find_amd_processor(0u)); // no processor's number
}

TEST(AmdProcessor, FeaturesAreThoseOfTheFlags) {
  EXPECT_EQ(amd_xnack(ELF::EF_AMDGPU_FEATURE_XNACK_ON_V4), AmdFeature::on);
  EXPECT_EQ(amd_xnack(ELF::EF_AMDGPU_FEATURE_XNACK_OFF_V4), AmdFeature::off);
  EXPECT_EQ(amd_xnack(ELF::EF_AMDGPU_FEATURE_XNACK_ANY_V4), AmdFeature::any);
  EXPECT_EQ(amd_sramecc(ELF::EF_AMDGPU_FEATURE_SRAMECC_ON_V4), AmdFeature::on);
  EXPECT_EQ(amd_sramecc(ELF::EF_AMDGPU_FEATURE_SRAMECC_OFF_V4),
            AmdFeature::off);
  EXPECT_EQ(amd_sramecc(ELF::EF_AMDGPU_FEATURE_XNACK_ON_V4),
            AmdFeature::unsupported);
}

#define SAME_OFFSET(OURS, LLVMS)                                               \
  static_assert(offsetof(AmdKernelDescriptor, OURS) ==                         \
                offsetof(hsa::kernel_descriptor_t, LLVMS))
static_assert(sizeof(AmdKernelDescriptor) == sizeof(hsa::kernel_descriptor_t));
SAME_OFFSET(group_segment_size, group_segment_fixed_size);
SAME_OFFSET(private_segment_size, private_segment_fixed_size);
SAME_OFFSET(kernarg_size, kernarg_size);
SAME_OFFSET(entry_offset, kernel_code_entry_byte_offset);
SAME_OFFSET(compute_pgm_rsrc3, compute_pgm_rsrc3);
SAME_OFFSET(compute_pgm_rsrc1, compute_pgm_rsrc1);
SAME_OFFSET(compute_pgm_rsrc2, compute_pgm_rsrc2);
SAME_OFFSET(kernel_code_properties, kernel_code_properties);
SAME_OFFSET(kernarg_preload, kernarg_preload);

#define SAME_BIT(OURS, LLVMS)                                                  \
  static_assert(uint32_t(OURS) == uint32_t(hsa::LLVMS))
SAME_BIT(AMD_PRIVATE_SEGMENT_BUFFER,
         KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER);
SAME_BIT(AMD_DISPATCH_PTR, KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR);
SAME_BIT(AMD_QUEUE_PTR, KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR);
SAME_BIT(AMD_KERNARG_SEGMENT_PTR,
         KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR);
SAME_BIT(AMD_DISPATCH_ID, KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_ID);
SAME_BIT(AMD_FLAT_SCRATCH_INIT,
         KERNEL_CODE_PROPERTY_ENABLE_SGPR_FLAT_SCRATCH_INIT);
SAME_BIT(AMD_PRIVATE_SEGMENT_SIZE,
         KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE);
SAME_BIT(AMD_WAVE32, KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32);
SAME_BIT(AMD_DYNAMIC_STACK, KERNEL_CODE_PROPERTY_USES_DYNAMIC_STACK);
SAME_BIT(AMD_WGP_MODE, COMPUTE_PGM_RSRC1_GFX10_PLUS_WGP_MODE);

} // namespace
