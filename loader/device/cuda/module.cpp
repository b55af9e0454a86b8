//===-- loader/device/cuda/module.cpp - A program on an NVIDIA GPU --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/device.h"
#include "support/run_again.h"
#include <cstdlib>

namespace gpuexec::cuda {

/// Bytes for the messages of the driver's compiler about invalid PTX.
static constexpr size_t LOG_SIZE = 16 * 1024;

CudaModule::~CudaModule() {
  if (module && !device.broken)
    device.api.cuModuleUnload(module);
}

/// Joins the log's lines, because an error is one line.
static std::string joined(llvm::StringRef log) {
  std::string text;
  llvm::SmallVector<llvm::StringRef> lines;
  log.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (line.empty())
      continue;
    text += text.empty() ? "" : "; ";
    text += line;
  }
  return text;
}

namespace {

/// How much the driver's compiler optimises PTX: 0 to 4, as it chooses
/// otherwise.
constexpr char LEVEL[] = "GPUEXEC_PTX_LEVEL";

/// The level that the user has chosen; nullopt: none.
llvm::Expected<std::optional<unsigned>> chosen_level() {
  const char *text = ::getenv(LEVEL);
  if (!text || !*text)
    return std::nullopt;
  unsigned level = 0;
  if (llvm::StringRef(text).getAsInteger(10, level) || level > 4)
    return failure(Reason::failed, "{0}: '{1}' is no level from 0 to 4",
                   LEVEL, text);
  return level;
}

/// The compiler of driver 580 crashes for some programs in which functions call
/// one another through pointers (OpenMP, handlers of signals); without
/// optimisation it does not.
class CrashGuard {
public:
  explicit CrashGuard(bool is_needed) : is_set(is_needed) {
    if (is_set && gpuexec_run_again_on_crash)
      gpuexec_run_again_on_crash(
          "GPUEXEC_PTX_LEVEL=0",
          "the driver crashed while it compiled PTX; again without "
          "optimisation (machine code needs no such compiler: install ptxas, "
          "of NVIDIA's CUDA toolkit, and link again)");
  }
  CrashGuard(const CrashGuard &) = delete;
  ~CrashGuard() {
    if (is_set && gpuexec_run_again_on_crash)
      gpuexec_run_again_on_crash(nullptr, nullptr);
  }

private:
  const bool is_set;
};

} // namespace

/// Links PTX of several modules, each of which ends with a zero byte.
CUresult CudaModule::link(llvm::MutableArrayRef<CUjit_option> names,
                          llvm::MutableArrayRef<void *> values) {
  const Api &api = device.api;
  if (!api.cuLinkCreate_v2 || !api.cuLinkAddData_v2 || !api.cuLinkComplete ||
      !api.cuLinkDestroy)
    return CUDA_ERROR_NOT_SUPPORTED;
  CUlinkState state = nullptr;
  CUresult result = api.cuLinkCreate_v2(unsigned(names.size()), names.data(),
                                        values.data(), &state);
  if (result != CUDA_SUCCESS)
    return result;
  llvm::SmallVector<llvm::StringRef> modules;
  image.bytes().split(modules, '\0', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef text : modules)
    if (result == CUDA_SUCCESS && !text.trim().empty())
      result = api.cuLinkAddData_v2(
          state, CU_JIT_INPUT_PTX, const_cast<char *>(text.data()),
          text.size() + 1, image.name().str().c_str(), 0, nullptr, nullptr);
  void *cubin = nullptr; // the state's
  size_t size = 0;
  if (result == CUDA_SUCCESS)
    result = api.cuLinkComplete(state, &cubin, &size);
  if (result == CUDA_SUCCESS)
    result = api.cuModuleLoadDataEx(&module, cubin, 0, nullptr, nullptr);
  api.cuLinkDestroy(state);
  return result;
}

