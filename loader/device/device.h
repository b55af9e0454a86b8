//===-- loader/device/device.h - Something that can run an image -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interfaces that every back end implements: Device, Module and Queue, and
// the capabilities that some have. One thread uses a device, except where a
// function says otherwise; heap() is for the RPC server's threads while a
// kernel runs.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_DEVICE_H
#define GPUEXEC_LOADER_DEVICE_DEVICE_H

#include "loader/image/image.h"
#include "rpc/server/device_memory.h"
#include "rpc/server/layout.h"
#include "support/device_address.h"
#include "support/failure.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec {

struct Backend; // backend.h

/// What --list-devices shows and what port counts are computed from.
struct DeviceInfo {
  const char *backend = ""; ///< Backend::name
  bool emulated = false;    ///< by gpuexec's own library, on the CPU
  bool lent = false;        ///< by a server
  uint32_t index = 0;       ///< among the devices of its back end
  std::string name;         ///< as the driver gives it
  std::string target_id;    ///< what an image must be built for: `sm_90`,
                            ///< `gfx942:sramecc+:xnack-`
  uint64_t memory = 0;      ///< bytes
  uint32_t units = 0;       ///< multiprocessors or compute units
  const char *units_name = "compute units";
  uint32_t waves_per_unit = 0; ///< that can be resident at once
  /// Device code can use any address of this process (HMM, ATS, XNACK).
  bool reaches_host_memory = false;
  /// After a fault the driver writes a file that says where the fault was.
  bool writes_core_dumps = false;

  /// As --device takes it: `cuda:0`, `hsa:1`, `emulator`.
  std::string spec() const;
  /// `sm_90`, `gfx942`: target_id without its features.
  llvm::StringRef arch() const;
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
  /// Bytes of the heap that recursion may take in one thread.
  std::optional<uint64_t> recursion_size;
};

/// Files of the host that a device's driver opens while a program runs.
struct HostFiles {
  std::vector<std::string> readable; ///< or directories
  std::vector<std::string> writable; ///< directories
  std::vector<std::string> devices;
};

/// Memory that device and host both see, pinned and zeroed. Where the device is
/// another machine's it is a copy: what the host writes is there when the next
/// kernel begins, and what the device writes when the kernel has ended (but see
/// Queue::carry_mailbox()).
struct HostBuffer {
  std::byte *host = nullptr;
  DeviceAddress address; ///< on the device
  uint64_t size = 0;
};

/// An allocation of the device, or a part of one. Either all of it is writable
/// or nothing.
struct MemoryRange {
  DeviceAddress begin;
  uint64_t size = 0;
  bool writable = true; ///< by the program
};

/// A kernel that is to run.
struct KernelLaunch {
  const Kernel *kernel;
  Grid grid;
  /// The explicit ones, of exactly Kernel::arguments_size bytes.
  llvm::ArrayRef<std::byte> arguments;
};

/// An image on its device. To be destroyed before the device.
class Module {
public:
  virtual ~Module() = default;
  /// Address of a global; empty when the image has none of that name.
  virtual llvm::Expected<std::optional<DeviceAddress>>
  find_global(llvm::StringRef name) = 0;
  /// What a kernel uses. The driver may know more than the image: PTX has no
  /// registers before the driver has compiled it.
  virtual Resources resources(const Kernel &kernel) { return kernel.resources; }
};

