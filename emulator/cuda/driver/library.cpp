//===-- emulator/cuda/driver/library.cpp - See library.h ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/library.h"

namespace gpuexec::cuda {

CUresult Library::module(Context &context, std::shared_ptr<Module> &module,
                         std::string &log) {
  std::lock_guard guard(mutex);
  std::shared_ptr<Module> &known = modules[context.id];
  if (!known) {
    auto made = std::make_shared<Module>(context.hsa, settings,
                                         context.services, source);
    if (CUresult error = made->prepare(log)) {
      modules.erase(context.id);
      return error;
    }
    made->context = &context;
    known = std::move(made);
  }
  module = known;
  return CUDA_SUCCESS;
}

CUresult Library::kernel(Context &context, const std::string &name,
                         std::shared_ptr<LibraryKernel> &kernel) {
  std::shared_ptr<Module> loaded;
  std::shared_ptr<Function> function;
  std::string log;
  if (CUresult error = module(context, loaded, log))
    return error;
  if (CUresult error = loaded->function(name, function))
    return error;
  std::lock_guard guard(mutex);
  std::shared_ptr<LibraryKernel> &known = kernels[name];
  if (!known)
    known = std::make_shared<LibraryKernel>(LibraryKernel{this, name});
  kernel = known;
  return CUDA_SUCCESS;
}

std::vector<std::shared_ptr<Module>> Library::take_modules() {
  std::lock_guard guard(mutex);
  std::vector<std::shared_ptr<Module>> all;
  for (auto &[context, module] : modules)
    all.push_back(std::move(module));
  modules.clear();
  return all;
}

} // namespace gpuexec::cuda
