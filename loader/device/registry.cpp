//===-- loader/device/registry.cpp - Choosing a device --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only file that knows all back ends, through the table backends.def.
//===----------------------------------------------------------------------===//
#include "loader/device/backend.h"
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
  const bool suffixed = text.contains(':');
  const bool is_arch =
      suffixed && (number.starts_with("gfx") || number.starts_with("sm_"));
  if (!request.backend ||
      (suffixed && !is_arch && !llvm::to_integer(number, index, 10)))
    return failure(Reason::failed,
                   "no device '{0}': expected {1} (N: a number or an "
                   "architecture such as gfx1100)",
                   text, known);
  if (is_arch)
    request.arch = number.str();
  else if (suffixed)
    request.index = index;
  return request;
}

bool DeviceRequest::matches(const DeviceInfo &info) const {
  return (!backend || llvm::StringRef(backend->name) == info.backend) &&
         (!index || *index == info.index) &&
         (arch.empty() || info.arch() == arch);
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

/// The error that none of the devices suits the request. Success if opening the
/// first device gives a better message: there is only one device, or one has
/// the image's architecture.
static llvm::Error none_suits(const OpenRequest &request,
                              llvm::ArrayRef<DeviceInfo> devices) {
  std::string known;
  bool has_arch = false;
  for (const DeviceInfo &info : devices) {
    known += (known.empty() ? "" : ", ") + info.arch().str();
    has_arch |= info.arch() == request.arch;
  }
  const char *emulated = devices.front().emulated ? "emulated" : "there";
  if (!request.arch.empty() && !has_arch)
    return failure(Reason::failed, "no device {0}:{1}: {2} {3} {4}",
                   devices.front().backend, request.arch, emulated,
                   devices.size() == 1 ? "is" : "are", known);
  if (request.images.size() != 1 || devices.size() == 1 ||
      !request.arch.empty() || request.images.front().relocatable())
    return llvm::Error::success();
  const Image &image = request.images.front();
  for (const DeviceInfo &info : devices)
    if (info.arch() == image.arch())
      return llvm::Error::success();
  return failure(Reason::not_runnable, "{0}: built for {1}; {2} are {3}",
                 image.name(), image.arch(), emulated, known);
}

llvm::Expected<OpenedDevice> open_suitable(
    const OpenRequest &request, uint32_t count,
    llvm::function_ref<llvm::Expected<DeviceInfo>(uint32_t)> describe,
    llvm::function_ref<llvm::Expected<std::unique_ptr<Device>>(uint32_t)>
        open) {
  std::optional<uint32_t> index = request.index;
  std::vector<DeviceInfo> others; // devices that do not suit
  for (uint32_t other = 0; !index && other < count; ++other) {
    llvm::Expected<DeviceInfo> info = describe(other);
    if (!info)
      return info.takeError();
    if ((request.arch.empty() || info->arch() == request.arch) &&
        (request.images.empty() || any_runs_on(request.images, *info)))
      index = other;
    else
      others.push_back(std::move(*info));
  }
  if (!index && !others.empty())
    if (llvm::Error error = none_suits(request, others))
      return std::move(error);
  llvm::Expected<std::unique_ptr<Device>> device = open(index.value_or(0));
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
  llvm::Expected<OpenedDevice> opened = request.backend->open(
      {{}, request.index, /*named=*/true, settings, request.arch});
  if (!opened)
    return opened.takeError();
  return std::move(opened->device);
}

llvm::Expected<OpenedDevice> open_here(const Backend &backend,
                                       const OpenRequest &request) {
  return backend.open(request);
}

/// Whether it failed because there is no GPU of the image's kind.
static bool lacks_device(llvm::Expected<OpenedDevice> &opened) {
  bool lacks = false;
  if (llvm::Error error = opened.takeError())
    opened = llvm::handleErrors(std::move(error),
                                [&](const Failure &why) -> llvm::Error {
                                  lacks = why.reason() == Reason::no_device;
                                  return llvm::make_error<Failure>(why);
                                });
  return lacks;
}

llvm::Expected<OpenedDevice> open_device(const DeviceRequest &request,
                                         const OpenSettings &settings,
                                         llvm::ArrayRef<Image> images,
                                         OpenBackend open) {
  OpenRequest wanted{images, request.index, request.backend != nullptr,
                     settings, request.arch};
  if (request.backend)
    return open(*request.backend, wanted);
  std::optional<llvm::Expected<OpenedDevice>> last;
  for (const Backend *backend : backends()) {
    Probe probe = backend->probe(images);
    if (probe.suits == Probe::Suits::no)
      continue;
    if (last)
      llvm::consumeError(last->takeError());
    last.emplace(open(*backend, wanted));
    if (*last || probe.suits == Probe::Suits::yes || !lacks_device(*last))
      return std::move(*last);
  }
  if (last)
    return std::move(*last);
  return failure(Reason::not_runnable, "{0}: no back end runs {1}",
                 images.front().name(), images.front().format_name());
}

std::vector<DeviceInfo>
list_devices(llvm::function_ref<void(llvm::Twine)> warn) {
  std::vector<DeviceInfo> devices;
  for (const Backend *backend : backends())
    backend->list(devices, warn);
  return devices;
}

} // namespace gpuexec