llvm::Error CudaModule::load() {
  std::string log(LOG_SIZE, '\0');
  llvm::SmallVector<CUjit_option, 3> names = {
      CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // The API takes sizes as if they were pointers.
  llvm::SmallVector<void *, 3> values = {
      log.data(), reinterpret_cast<void *>(log.size() - 1)};
  llvm::Expected<std::optional<unsigned>> level = chosen_level();
  if (!level)
    return level.takeError();
  if (*level) {
    names.push_back(CU_JIT_OPTIMIZATION_LEVEL);
    values.push_back(reinterpret_cast<void *>(uintptr_t(**level)));
  }
  const CrashGuard guard(image.format() == Image::Format::ptx && !*level);
  CUresult result = device.api.retry_while_out_of_memory([&] {
    values[1] = reinterpret_cast<void *>(log.size() - 1); // it writes its size
    return image.module_count() > 1
               ? link(names, values)
               : device.api.cuModuleLoadDataEx(&module, image.bytes().data(),
                                               unsigned(names.size()),
                                               names.data(), values.data());
  });
  if (result == CUDA_SUCCESS)
    return llvm::Error::success();
  std::string details = joined(log.c_str());
  return failure(device.reason_of_image(result),
                 "{0}: {1} cannot load it: {2}{3}{4}", image.name(),
                 device.facts.spec(), device.api.describe(result),
                 details.empty() ? "" : ": ", details);
}

llvm::Expected<std::optional<DeviceAddress>>
CudaModule::find_global(llvm::StringRef name) {
  CUdeviceptr address = 0;
  size_t size = 0;
  CUresult result = device.api.cuModuleGetGlobal_v2(&address, &size, module,
                                                    name.str().c_str());
  if (result == CUDA_ERROR_NOT_FOUND)
    return std::nullopt;
  if (llvm::Error error = device.api.check(result, "address of a variable"))
    return std::move(error);
  return DeviceAddress(address);
}

llvm::Expected<CUfunction> CudaModule::function(const Kernel &kernel) {
  CUfunction found = nullptr;
  CUresult result =
      device.api.cuModuleGetFunction(&found, module, kernel.symbol.c_str());
  if (result != CUDA_SUCCESS)
    return failure(device.reason_of_image(result), "{0}: kernel '{1}': {2}",
                   image.name(), kernel.name, device.api.describe(result));
  return found;
}

Resources CudaModule::resources(const Kernel &kernel) {
  Resources known = kernel.resources;
  llvm::Expected<CUfunction> found = function(kernel);
  if (!found) {
    llvm::consumeError(found.takeError());
    return known;
  }
  int value = 0;
  if (device.api.cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS,
                                    *found) == CUDA_SUCCESS)
    known.vgprs = uint32_t(value);
  if (device.api.cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                    *found) == CUDA_SUCCESS)
    known.private_size = uint64_t(value);
  return known;
}

/// Called for all kernels before the first one is launched, because the driver
/// must not load code while kernels run: it would wait for them, and they may
/// wait for something that this process does through the driver.
llvm::Expected<ReadyKernel> CudaModule::prepare(const KernelLaunch &launch) {
  const Kernel &kernel = *launch.kernel;
  llvm::Expected<CUfunction> found = function(kernel);
  if (!found)
    return found.takeError();
  const Api &api = device.api;
  int most = 0, stack = 0;
  if (api.cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                             *found) == CUDA_SUCCESS &&
      most > 0 && launch.grid.threads_per_block() > uint64_t(most))
    return failure(Reason::failed,
                   "--threads: kernel '{0}' can have at most {1} threads in a "
                   "block on this device, not {2}",
                   kernel.name, most, launch.grid.threads_per_block());
  if (launch.arguments.size() != kernel.arguments_size)
    return failure(Reason::not_runnable,
                   "kernel '{0}' takes {1} bytes of arguments, not {2}",
                   kernel.name, kernel.arguments_size, launch.arguments.size());
  const bool is_known =
      api.cuFuncGetAttribute(&stack, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                             *found) == CUDA_SUCCESS;
  return ReadyKernel{*found, !is_known || uint64_t(stack) > device.stack};
}

} // namespace gpuexec::cuda
