//===-- loader/device/device.cpp - Choosing a device ----------------------===//
// The images name the backend, so that nobody pays for a driver that cannot run
// them. AMD images go to the system's runtime when it has a GPU and to the
// emulator otherwise.
//===----------------------------------------------------------------------===//
#include "loader/device/device.h"
#include "loader/device/cuda/driver.h"
#include "loader/device/hsa/runtime.h"
#include "loader/device/isolated/device.h"
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

static constexpr Backend BACKENDS[] = {Backend::cuda, Backend::hsa,
                                       Backend::emulator};

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
  return failure(status::Failed, "only the emulated device can do that");
}

llvm::Expected<DeviceRequest> DeviceRequest::parse(llvm::StringRef text) {
  DeviceRequest request;
  request.text = text.str();
  if (text == "auto" || text.empty())
    return request;
  auto [name, number] = text.split(':');
  std::string known = "auto";
  for (Backend backend : BACKENDS) {
    if (name == to_string(backend))
      request.backend = backend;
    known += backend == std::end(BACKENDS)[-1] ? " or " : ", ";
    known += (to_string(backend) + "[:N]").str();
  }
  uint32_t index = 0;
  bool numbered = text.contains(':');
  if (!request.backend || (numbered && !llvm::to_integer(number, index, 10)))
    return failure(status::Failed, "no device '{0}': expected {1}", text,
                   known);
  if (numbered)
    request.index = index;
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

static bool any_runs_on(llvm::ArrayRef<Image> images, const DeviceInfo &info) {
  return llvm::any_of(images, [&](const Image &image) {
    return !llvm::errorToBool(image.runs_on(info.target_id));
  });
}

/// The first device that one of the images suits; when there is none, the first
/// one, so that the error says what it lacks. `describe` tells of device N.
static llvm::Expected<uint32_t> first_suitable(
    llvm::ArrayRef<Image> images, uint32_t count,
    llvm::function_ref<llvm::Expected<DeviceInfo>(uint32_t)> describe) {
  for (uint32_t index = 0; index < count; ++index) {
    llvm::Expected<DeviceInfo> info = describe(index);
    if (!info)
      return info.takeError();
    if (any_runs_on(images, *info))
      return index;
  }
  return 0;
}

static llvm::Expected<std::unique_ptr<Device>>
open_hsa(const std::shared_ptr<hsa::Runtime> &runtime,
         std::optional<uint32_t> index, llvm::ArrayRef<Image> images,
         const Image *&chosen) {
  if (!index) {
    llvm::Expected<std::vector<hsa_agent_t>> agents = runtime->gpu_agents();
    if (!agents)
      return agents.takeError();
    llvm::Expected<uint32_t> found =
        first_suitable(images, uint32_t(agents->size()), [&](uint32_t i) {
          return runtime->describe((*agents)[i], i);
        });
    if (!found)
      return found.takeError();
    index = *found;
  }
  llvm::Expected<std::unique_ptr<Device>> device =
      hsa::open_device(runtime, *index);
  if (!device)
    return device.takeError();
  if (llvm::Error error = choose_image(images, **device, chosen))
    return std::move(error);
  return device;
}

static llvm::Expected<std::unique_ptr<Device>>
open_hsa(const std::string &library, Backend backend,
         std::optional<uint32_t> index, llvm::ArrayRef<Image> images,
         const Image *&chosen, llvm::MutableArrayRef<std::byte> memory = {}) {
  llvm::Expected<std::shared_ptr<hsa::Runtime>> runtime =
      hsa::Runtime::open(library, backend, memory);
  if (!runtime && backend == Backend::hsa && !hsa::system_has_driver()) {
    llvm::consumeError(runtime.takeError()); // what that leads to
    return failure(status::Failed,
                   "no device hsa: this machine has no AMD GPU (no /dev/kfd)");
  }
  if (!runtime)
    return runtime.takeError();
  return open_hsa(*runtime, index, images, chosen);
}

/// The emulated device, in this process or in one of its own.
static llvm::Expected<std::unique_ptr<Device>>
open_emulator(std::optional<uint32_t> index, bool isolate,
              llvm::ArrayRef<Image> images, const Image *&chosen) {
  auto open = [&](llvm::MutableArrayRef<std::byte> memory,
                  const Image *&chosen) {
    return open_hsa(hsa::emulator_library(), Backend::emulator, index, images,
                    chosen, memory);
  };
  return isolate ? isolated::open_device(images, open, chosen)
                 : open({}, chosen);
}

static constexpr char SYSTEM_HSA[] = "libhsa-runtime64.so.1";

/// The system's runtime when it is there and has a GPU that can run an image,
/// else null: whatever is wrong with it, there is the emulator.
static std::shared_ptr<hsa::Runtime>
usable_system_runtime(llvm::ArrayRef<Image> images) {
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
  for (uint32_t index = 0; index < agents->size(); ++index) {
    llvm::Expected<DeviceInfo> info =
        (*runtime)->describe((*agents)[index], index);
    if (!info)
      llvm::consumeError(info.takeError());
    else if (any_runs_on(images, *info))
      return *runtime;
  }
  return nullptr;
}

static llvm::Expected<std::unique_ptr<Device>>
open_cuda(std::optional<uint32_t> index, bool asked_for, bool fault_report,
          llvm::ArrayRef<Image> images, const Image *&chosen) {
  std::unique_ptr<cuda::FaultReport> faults;
  if (fault_report)
    faults = std::make_unique<cuda::FaultReport>();
  llvm::Expected<cuda::Api> api = cuda::load_driver(cuda::SYSTEM_LIBRARY);
  if (!api) {
    std::string why = llvm::toString(api.takeError());
    llvm::StringRef known = why;
    known.consume_front("cuda: ");
    std::string reason = ("no device cuda: " + known).str();
    if (asked_for)
      return failure(status::Failed, "{0}", reason);
    return failure(status::Failed,
                   "{0}: only an NVIDIA GPU runs this, and there is {1}",
                   images.front().name(), reason);
  }
  if (!index) {
    int count = 0;
    if (llvm::Error error =
            api->check(api->cuDeviceGetCount(&count), "counting devices"))
      return std::move(error);
    llvm::Expected<uint32_t> found =
        first_suitable(images, uint32_t(count),
                       [&](uint32_t i) { return cuda::describe(*api, i); });
    if (!found)
      return found.takeError();
    index = *found;
  }
  llvm::Expected<std::unique_ptr<Device>> device =
      cuda::open_device(*api, *index, std::move(faults));
  if (!device)
    return device.takeError();
  if (llvm::Error error = choose_image(images, **device, chosen))
    return std::move(error);
  return device;
}

llvm::Expected<std::unique_ptr<Device>>
open_device(const DeviceRequest &request, bool fault_report, bool isolate,
            llvm::ArrayRef<Image> images, const Image *&chosen) {
  if (request.backend) {
    switch (*request.backend) {
    case Backend::cuda:
      return open_cuda(request.index, /*asked_for=*/true, fault_report, images,
                       chosen);
    case Backend::hsa:
      return open_hsa(SYSTEM_HSA, Backend::hsa, request.index, images, chosen);
    case Backend::emulator:
      return open_emulator(request.index, isolate, images, chosen);
    }
  }
  auto is_amd = [](const Image &image) {
    return image.format() == Image::Format::amdgpu;
  };
  bool amd = llvm::any_of(images, is_amd);
  if (!llvm::all_of(images, is_amd)) {
    llvm::Expected<std::unique_ptr<Device>> device = open_cuda(
        std::nullopt, /*asked_for=*/false, fault_report, images, chosen);
    if (device || !amd)
      return device;
    llvm::consumeError(device.takeError());
  }
  if (std::shared_ptr<hsa::Runtime> runtime = usable_system_runtime(images))
    return open_hsa(runtime, std::nullopt, images, chosen);
  return open_emulator(std::nullopt, isolate, images, chosen);
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
