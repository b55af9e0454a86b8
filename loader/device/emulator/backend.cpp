//===-- loader/device/emulator/backend.cpp - GPUs on the CPU --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuexec's own HSA runtime with its emulated AMD GPUs, in this process. Behind
// them comes one NVIDIA GPU: gpuexec's own CUDA driver runs PTX on them.
//===----------------------------------------------------------------------===//
#include "gpu/emulated_processors.h"
#include "loader/device/cuda/driver.h"
#include "loader/device/cuda/library.h"
#include "loader/device/hsa/runtime.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

namespace gpuexec::emulator {

static constexpr char CAPABILITY[] = "GPUEXEC_CUDA_CAPABILITY";

/// The architecture of the NVIDIA GPU where neither the user nor the image
/// names one.
static constexpr char USUAL_ARCH[] = "sm_90";

static llvm::Expected<std::shared_ptr<hsa::Runtime>>
open_runtime(llvm::MutableArrayRef<std::byte> memory = {}) {
  return hsa::Runtime::open(hsa::emulator_library(), hsa::Kind::emulated,
                            memory);
}

static std::string cuda_library() {
  llvm::SmallString<256> path(
      llvm::sys::path::parent_path(hsa::emulator_library()));
  llvm::sys::path::append(path, "cuda", "libcuda.so.1");
  return std::string(path);
}

static uint32_t amd_count() {
  return uint32_t(llvm::StringRef(gpu::EMULATED_PROCESSORS).count(',')) + 1;
}

/// The first image that the NVIDIA GPU can run; null: none.
static const Image *find_ptx(llvm::ArrayRef<Image> images) {
  const auto *found = llvm::find_if(images, [](const Image &image) {
    return image.format() == Image::Format::ptx;
  });
  return found == images.end() ? nullptr : found;
}

static bool any_nvidia(llvm::ArrayRef<Image> images) {
  return llvm::any_of(images, [](const Image &image) {
    return image.format() != Image::Format::amdgpu;
  });
}

/// Gives the NVIDIA GPU its architecture, as in "sm_90", unless the user has.
/// The driver reads the variable when it is opened.
static void set_arch(llvm::StringRef arch) {
  if (!arch.consume_front("sm_"))
    return;
  const llvm::StringRef digits = arch.take_while(llvm::isDigit);
  if (digits.size() < 2)
    return;
  const std::string capability =
      (digits.drop_back() + "." + digits.take_back()).str();
  ::setenv(CAPABILITY, capability.c_str(), /*overwrite=*/0);
}

static llvm::Expected<OpenedDevice> open_nvidia(const OpenRequest &request) {
  const Image *ptx = find_ptx(request.images);
  if (!ptx && !request.images.empty())
    return failure(Reason::not_runnable,
                   "{0}: an emulated NVIDIA GPU runs PTX (gpucc --emit-ptx), "
                   "and this is machine code",
                   request.images.front().name());
  if (!request.settings.memory.empty())
    return failure(Reason::failed,
                   "the emulated NVIDIA GPU runs in gpuexec's own process "
                   "only: not with --sandbox, --isolate and serve");
  set_arch(!request.arch.empty() ? request.arch
           : ptx                 ? ptx->arch()
                                 : USUAL_ARCH);
  llvm::Expected<cuda::Api> api = cuda::load_driver(cuda_library());
  if (!api)
    return failure(Reason::failed, "no emulated NVIDIA GPU: {0}",
                   llvm::toString(api.takeError()));
  api->is_emulated = true;
  api->others = amd_count();
  OpenRequest wanted = request;
  wanted.index = std::nullopt; // it is the only one
  if (ptx)
    wanted.images = *ptx;
  return open_suitable(
      wanted, 1, [&](uint32_t i) { return cuda::describe(*api, i); },
      [&](uint32_t i) { return cuda::open_device(*api, i); });
}

static Probe probe(llvm::ArrayRef<Image> images) {
  const bool suits = hsa::any_amd(images) || find_ptx(images);
  return {suits ? Probe::Suits::yes : Probe::Suits::no, nullptr};
}

static bool wants_nvidia(const OpenRequest &request) {
  if (request.index)
    return *request.index == amd_count();
  if (!request.arch.empty())
    return request.arch.starts_with("sm_");
  return !hsa::any_amd(request.images) && any_nvidia(request.images);
}

static llvm::Expected<OpenedDevice> open(const OpenRequest &request) {
  return wants_nvidia(request)
             ? open_nvidia(request)
             : hsa::open_device(open_runtime(request.settings.memory), request);
}

static void list(std::vector<DeviceInfo> &devices,
                 llvm::function_ref<void(llvm::Twine)> warn) {
  std::vector<DeviceInfo> ours;
  hsa::list_devices(open_runtime(), ours, warn);
  set_arch(USUAL_ARCH);
  cuda::list_devices(cuda_library(), ours, warn, /*emulated=*/true);
  devices.insert(devices.end(), std::make_move_iterator(ours.begin()),
                 std::make_move_iterator(ours.end()));
}

} // namespace gpuexec::emulator

std::string gpuexec::cuda::driver_library(const DeviceInfo &info) {
  if (llvm::StringRef(info.backend) == "cuda")
    return "libcuda.so.1";
  return info.emulated && info.arch().starts_with("sm_")
             ? emulator::cuda_library()
             : std::string();
}

namespace gpuexec::emulator {

/// Opens the emulator's library and has it decode what the images may run.
static void prepare_forks(llvm::ArrayRef<Image> images) {
  if (!hsa::any_amd(images))
    return;
  llvm::Expected<Library> library = Library::open(hsa::emulator_library());
  if (!library) // whoever opens the device reports it
    return llvm::consumeError(library.takeError());
  const auto decode_ahead =
      library->symbol<void (*)(const char *, int, const void *, size_t)>(
          "gpuexec_emulator_decode_ahead");
  if (!decode_ahead)
    return;
  for (const Image &image : images) {
    const std::string processor = image.arch().str();
    const bool wave32 = image.max_wave_size() == 32;
    auto decode = [&](llvm::StringRef code) {
      decode_ahead(processor.c_str(), wave32, code.data(), code.size());
    };
    for (const Kernel &kernel : image.kernels())
      decode(kernel.code);
    for (const DeviceFunction &function : image.functions())
      decode(function.code);
  }
}

const Backend backend = {hsa::backend_name(hsa::Kind::emulated), probe, open,
                         list, prepare_forks};

} // namespace gpuexec::emulator
