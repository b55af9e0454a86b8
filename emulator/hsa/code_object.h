//===-- emulator/hsa/code_object.h - Code objects ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_HSA_CODE_OBJECT_H
#define GPUEXEC_EMULATOR_HSA_CODE_OBJECT_H

#include "emulator/amdgpu/image/image.h"
#include "emulator/hsa/agent.h"

#include <hsa/hsa.h>
#include <hsa/hsa_ven_amd_loader.h>

#include <memory>
#include <string>
#include <vector>

namespace gpuexec::emulator {

class Runtime;

/// A code object's bytes. A reader has them, and the executables into which it
/// was loaded.
struct CodeObjectBytes {
  /// A copy, of a file or of what hsa_code_object_deserialize got; or empty.
  std::vector<char> owned;
  /// The bytes: those of `owned`, or the client's, which must stay in place
  /// until the reader is destroyed.
  const char *data = nullptr;
  size_t size = 0;
  std::string uri;
  hsa_ven_amd_loader_code_object_storage_type_t storage =
      HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
};

/// A code object that an executable has loaded on an agent.
class LoadedCodeObject {
public:
  LoadedCodeObject(Runtime &runtime, const Agent &agent,
                   std::shared_ptr<const CodeObjectBytes> bytes,
                   std::unique_ptr<amdgpu::LoadedImage> image);
  ~LoadedCodeObject();

  const Agent &agent;
  const std::shared_ptr<const CodeObjectBytes> bytes;
  const std::unique_ptr<amdgpu::LoadedImage> image;
  std::string uri() const;
  hsa_loaded_code_object_t handle() const {
    return {reinterpret_cast<uint64_t>(this)};
  }

private:
  Runtime &runtime;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_CODE_OBJECT_H
