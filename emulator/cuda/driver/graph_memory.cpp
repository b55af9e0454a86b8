//===-- emulator/cuda/driver/graph_memory.cpp - See graph_memory.h --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/graph_memory.h"

namespace gpuexec::cuda {

GraphMemory::~GraphMemory() {
  // Its context may be gone, and the address another allocation's.
  const auto range = memory.find(begin);
  if (!is_in_use && range && range->id == id)
    memory.free(begin, MemoryUse::device);
}

CUresult GraphMemories::allocate(Memory &memory, size_t size,
                                 const void *context,
                                 std::shared_ptr<GraphMemory> &made) {
  void *address = nullptr;
  if (CUresult error =
          memory.allocate(size, MemoryUse::device, 0, context, &address, pool);
      error != CUDA_SUCCESS)
    return error;
  const auto range = memory.find(reinterpret_cast<uint64_t>(address));
  if (!range) // another thread has destroyed the context
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  made = std::make_shared<GraphMemory>(memory, *range);
  std::lock_guard guard(mutex);
  all[range->begin] = made;
  return CUDA_SUCCESS;
}

bool GraphMemories::give_back(uint64_t address) {
  std::shared_ptr<GraphMemory> found;
  std::lock_guard guard(mutex);
  auto at = all.find(address);
  if (at == all.end())
    return false;
  found = at->second.lock();
  if (!found) { // no graph has it any more: it is as other memory is
    all.erase(at);
    return false;
  }
  found->set_in_use(false);
  return true;
}

} // namespace gpuexec::cuda
