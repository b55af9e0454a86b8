//===-- loader/program/contract.cpp - Which start-up contract an image has ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/program/contract.h"
#include "gpu/start_up.h"
#include "loader/program/arguments.h"
#include "support/failure.h"
#include "llvm/Support/MathExtras.h"

namespace gpuexec {

std::vector<const Kernel *> Contract::launches() const {
  std::vector<const Kernel *> list;
  for (const Kernel *kernel : {init, begin, start, gcc_main})
    if (kernel)
      list.push_back(kernel);
  list.insert(list.end(), named.begin(), named.end());
  for (const Kernel *kernel : {end, fini})
    if (kernel)
      list.push_back(kernel);
  return list;
}

static llvm::Error check_visible(const Image &image, const Kernel &kernel) {
  if (kernel.visible)
    return llvm::Error::success();
  return failure(Reason::not_runnable,
                 "{0}: kernel '{1}' is hidden or local, where the loader must "
                 "find its symbol '{2}': make it protected",
                 image.name(), kernel.name, kernel.symbol);
}

static llvm::Error check_size(const Image &image, const Kernel *kernel,
                              uint64_t expected) {
  if (!kernel)
    return llvm::Error::success();
  if (llvm::Error error = check_visible(image, *kernel))
    return error;
  if (kernel->arguments_size == expected)
    return llvm::Error::success();
  return failure(Reason::not_runnable,
                 "{0}: kernel '{1}' takes {2} bytes of arguments where a "
                 "start-up file's takes {3}",
                 image.name(), kernel->name, kernel->arguments_size, expected);
}

/// " (it has _begin, _start, _end)", for a user who has misspelt a name.
static std::string known_kernels(const Image &image) {
  constexpr size_t MOST = 8;
  llvm::ArrayRef<Kernel> kernels = image.kernels();
  if (kernels.empty())
    return " (it has none)";
  std::string text = " (it has ";
  for (size_t i = 0; i < kernels.size() && i < MOST; ++i)
    text += (i ? ", " : "") + kernels[i].name;
  return text + (kernels.size() > MOST ? ", ...)" : ")");
}

static llvm::Expected<std::vector<const Kernel *>>
find_named(const Image &image, llvm::ArrayRef<std::string> names) {
  std::vector<const Kernel *> found;
  for (const std::string &name : names) {
    const Kernel *kernel = image.find_kernel(name);
    if (!kernel)
      return failure(Reason::not_runnable, "{0}: no kernel '{1}'{2}",
                     image.name(), name, known_kernels(image));
    if (llvm::Error error = check_visible(image, *kernel))
      return std::move(error);
    if (kernel->arguments_size)
      return failure(Reason::not_runnable,
                     "{0}: kernel '{1}' takes {2} bytes of arguments: only "
                     "kernels without any can be named",
                     image.name(), name, kernel->arguments_size);
    found.push_back(kernel);
  }
  return std::move(found);
}

/// Whether the loader must launch the kernels that run the constructors. Images
/// of LLVM 23, which need that, are recognised by the size of their mailbox's
/// client; an image without a mailbox is taken for LLVM 22's.
static bool runtime_constructs(const Image &image, Constructors wanted) {
  if (wanted != Constructors::automatic)
    return wanted == Constructors::by_runtime;
  constexpr uint64_t CLIENT_SIZE_23 = 2096;
  std::optional<RpcClient> client = image.rpc_client();
  return client && client->size == CLIENT_SIZE_23;
}

/// Finds the kernels of an image that GCC made. False if it is another image.
static llvm::Expected<bool> find_gcc_kernels(const Image &image,
                                             Contract &contract) {
  constexpr uint64_t NVPTX_SIZE = 24;
  if (image.format() != Image::Format::amdgpu) {
    contract.gcc_main = image.find_kernel("__main");
    if (llvm::Error error = check_size(image, contract.gcc_main, NVPTX_SIZE))
      return std::move(error);
    return contract.gcc_main != nullptr;
  }
  if (!image.producer().starts_with("GCC:"))
    return false;
  contract.init = image.find_kernel("_init_array");
  contract.gcc_main = image.find_kernel("main");
  contract.fini = image.find_kernel("_fini_array");
  for (const Kernel *kernel : contract.launches())
    if (llvm::Error error = check_visible(image, *kernel))
      return std::move(error);
  return contract.gcc_main != nullptr;
}

llvm::Expected<Contract> find_contract(const Image &image,
                                       Constructors constructors,
                                       llvm::ArrayRef<std::string> kernels) {
  Contract contract;
  contract.begin = image.find_kernel(GPUEXEC_BEGIN_KERNEL);
  contract.end = image.find_kernel(GPUEXEC_END_KERNEL);
  if (kernels.empty()) {
    contract.start = image.find_kernel(GPUEXEC_START_KERNEL);
    if (!contract.start) {
      llvm::Expected<bool> gcc = find_gcc_kernels(image, contract);
      if (!gcc)
        return gcc.takeError();
      if (*gcc)
        return std::move(contract);
    }
    if (!contract.start)
      return failure(Reason::not_runnable,
                     "{0}: no kernel '_start': not linked with start-up code",
                     image.name());
  } else {
    llvm::Expected<std::vector<const Kernel *>> named =
        find_named(image, kernels);
    if (!named)
      return named.takeError();
    contract.named = std::move(*named);
  }
  if (llvm::Error error =
          check_size(image, contract.begin, StartArguments::BEGIN_SIZE))
    return std::move(error);
  if (llvm::Error error =
          check_size(image, contract.start, StartArguments::START_SIZE))
    return std::move(error);
  contract.end_takes_status =
      contract.end && contract.end->arguments_size == sizeof(int32_t);
  if (llvm::Error error = check_size(
          image, contract.end, contract.end_takes_status ? sizeof(int32_t) : 0))
    return std::move(error);

  if (runtime_constructs(image, constructors)) {
    bool amd = image.format() == Image::Format::amdgpu;
    contract.init =
        image.find_kernel(amd ? "amdgcn.device.init" : "nvptx$device$init");
    contract.fini =
        image.find_kernel(amd ? "amdgcn.device.fini" : "nvptx$device$fini");
    for (const Kernel *kernel : {contract.init, contract.fini})
      if (llvm::Error error = check_size(image, kernel, 0))
        return std::move(error);
  }
  return std::move(contract);
}

llvm::Expected<Grid> grid_for(const Image &image, const Grid &wanted) {
  if (!image.find_global(GPUEXEC_THREADS_ARE_BLOCKS))
    return wanted;
  Grid grid;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const uint64_t blocks =
        uint64_t(wanted.blocks[axis]) * wanted.threads[axis];
    if (blocks > UINT32_MAX)
      return failure(Reason::failed,
                     "--blocks-{0}: {1} blocks of {2} threads exceed what one "
                     "launch can count",
                     "xyz"[axis], wanted.blocks[axis], wanted.threads[axis]);
    grid.blocks[axis] = uint32_t(blocks);
  }
  return grid;
}

} // namespace gpuexec
