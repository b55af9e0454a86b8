//===-- emulator/hsa/code_object.cpp - Code objects -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/code_object.h"
#include "emulator/hsa/runtime.h"

#include <cinttypes>
#include <unistd.h>

namespace gpuexec::emulator {

LoadedCodeObject::LoadedCodeObject(Runtime &runtime, const Agent &agent,
                                   std::shared_ptr<const CodeObjectBytes> bytes,
                                   std::unique_ptr<amdgpu::LoadedImage> image)
    : agent(agent), bytes(std::move(bytes)), image(std::move(image)),
      runtime(runtime) {}

LoadedCodeObject::~LoadedCodeObject() {
  auto set = runtime.instruction_set(agent);
  if (set)
    (*set)->forget(image->base, image->base + image->size);
  else
    llvm::consumeError(set.takeError());
}

std::string LoadedCodeObject::uri() const {
  if (!bytes->uri.empty())
    return bytes->uri;
  char text[96];
  snprintf(text, sizeof(text), "memory://%d#offset=0x%" PRIx64 "&size=%zu",
           int(getpid()), uint64_t(reinterpret_cast<uintptr_t>(bytes->data)),
           bytes->size);
  return text;
}

} // namespace gpuexec::emulator