/// The order in which a device copies and runs kernels: a CUDA stream, an HSA
/// queue.
class Queue {
public:
  virtual ~Queue() = default;
  /// Runs kernels of `module`, which is on this queue's device, to their ends,
  /// one after the other. Nobody need look at what one has done before the next
  /// begins: a device may be told of all at once. Errors: DeviceFault when a
  /// kernel broke, Failure when one could not be launched; those behind it do
  /// not run.
  virtual llvm::Error launch(Module &module,
                             llvm::ArrayRef<KernelLaunch> kernels) = 0;
  /// How many of the kernels of the last launch() have ended. From any thread.
  virtual size_t ended() { return 0; }
  /// Ends the kernel that runs, and every later one: launch() fails. False when
  /// the device cannot end a kernel. From any thread.
  virtual bool stop() { return false; }
  /// Copies, between kernels only; the addresses are ours, not the program's.
  virtual llvm::Error copy_to_device(DeviceAddress to,
                                     llvm::ArrayRef<std::byte> from) = 0;
  virtual llvm::Error copy_from_device(llvm::MutableArrayRef<std::byte> to,
                                       DeviceAddress from) = 0;
  /// Copying these bytes from the device is to cost nothing once kernels have
  /// ended. A hint: of up to MOST_AWAITED pieces of LARGEST_AWAITED bytes, as
  /// long as the program is loaded.
  virtual void will_read(DeviceAddress address, uint64_t size) {}
  static constexpr uint64_t LARGEST_AWAITED = 64;
  static constexpr size_t MOST_AWAITED = 4;
  /// The next kernel uses a mailbox of this layout, in memory of
  /// allocate_host(), with waves of `lanes` lanes. For devices whose host
  /// memory is a copy: of a mailbox both sides see what the other one writes.
  virtual llvm::Error carry_mailbox(const rpc::Layout &layout,
                                    const HostBuffer &mailbox, uint32_t lanes) {
    return llvm::Error::success();
  }
};

/// A device that runs several programs, one after the other, some of them for
/// other processes.
class Leasable {
public:
  virtual ~Leasable() = default;
  /// Sets up what all programs need, which stays. Once, after opening.
  virtual llvm::Error keep_open() = 0;
  /// Another thread than the one that opened the device is to use it, too.
  virtual void enter_thread() = 0;
  /// Makes whole pages of host memory reachable as what allocate_host() gives,
  /// as long as the device is open. Their address on the device.
  virtual llvm::Expected<DeviceAddress>
  register_host(llvm::MutableArrayRef<std::byte> memory) = 0;
  /// After a program, whose module and allocations are gone: clears what the
  /// program left in the device's memory, and a kernel shows that the device
  /// still works. An error: it runs no other program.
  virtual llvm::Error clear() = 0;
};

/// A device that tells what its waves do: the emulated one.
class Observable {
public:
  virtual ~Observable() = default;
  /// Where the waves are, one line each, for a report. From any thread.
  virtual std::string where() = 0;
  /// Counts of what was executed so far, as a table or as JSON. Empty unless
  /// the option "stats" is "on". From any thread.
  virtual std::string statistics(bool json) = 0;
  /// Sets an option (--check and --stats). Error when the device does not know
  /// it, or not this value.
  virtual llvm::Error set_option(llvm::StringRef name,
                                 llvm::StringRef value) = 0;
};

/// A device whose waves can run one after the other, in an order that a number
/// decides, so that a run can be repeated.
class Lockstep {
public:
  virtual ~Lockstep() = default;
  /// The host's turn while the device stands still behind `step` steps.
  /// `idle`: it waits for nothing but the host, or for time to pass; `ticks`:
  /// by how much its clock is to be put forward, in 10 ns. False: no further
  /// step.
  using Turn = std::function<bool(uint64_t step, bool idle, uint64_t &ticks)>;
  /// Before the first launch: `seed` decides the order of the waves, and the
  /// host gets turns in between. What the device sees may change in these
  /// alone; then the same changes at the same steps make the same run.
  virtual llvm::Error run_in_lockstep(uint64_t seed, Turn turn) = 0;
};

/// A device: what it is, its memory, and the images on it. What it does in
/// order is its queue's; what only some devices can do are the capabilities.
class Device {
public:
  virtual ~Device() = default;
  virtual const DeviceInfo &info() const = 0;

  /// Loads an image that Image::runs_on() has accepted; the image outlives the
  /// module.
  virtual llvm::Expected<std::unique_ptr<Module>>
  load(const Image &image, const LaunchSettings &settings) = 0;
  /// The device's only queue so far, as long as the device is there.
  virtual Queue &queue() = 0;

