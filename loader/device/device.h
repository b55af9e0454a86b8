//===-- loader/device/device.h - Something that can run an image -*- C++ -*-==//
// The one interface behind which CUDA and HSA live. A Device is opened once and
// used by one thread, except for heap(), which other threads use while a kernel
// runs.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_DEVICE_H
#define GPUEXEC_LOADER_DEVICE_DEVICE_H

#include "loader/device/error.h"
#include "loader/image/image.h"
#include "rpc/server/server.h"
#include "support/device_address.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec {

struct Backend; // backend.h

/// What --list-devices shows and what port counts are computed from.
struct DeviceInfo {
  const char *backend = "";    ///< Backend::name
  bool emulated = false;       ///< by gpuexec's own library, on the CPU
  uint32_t index = 0;          ///< among the devices of its back end
  std::string name;            ///< as the driver gives it
  std::string target_id;       ///< what an image must be built for: `sm_90`,
                               ///< `gfx942:sramecc+:xnack-`
  uint64_t memory = 0;         ///< bytes
  uint32_t units = 0;          ///< multiprocessors or compute units
  const char *units_name = "compute units";
  uint32_t waves_per_unit = 0; ///< that can be resident at once
  /// Device code can use any address of this process (HMM, ATS, XNACK).
  bool reaches_host_memory = false;
  /// After a fault the driver writes a file that says where the fault was.
  bool writes_core_dumps = false;

  /// As --device takes it: `cuda:0`, `hsa:1`, `emulator`.
  std::string spec() const;
  /// Waves that the whole device can hold at once; at least 1.
  uint64_t resident_waves() const;
};

/// Sizes of a launch, in threads per block and blocks.
struct Grid {
  std::array<uint32_t, 3> threads{1, 1, 1};
  std::array<uint32_t, 3> blocks{1, 1, 1};

  uint64_t threads_per_block() const;
  uint64_t block_count() const;             ///< saturates
  uint64_t waves(uint32_t wave_size) const; ///< saturates
};

/// What a user may change about how programs are loaded and launched.
struct LaunchSettings {
  std::optional<uint64_t> stack_size; ///< bytes per thread
  std::optional<uint64_t> heap_size;  ///< bytes of device heap
};

/// Files of the host that a device's driver opens while a program runs.
struct HostFiles {
  std::vector<std::string> readable; ///< or directories
  std::vector<std::string> writable; ///< directories
  std::vector<std::string> devices;
};

/// Memory that device and host both see, pinned and zeroed.
struct HostBuffer {
  std::byte *host = nullptr;
  DeviceAddress address; ///< on the device
  uint64_t size = 0;
};

/// An allocation of the device's, or a part of one that may be written to, or
/// not, as a whole.
struct MemoryRange {
  DeviceAddress begin;
  uint64_t size = 0;
  bool writable = true; ///< by the program
};

/// An image on its device. Dies before its device.
class Module {
public:
  virtual ~Module() = default;
  /// Address of a global; empty when the image has none of that name.
  virtual llvm::Expected<std::optional<DeviceAddress>>
  find_global(llvm::StringRef name) = 0;
  /// Runs a kernel to its end. `arguments` are the explicit ones, of exactly
  /// Kernel::arguments_size bytes. Errors: DeviceFault when the kernel broke,
  /// Failure when it could not be launched.
  virtual llvm::Error launch(const Kernel &kernel, const Grid &grid,
                             llvm::ArrayRef<std::byte> arguments) = 0;
  /// What the device's driver knows of a kernel beyond the image (PTX has no
  /// registers before it is compiled).
  virtual Resources resources(const Kernel &kernel) { return kernel.resources; }
};

class Device {
public:
  virtual ~Device() = default;
  virtual const DeviceInfo &info() const = 0;

  /// Loads an image that Image::runs_on() has accepted; the image outlives the
  /// module.
  virtual llvm::Expected<std::unique_ptr<Module>>
  load(const Image &image, const LaunchSettings &settings) = 0;

  virtual llvm::Expected<HostBuffer> allocate_host(uint64_t size) = 0;
  virtual void free_host(const HostBuffer &buffer) = 0;
  /// Device memory, zeroed, not reachable by the host.
  virtual llvm::Expected<DeviceAddress> allocate_device(uint64_t size) = 0;
  virtual void free_device(DeviceAddress address) = 0;
  /// Between kernels only; the addresses are ours, not the program's.
  virtual llvm::Error copy_to_device(DeviceAddress to,
                                     llvm::ArrayRef<std::byte> from) = 0;
  virtual llvm::Error copy_from_device(llvm::MutableArrayRef<std::byte> to,
                                       DeviceAddress from) = 0;

  /// What answers the program's MALLOC and FREE, while kernels run.
  virtual rpc::DeviceMemory &heap() = 0;

  /// What a sandbox must leave to the driver.
  virtual HostFiles host_files() const { return {}; }
  /// In a sandbox, between loading an image and its first launch: confines what
  /// the device has beside the calling thread. Threads of this process are to
  /// call `confine_thread` themselves; a process of the device's own knows what
  /// it needs.
  virtual llvm::Error
  confine(llvm::function_ref<llvm::Error()> confine_thread) {
    return llvm::Error::success();
  }
  /// What holds the address, as far as the device tells.
  virtual std::optional<MemoryRange> range_of(DeviceAddress address) {
    return {};
  }

  /// Ticks per second of the clock that the image's libc reads; 0 = it knows.
  virtual uint64_t clock_frequency() const { return 0; }
  /// For --timeout: where the device's waves are; empty when the device cannot
  /// tell. Called by another thread while a kernel runs.
  virtual std::string where() { return {}; }
  /// Sets an option of the device (the emulator's --check and --stats). Error
  /// when this device has none of that name.
  virtual llvm::Error set_option(llvm::StringRef name, llvm::StringRef value);
  /// What was executed so far, as a table or as JSON, when the option "stats"
  /// is "on".
  virtual std::string statistics(bool json) { return {}; }
};

/// A device as the user asked for it: `auto`, `cuda`, `cuda:1`, `hsa`, `hsa:0`,
/// `emulator`, `emulator:1`.
struct DeviceRequest {
  const Backend *backend = nullptr; ///< null = auto
  std::optional<uint32_t> index;  ///< empty = the first that can run the image
  std::string text = "auto";      ///< as written, for messages

  static llvm::Expected<DeviceRequest> parse(llvm::StringRef text);
};

/// How a device is to be opened.
struct OpenSettings {
  /// A fault is to be reported with its place, where the driver must be told
  /// so before it is initialised (NVIDIA).
  bool fault_report = false;
  /// An emulated device is to live in a process of its own
  /// (loader/device/isolated/).
  bool isolate = false;
};

struct OpenedDevice {
  std::unique_ptr<Device> device;
  const Image *image = nullptr; ///< the one that the device is to run
};

/// Opens the device that suits the request and one of the images, through the
/// best back end of backends.def that can. No driver is opened that cannot run
/// one of the images. Errors: Failure 125 when there is no such device or its
/// driver fails, 126 when the device that was asked for cannot run the image.
llvm::Expected<OpenedDevice> open_device(const DeviceRequest &request,
                                         const OpenSettings &settings,
                                         llvm::ArrayRef<Image> images);

/// Every device of this machine, those of the best back end first. A driver
/// that is installed and fails is reported through `warn`.
std::vector<DeviceInfo>
list_devices(llvm::function_ref<void(llvm::Twine)> warn);

} // namespace gpuexec

#endif
