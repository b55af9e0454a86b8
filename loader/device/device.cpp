//===-- loader/device/device.cpp - Choosing a device ----------------------===//
// The images name the backend, so that nobody pays for a driver that cannot run
// them. AMD images go to the system's runtime when it has a GPU and to the
// emulator otherwise.
//===----------------------------------------------------------------------===//
#include "loader/device/device.h"
#include "loader/device/cuda/driver.h"
#include "loader/device/hsa/runtime.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace gpuexec {

char Failure::ID;
char DeviceFault::ID;

llvm::StringRef to_string(Backend backend) {
  switch (backend) {
  case Backend::cuda:
    return "cuda";
  case Backend::hsa:
    return "hsa";
  case Backend::emulator:
    return "emulator";
  }
  return "";
}

std::string DeviceInfo::spec() const {
  if (backend == Backend::emulator && index == 0)
    return "emulator";
  return llvm::formatv("{0}:{1}", to_string(backend), index).str();
}

uint64_t DeviceInfo::resident_waves() const {
  return std::max<uint64_t>(1, uint64_t(units) * waves_per_unit);
}

static uint64_t saturating_product(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t Grid::threads_per_block() const {
  return saturating_product(uint64_t(threads[0]) * threads[1], threads[2]);
}

uint64_t Grid::block_count() const {
  return saturating_product(uint64_t(blocks[0]) * blocks[1], blocks[2]);
}

uint64_t Grid::waves(uint32_t wave_size) const {
  uint64_t per_block = threads_per_block();
  return saturating_product(
      per_block / wave_size + (per_block % wave_size != 0), block_count());
}

llvm::Error Device::set_option(llvm::StringRef name, llvm::StringRef value) {
  return failure(status::Failed, "--{0}: only the emulated device can do that",
                 name);
}

llvm::Expected<DeviceRequest> DeviceRequest::parse(llvm::StringRef text) {
  DeviceRequest request;
  request.text = text.str();
  auto [name, index] = text.split(':');
  if (text == "auto" || text.empty())
    return request;
  if (name == "cuda")
    request.backend = Backend::cuda;
  else if (name == "hsa")
    request.backend = Backend::hsa;
  else if (text == "emulator")
    request.backend = Backend::emulator;
  if (!request.backend ||
      (text.contains(':') && !llvm::to_integer(index, request.index, 10)))
    return failure(status::Failed,
                   "no device '{0}': expected auto, cuda[:N], hsa[:N] or "
                   "emulator",
                   text);
  return request;
}

/// The image for a device that is open, or why there is none.
static llvm::Error choose_image(llvm::ArrayRef<Image> images,
                                const Device &device, const Image *&chosen) {
  const DeviceInfo &info = device.info();
  if (images.size() == 1) {
    if (llvm::Error error = images.front().runs_on(info.target_id))
      return error;
    chosen = &images.front();
    return llvm::Error::success();
  }
  llvm::Expected<const Image *> image = Image::choose(images, info.target_id);
  if (!image)
    return image.takeError();
  chosen = *image;
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<Device>>
open_hsa(const std::string &library, Backend backend, uint32_t index) {
  llvm::Expected<std::shared_ptr<hsa::Runtime>> runtime =
      hsa::Runtime::open(library, backend);
  if (!runtime)
    return runtime.takeError();
  return hsa::open_device(*runtime, index);
}

static constexpr char SYSTEM_HSA[] = "libhsa-runtime64.so.1";

/// The system's runtime when it is there and has a GPU, else null.
static std::shared_ptr<hsa::Runtime> usable_system_runtime() {
  if (!hsa::system_has_driver())
    return nullptr;
  llvm::Expected<std::shared_ptr<hsa::Runtime>> runtime =
      hsa::Runtime::open(SYSTEM_HSA, Backend::hsa);
  if (!runtime) {
    llvm::consumeError(runtime.takeError());
    return nullptr;
  }
  llvm::Expected<std::vector<hsa_agent_t>> agents = (*runtime)->gpu_agents();
  if (!agents) {
    llvm::consumeError(agents.takeError());
    return nullptr;
  }
  return agents->empty() ? nullptr : *runtime;
}

/// AMD images, no device named: every GPU of the system in turn, then the
/// emulator.
static llvm::Expected<std::unique_ptr<Device>>
open_any_hsa(llvm::ArrayRef<Image> images, const Image *&chosen) {
  if (std::shared_ptr<hsa::Runtime> runtime = usable_system_runtime()) {
    llvm::Expected<std::vector<hsa_agent_t>> agents = runtime->gpu_agents();
    if (!agents)
      return agents.takeError();
    for (uint32_t index = 0; index < agents->size(); ++index) {
      llvm::Expected<DeviceInfo> info =
          runtime->describe((*agents)[index], index);
      if (!info)
        return info.takeError();
      bool suits = llvm::any_of(images, [&](const Image &image) {
        return !llvm::errorToBool(image.runs_on(info->target_id));
      });
      if (!suits)
        continue;
      llvm::Expected<std::unique_ptr<Device>> device =
          hsa::open_device(runtime, index);
      if (!device)
        return device.takeError();
      if (llvm::Error error = choose_image(images, **device, chosen))
        return std::move(error);
      return device;
    }
  }
  llvm::Expected<std::unique_ptr<Device>> device =
      open_hsa(hsa::emulator_library(), Backend::emulator, 0);
  if (!device)
    return device.takeError();
  if (llvm::Error error = choose_image(images, **device, chosen))
    return std::move(error);
  return device;
}

llvm::Expected<std::unique_ptr<Device>>
open_device(const DeviceRequest &request, llvm::ArrayRef<Image> images,
            const Image *&chosen) {
  auto is_amd = [](const Image &image) {
    return image.format() == Image::Format::amdgpu;
  };
  std::optional<Backend> backend = request.backend;
  if (!backend) {
    bool amd = llvm::any_of(images, is_amd);
    bool nvidia = !llvm::all_of(images, is_amd);
    if (nvidia) {
      llvm::Expected<std::unique_ptr<Device>> device =
          cuda::open_device(cuda::SYSTEM_LIBRARY, 0);
      if (device) {
        if (llvm::Error error = choose_image(images, **device, chosen))
          return std::move(error);
        return device;
      }
      if (!amd)
        return device.takeError();
      llvm::consumeError(device.takeError());
    }
    return open_any_hsa(images, chosen);
  }

  llvm::Expected<std::unique_ptr<Device>> device =
      *backend == Backend::cuda
          ? cuda::open_device(cuda::SYSTEM_LIBRARY, request.index)
      : *backend == Backend::hsa
          ? open_hsa(SYSTEM_HSA, Backend::hsa, request.index)
          : open_hsa(hsa::emulator_library(), Backend::emulator, request.index);
  if (!device)
    return device.takeError();
  if (llvm::Error error = choose_image(images, **device, chosen))
    return std::move(error);
  return device;
}

static void list_hsa(const std::string &library, Backend backend,
                     std::vector<DeviceInfo> &devices,
                     llvm::function_ref<void(llvm::Twine)> warn) {
  llvm::Expected<std::shared_ptr<hsa::Runtime>> runtime =
      hsa::Runtime::open(library, backend);
  if (!runtime)
    return warn(llvm::toString(runtime.takeError()));
  llvm::Expected<std::vector<hsa_agent_t>> agents = (*runtime)->gpu_agents();
  if (!agents)
    return warn(llvm::toString(agents.takeError()));
  for (uint32_t index = 0; index < agents->size(); ++index) {
    llvm::Expected<DeviceInfo> info =
        (*runtime)->describe((*agents)[index], index);
    if (info)
      devices.push_back(std::move(*info));
    else
      warn(llvm::toString(info.takeError()));
  }
}

std::vector<DeviceInfo>
list_devices(llvm::function_ref<void(llvm::Twine)> warn) {
  std::vector<DeviceInfo> devices;
  cuda::list_devices(cuda::SYSTEM_LIBRARY, devices, warn);
  if (hsa::system_has_driver())
    list_hsa(SYSTEM_HSA, Backend::hsa, devices, warn);
  list_hsa(hsa::emulator_library(), Backend::emulator, devices, warn);
  return devices;
}

} // namespace gpuexec