  virtual llvm::Expected<HostBuffer> allocate_host(uint64_t size) = 0;
  virtual void free_host(const HostBuffer &buffer) = 0;
  /// Device memory, zeroed, not reachable by the host.
  virtual llvm::Expected<DeviceAddress> allocate_device(uint64_t size) = 0;
  virtual void free_device(DeviceAddress address) = 0;
  /// True where the memory of allocate_host() is a copy (HostBuffer).
  virtual bool host_memory_is_copy() const { return false; }
  /// The allocation, or the part of one, that holds the address. Empty when the
  /// device does not know.
  virtual std::optional<MemoryRange> range_of(DeviceAddress address) {
    return {};
  }
  /// Serves the program's MALLOC and FREE while kernels run.
  virtual rpc::DeviceMemory &heap() = 0;

  /// Ticks per second of the clock that the image's libc reads; 0: the image
  /// knows the frequency by itself.
  virtual uint64_t clock_frequency() const { return 0; }
  /// The files that the driver still opens when the process is in a sandbox.
  virtual HostFiles host_files() const { return {}; }
  /// Called in a sandbox after loading and before the first launch. Every
  /// thread that the device has in this process calls `confine_thread`; a
  /// process of the device's own confines itself.
  virtual llvm::Error
  confine(llvm::function_ref<llvm::Error()> confine_thread) {
    return llvm::Error::success();
  }

  // Null where the device lacks the capability.
  virtual Leasable *leasable() { return nullptr; }
  virtual Observable *observable() { return nullptr; }
  virtual Lockstep *lockstep() { return nullptr; }
};

/// The capability of a device, for a caller that cannot do without. Error: the
/// device lacks it.
llvm::Expected<Leasable &> need_leasable(Device &device);
llvm::Expected<Observable &> need_observable(Device &device);
llvm::Expected<Lockstep &> need_lockstep(Device &device);

/// A device as the user asked for it: `auto`, `cuda`, `cuda:1`, `hsa`, `hsa:0`,
/// `emulator`, `emulator:1`, `emulator:gfx1100`.
struct DeviceRequest {
  const Backend *backend = nullptr; ///< null = auto
  std::optional<uint32_t> index; ///< empty = the first that can run the image
  std::string arch;          ///< only a device of this architecture; "" = any
  std::string text = "auto"; ///< as written, for messages

  static llvm::Expected<DeviceRequest> parse(llvm::StringRef text);
  /// True for a device that the user may have meant.
  bool matches(const DeviceInfo &info) const;
};

/// How a device is to be opened.
struct OpenSettings {
  /// A fault is to be reported with its place, where the driver must be told
  /// so before it is initialised (NVIDIA).
  bool fault_report = false;
  /// A library of the vendor's is to run kernels beside the program's. NVIDIA's
  /// driver loads a kernel when it is first launched, and may wait until no
  /// other one runs: it is told to load all of them at once.
  bool load_code_ahead = false;
  /// Where the emulated device is to have all its memory; empty: anywhere.
  llvm::MutableArrayRef<std::byte> memory;
};

struct OpenedDevice {
  std::unique_ptr<Device> device;
  const Image *image = nullptr; ///< the one that the device is to run
};

struct OpenRequest;
/// Has a back end open a device. Who wants a device somewhere else than in this
/// process passes another one to open_device() (lending/open.h).
using OpenBackend = llvm::function_ref<llvm::Expected<OpenedDevice>(
    const Backend &, const OpenRequest &)>;
/// Calls Backend::open: the device is in this process.
llvm::Expected<OpenedDevice> open_here(const Backend &backend,
                                       const OpenRequest &request);

/// Opens the device that suits the request and one of the images, through the
/// best back end of backends.def that can. No driver is opened that cannot run
/// one of the images. Errors: Failure when there is no such device or its
/// driver fails; not_runnable or ImageError when the device that was asked for
/// cannot run the image.
llvm::Expected<OpenedDevice> open_device(const DeviceRequest &request,
                                         const OpenSettings &settings,
                                         llvm::ArrayRef<Image> images,
                                         OpenBackend open = open_here);

/// Opens a device for whatever images will be loaded: the one with the index,
/// or the first. Errors: as above.
llvm::Expected<std::unique_ptr<Device>>
open_device(const DeviceRequest &request, const OpenSettings &settings);

/// Every device of this machine, those of the best back end first. A driver
/// that is installed and fails is reported through `warn`.
std::vector<DeviceInfo>
list_devices(llvm::function_ref<void(llvm::Twine)> warn);

} // namespace gpuexec

#endif
