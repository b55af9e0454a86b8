//===-- loader/device/backend.h - One kind of device ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A back end opens devices through one interface: a vendor's driver, or the
// emulator. Each folder that backends.def names defines one constant of type
// Backend. Nothing outside that folder knows the back end by name.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_BACKEND_H
#define GPUEXEC_LOADER_DEVICE_BACKEND_H

#include "loader/device/device.h"

namespace gpuexec {

/// What a back end is asked to open.
struct OpenRequest {
  /// The device is to run one of them; none: it is opened all the same.
  llvm::ArrayRef<Image> images;
  std::optional<uint32_t> index; ///< empty: the first device that can
  bool named = false;            ///< the user named this back end
  OpenSettings settings;
  llvm::StringRef arch; ///< only a device of this architecture; empty: of any
};

/// Whether a back end can run one of several images.
struct Probe {
  enum class Suits {
    no,
    /// Only open() finds out. When it fails, the next back end is tried.
    maybe,
    /// This back end is to run the image: an error of open() is final.
    yes,
  };
  Suits suits = Suits::no;
  /// What probe() has initialised. A call of open() while the caller holds it
  /// does not initialise it again.
  std::shared_ptr<void> driver;
};

struct Backend {
  /// As --device takes it.
  const char *name;
  /// Called when the user named no back end. Opens no driver that cannot run
  /// one of the images.
  Probe (*probe)(llvm::ArrayRef<Image> images);
  /// Errors: as open_device().
  llvm::Expected<OpenedDevice> (*open)(const OpenRequest &request);
  /// Appends this machine's devices. A driver that is not installed is no
  /// error; a driver that fails is reported through `warn`.
  void (*list)(std::vector<DeviceInfo> &devices,
               llvm::function_ref<void(llvm::Twine)> warn);
};

#define BACKEND(FOLDER)                                                        \
  namespace FOLDER {                                                           \
  extern const Backend backend;                                                \
  }
#include "loader/device/backends.def"
#undef BACKEND

/// The back ends of backends.def, in that order.
llvm::ArrayRef<const Backend *> backends();

/// True when the device can run one of the images.
bool any_runs_on(llvm::ArrayRef<Image> images, const DeviceInfo &info);

/// The image that an open device is to run. Errors: why it can run none.
llvm::Expected<const Image *> choose_image(llvm::ArrayRef<Image> images,
                                           const DeviceInfo &info);

/// For Backend::open: opens device `request.index`. Without an index it opens
/// the first of `count` devices that can run an image, or the first at all
/// where there is no image, among those of `request.arch`. Chooses the image.
/// Errors: no device has the architecture; what the devices lack for the
/// images.
llvm::Expected<OpenedDevice> open_suitable(
    const OpenRequest &request, uint32_t count,
    llvm::function_ref<llvm::Expected<DeviceInfo>(uint32_t)> describe,
    llvm::function_ref<llvm::Expected<std::unique_ptr<Device>>(uint32_t)> open);

} // namespace gpuexec

#endif
