//===-- loader/info/disassembly.h - Which instructions an image uses ------===//
// Counts opcodes by function and sees which registers they name. AMDGPU code is
// disassembled with LLVM; PTX is text already. NVIDIA publishes no description
// of its machine code, so cubins tell nothing here.

#ifndef GPUEXEC_LOADER_INFO_DISASSEMBLY_H
#define GPUEXEC_LOADER_INFO_DISASSEMBLY_H

#include "loader/image/image.h"
#include <map>

namespace gpuexec::info {

struct FunctionCode {
  std::map<std::string, uint64_t>
      opcodes; ///< how often each stands in the code
  uint32_t vgprs = 0, agprs = 0,
           sgprs = 0;     ///< highest register named plus one; AMDGPU only
  uint64_t undecoded = 0; ///< bytes that are no instruction of the target
};

/// By function name, kernels too. Empty for cubins. Errors: LLVM was built
/// without the target.
llvm::Expected<std::map<std::string, FunctionCode>>
disassemble(const Image &image);

/// One list for the whole image.
std::map<std::string, uint64_t>
all_opcodes(const std::map<std::string, FunctionCode> &functions);

} // namespace gpuexec::info

#endif
