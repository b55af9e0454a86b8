//===-- emulator/hsa/executable.cpp - Loaded code objects -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/executable.h"
#include "emulator/hsa/runtime.h"

#include <algorithm>

namespace gpuexec::emulator {

Executable::Executable(Runtime &runtime, hsa_profile_t profile,
                       hsa_default_float_rounding_mode_t rounding)
    : profile(profile), rounding(rounding), runtime(runtime) {}

Executable::~Executable() = default;

hsa_status_t Executable::load(const Agent &agent,
                              std::shared_ptr<const CodeObjectBytes> bytes,
                              LoadedCodeObject **result) {
  std::lock_guard guard(lock);
  if (is_frozen)
    return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  bool incompatible = false;
  auto resolve = [&](llvm::StringRef name) -> uint64_t {
    for (const auto &symbol : all_symbols)
      if (!symbol->object && symbol->name == name &&
          (!symbol->agent || symbol->agent == &agent))
        return symbol->address;
    return 0;
  };
  auto image = amdgpu::LoadedImage::load(
      runtime.machine, agent.model->processor,
      llvm::StringRef(bytes->data, bytes->size), resolve, incompatible);
  if (!image) {
    runtime.machine.reports.add(llvm::toString(image.takeError()) + "\n");
    return incompatible ? HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS
                        : HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  }
  auto object = std::make_unique<LoadedCodeObject>(
      runtime, agent, std::move(bytes), std::move(*image));
  for (amdgpu::ImageSymbol &symbol : object->image->symbols) {
    auto kept = std::make_unique<ExecutableSymbol>(
        ExecutableSymbol{std::move(symbol), &agent, object.get()});
    if (kept->is_kernel)
      kernels[kept->address] = kept.get();
    all_symbols.push_back(std::move(kept));
  }
  object->image->symbols.clear();
  if (result)
    *result = object.get();
  loaded.push_back(std::move(object));
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Executable::freeze() {
  std::lock_guard guard(lock);
  if (is_frozen)
    return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  is_frozen = true;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Executable::define(const Agent *agent, const char *name,
                                void *address, bool constant) {
  std::lock_guard guard(lock);
  if (is_frozen)
    return HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
  for (const auto &symbol : all_symbols)
    if (symbol->name == name && symbol->agent == agent)
      return HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
  auto symbol = std::make_unique<ExecutableSymbol>();
  symbol->name = name;
  symbol->agent = agent;
  symbol->address = reinterpret_cast<uint64_t>(address);
  symbol->is_const = constant;
  all_symbols.push_back(std::move(symbol));
  return HSA_STATUS_SUCCESS;
}

const ExecutableSymbol *Executable::find(llvm::StringRef name,
                                         const Agent *agent) const {
  std::lock_guard guard(lock);
  for (const auto &symbol : all_symbols)
    if (symbol->name == name &&
        (!agent || !symbol->agent || symbol->agent == agent))
      return symbol.get();
  return nullptr;
}

std::vector<const ExecutableSymbol *> Executable::symbols() const {
  std::lock_guard guard(lock);
  std::vector<const ExecutableSymbol *> all;
  for (const auto &symbol : all_symbols)
    all.push_back(symbol.get());
  return all;
}

bool Executable::owns(const ExecutableSymbol *symbol) const {
  std::lock_guard guard(lock);
  return std::any_of(all_symbols.begin(), all_symbols.end(),
                     [&](const auto &own) { return own.get() == symbol; });
}

bool Executable::has_kernel(uint64_t descriptor) const {
  std::lock_guard guard(lock);
  return kernels.count(descriptor) != 0;
}

llvm::Expected<Executable::Ready> Executable::kernel(uint64_t descriptor) {
  std::lock_guard guard(lock);
  auto found = kernels.find(descriptor);
  if (found == kernels.end())
    return llvm::createStringError("no kernel is there");
  ExecutableSymbol *symbol = found->second;
  std::shared_ptr<KernelCode> &code = ready[descriptor];
  if (!code) {
    auto set = runtime.instruction_set(*symbol->agent);
    if (!set)
      return set.takeError();
    llvm::StringRef name = symbol->name;
    name.consume_back(".kd");
    auto loaded_kernel = (*set)->load(descriptor, name, runtime.machine.memory);
    if (!loaded_kernel)
      return loaded_kernel.takeError();
    code = std::move(*loaded_kernel);
  }
  return Ready{code, symbol->object->image->names, symbol};
}

} // namespace gpuexec::emulator
