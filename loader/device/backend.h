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

/// Which device a back end must open, and for what.
struct OpenRequest {
  /// The device must run one of these images; empty: any device will do.
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
    /// Only open() finds out. When there is no device (Reason::no_device), the
    /// next back end is tried.
    maybe,
    /// This back end must run the image: an error of open() is final.
    yes,
  };
  Suits suits = Suits::no;
  /// The driver, if probe() has initialised it. While the caller holds this,
  /// open() does not initialise the driver again.
  std::shared_ptr<void> driver;
};

struct Backend {
  /// The name for --device.
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
  /// For a process that forks many times, each time to open a device and run
  /// one of the images: does once what each would do. Starts no thread. Null:
  /// there is nothing to do.
  void (*prepare_forks)(llvm::ArrayRef<Image> images) = nullptr;
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

/// Chooses the image that an open device will run. Errors: why it can run none.
llvm::Expected<const Image *> choose_image(llvm::ArrayRef<Image> images,
                                           const DeviceInfo &info);

/// For Backend::open: opens device `request.index`. Without an index opens the
/// first of the `count` devices that has the architecture `request.arch` and
/// can run one of the images (any device, if there are no images). Chooses the
/// image. Errors: no device has the architecture; what the devices lack for the
/// images.
llvm::Expected<OpenedDevice> open_suitable(
    const OpenRequest &request, uint32_t count,
    llvm::function_ref<llvm::Expected<DeviceInfo>(uint32_t)> describe,
    llvm::function_ref<llvm::Expected<std::unique_ptr<Device>>(uint32_t)> open);

} // namespace gpuexec

#endif
