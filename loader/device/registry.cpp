//===-- loader/device/registry.cpp - Choosing a device --------------------===//
// The only file that knows all back ends, through the table backends.def.
//===----------------------------------------------------------------------===//
#include "loader/device/backend.h"
#include "loader/device/lent/client.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuexec {

llvm::ArrayRef<const Backend *> backends() {
  static constexpr const Backend *ALL[] = {
#define BACKEND(FOLDER) &FOLDER::backend,
#include "loader/device/backends.def"
#undef BACKEND
  };
  return ALL;
}

llvm::Expected<DeviceRequest> DeviceRequest::parse(llvm::StringRef text) {
  DeviceRequest request;
  request.text = text.str();
  if (text == "auto" || text.empty())
    return request;
  auto [name, number] = text.split(':');
  std::string known = "auto";
  for (const Backend *backend : backends()) {
    if (name == backend->name)
      request.backend = backend;
    known += backend == backends().back() ? " or " : ", ";
    known += backend->name + std::string("[:N]");
  }
  uint32_t index = 0;
  bool numbered = text.contains(':');
  if (!request.backend || (numbered && !llvm::to_integer(number, index, 10)))
    return failure(Reason::failed, "no device '{0}': expected {1}", text,
                   known);
  if (numbered)
    request.index = index;
  return request;
}

bool DeviceRequest::matches(const DeviceInfo &info) const {
  return (!backend || llvm::StringRef(backend->name) == info.backend) &&
         (!index || *index == info.index);
}

bool any_runs_on(llvm::ArrayRef<Image> images, const DeviceInfo &info) {
  return llvm::any_of(images, [&](const Image &image) {
    return !llvm::errorToBool(image.runs_on(info.target_id));
  });
}

llvm::Expected<const Image *> choose_image(llvm::ArrayRef<Image> images,
                                           const DeviceInfo &info) {
  if (images.size() != 1)
    return Image::choose(images, info.target_id);
  if (llvm::Error error = images.front().runs_on(info.target_id))
    return std::move(error);
  return &images.front();
}

llvm::Expected<OpenedDevice> open_suitable(
    const OpenRequest &request, uint32_t count,
    llvm::function_ref<llvm::Expected<DeviceInfo>(uint32_t)> describe,
    llvm::function_ref<llvm::Expected<std::unique_ptr<Device>>(uint32_t)>
        open) {
  uint32_t index = request.index.value_or(0);
  for (uint32_t other = 0; !request.index && other < count; ++other) {
    llvm::Expected<DeviceInfo> info = describe(other);
    if (!info)
      return info.takeError();
    if (any_runs_on(request.images, *info)) {
      index = other;
      break;
    }
  }
  llvm::Expected<std::unique_ptr<Device>> device = open(index);
  if (!device)
    return device.takeError();
  if (request.images.empty())
    return OpenedDevice{std::move(*device), nullptr};
  llvm::Expected<const Image *> image =
      choose_image(request.images, (*device)->info());
  if (!image)
    return image.takeError();
  return OpenedDevice{std::move(*device), *image};
}

llvm::Expected<std::unique_ptr<Device>>
open_device(const DeviceRequest &request, const OpenSettings &settings) {
  llvm::Expected<OpenedDevice> opened =
      request.backend->open({{}, request.index, /*named=*/true, settings});
  if (!opened)
    return opened.takeError();
  return std::move(opened->device);
}

static llvm::Expected<OpenedDevice> open_best(const DeviceRequest &request,
                                              const OpenSettings &settings,
                                              llvm::ArrayRef<Image> images) {
  OpenRequest wanted{images, request.index, request.backend != nullptr,
                     settings};
  if (settings.server != "off" && !settings.must_isolate) {
    llvm::Expected<std::optional<OpenedDevice>> lent =
        lent::borrow_device(request, settings, images);
    if (!lent)
      return lent.takeError();
    if (*lent)
      return std::move(**lent);
  }
  if (request.backend)
    return request.backend->open(wanted);
  std::optional<llvm::Expected<OpenedDevice>> last;
  for (const Backend *backend : backends()) {
    Probe probe = backend->probe(images);
    if (probe.suits == Probe::Suits::no)
      continue;
    if (last)
      llvm::consumeError(last->takeError());
    last.emplace(backend->open(wanted));
    if (*last || probe.suits == Probe::Suits::yes)
      return std::move(*last);
  }
  if (last)
    return std::move(*last);
  return failure(Reason::not_runnable, "{0}: no back end runs {1}",
                 images.front().name(), images.front().format_name());
}

llvm::Expected<OpenedDevice> open_device(const DeviceRequest &request,
                                         const OpenSettings &settings,
                                         llvm::ArrayRef<Image> images) {
  llvm::Expected<OpenedDevice> opened = open_best(request, settings, images);
  if (opened && settings.must_isolate && !opened->device->info().emulated)
    return failure(Reason::failed,
                   "--isolate: only the emulated device can do that");
  return opened;
}

std::vector<DeviceInfo>
list_devices(llvm::function_ref<void(llvm::Twine)> warn) {
  std::vector<DeviceInfo> devices;
  for (const Backend *backend : backends())
    backend->list(devices, warn);
  return devices;
}

} // namespace gpuexec
