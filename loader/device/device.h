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
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec {

struct Backend; // backend.h

/// Facts about a device: for --list-devices, and to compute the number of
/// ports.
struct DeviceInfo {
  const char *backend = ""; ///< Backend::name
  bool emulated = false;    ///< by gpuexec's own library, on the CPU
  bool lent = false;        ///< by a server
  /// Programs of other processes run beside this one; a fault of one ends all.
  bool is_shared = false;
  uint32_t index = 0;    ///< among the devices of its back end
  std::string name;      ///< as the driver gives it
  std::string target_id; ///< the target that images are built for: `sm_90`,
                         ///< `gfx942:sramecc+:xnack-`
  uint64_t memory = 0;   ///< bytes
  uint32_t units = 0;    ///< multiprocessors or compute units
  const char *units_name = "compute units";
  uint32_t waves_per_unit = 0; ///< that can be resident at once
  /// Device code can use any address of this process (HMM, ATS, XNACK).
  bool reaches_host_memory = false;
  /// After a fault the driver writes a file that says where the fault was.
  bool writes_core_dumps = false;

  /// The device's name for --device: `cuda:0`, `hsa:1`, `emulator`.
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

/// Sizes that a user may choose for loading and launching a program.
struct LaunchSettings {
  std::optional<uint64_t> stack_size; ///< bytes per thread
  std::optional<uint64_t> heap_size;  ///< bytes of device heap
  /// Bytes of the heap that recursion may take in one thread.
  std::optional<uint64_t> recursion_size;
  bool operator==(const LaunchSettings &) const = default;
};

/// Files of the host that a device's driver opens while a program runs.
struct HostFiles {
  std::vector<std::string> readable; ///< files and directories
  std::vector<std::string> writable; ///< directories
  std::vector<std::string> devices;  ///< device files
};

/// Memory that device and host both see, pinned and zeroed. For a device of
/// another machine each side has a copy: the device sees the host's writes when
/// the next kernel begins, the host sees the device's writes when the kernel
/// has ended (but see Queue::carry_mailbox()).
struct HostBuffer {
  std::byte *host = nullptr;
  DeviceAddress address; ///< on the device
  uint64_t size = 0;
};

/// An allocation of the device, or a part of one. It is writable as a whole or
/// not at all.
struct MemoryRange {
  DeviceAddress begin;
  uint64_t size = 0;
  bool writable = true; ///< by the program
};

/// The launch of a kernel.
struct KernelLaunch {
  const Kernel *kernel;
  Grid grid;
  /// The explicit arguments, exactly Kernel::arguments_size bytes.
  llvm::ArrayRef<std::byte> arguments;
};

/// An image on its device. It must be destroyed before the device.
class Module {
public:
  virtual ~Module() = default;
  /// Address of a global; empty when the image has none of that name.
  virtual llvm::Expected<std::optional<DeviceAddress>>
  find_global(llvm::StringRef name) = 0;
  /// The resources that a kernel uses. The driver may know more than the image:
  /// PTX has no registers before the driver has compiled it.
  virtual Resources resources(const Kernel &kernel) { return kernel.resources; }
};

/// The order in which a device copies and runs kernels: a CUDA stream, an HSA
/// queue.
class Queue {
public:
  virtual ~Queue() = default;
  /// Runs kernels of `module`, which is on this queue's device, one after the
  /// other, and waits for the end of the last. The host does nothing between
  /// two kernels, so the device may be given all at once. Errors: DeviceFault
  /// when a kernel broke, Failure when one could not be launched; those behind
  /// it do not run.
  virtual llvm::Error launch(Module &module,
                             llvm::ArrayRef<KernelLaunch> kernels) = 0;
  /// How many of the kernels of the last launch() have ended. From any thread.
  virtual size_t ended() { return 0; }
  /// Ends the kernel that runs, and every later one: launch() fails. False when
  /// the device cannot end a kernel. From any thread.
  virtual bool stop() { return false; }
  /// Copy bytes between the host and the device, between kernels only. The
  /// caller may use its bytes again at once. The addresses must be trusted: of
  /// allocations or variables, not from the program.
  virtual llvm::Error copy_to_device(DeviceAddress to,
                                     llvm::ArrayRef<std::byte> from) = 0;
  virtual llvm::Error copy_from_device(llvm::MutableArrayRef<std::byte> to,
                                       DeviceAddress from) = 0;
  /// Hint: copy_from_device() of these bytes will follow each launch, so the
  /// queue may fetch them behind the kernels. For up to MOST_AWAITED pieces of
  /// up to LARGEST_AWAITED bytes, as long as the program is loaded.
  virtual void will_read(DeviceAddress address, uint64_t size) {}
  static constexpr uint64_t LARGEST_AWAITED = 64;
  static constexpr size_t MOST_AWAITED = 4;
  /// The next kernel uses a mailbox of this layout, in memory of
  /// allocate_host(), with waves of `lanes` lanes. Needed for devices whose
  /// host memory is a copy: of the mailbox each side sees the other's writes
  /// while the kernel runs.
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
  /// Sets up the state that all programs need and that stays between them. Call
  /// it once, after opening.
  virtual llvm::Error keep_open() = 0;
  /// Prepares the calling thread, which did not open the device, to use it.
  virtual void enter_thread() = 0;
  /// Makes whole pages of host memory reachable for the device, as those of
  /// allocate_host(), as long as the device is open. Returns their address on
  /// the device.
  virtual llvm::Expected<DeviceAddress>
  register_host(llvm::MutableArrayRef<std::byte> memory) = 0;
  /// Called after a program, when its module and allocations are destroyed:
  /// clears the memory that the program used, and runs a kernel to check that
  /// the device still works. After an error it must run no other program.
  virtual llvm::Error clear() = 0;
};

/// A device that reports what its waves do: the emulated one.
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
  /// The host's turn, while the device stands still after its step number
  /// `step`. `idle`: the device waits only for the host or for time to pass;
  /// `ticks`: set to the time by which the device's clock is put forward, in
  /// units of 10 ns. False: the device must make no further step.
  using Turn = std::function<bool(uint64_t step, bool idle, uint64_t &ticks)>;
  /// Call it before the first launch. `seed` decides the order of the waves;
  /// the host gets turns between steps. Memory that the device sees may change
  /// only in these turns: the same changes at the same steps then make the same
  /// run.
  virtual llvm::Error run_in_lockstep(uint64_t seed, Turn turn) = 0;
};

/// A device whose own threads can serve the program's calls while its waves all
/// wait for answers: an emulated device in this process.
class SelfServing {
public:
  virtual ~SelfServing() = default;
  /// From now on such a thread calls `serve`, which looks once for calls and
  /// returns whether it served one; empty: no more. Returns when no thread is
  /// in the function of before. One thread at a time calls it.
  virtual void serve_calls(std::function<bool()> serve) = 0;
};

/// A device: its facts, its memory, and the images on it. Its queue copies and
/// runs kernels; capabilities are what only some devices can do.
class Device {
public:
  virtual ~Device() = default;
  virtual const DeviceInfo &info() const = 0;

  /// Loads an image that Image::runs_on() has accepted; the image outlives the
  /// module. Errors: Failure with the driver's reason.
  virtual llvm::Expected<std::unique_ptr<Module>>
  load(const Image &image, const LaunchSettings &settings) = 0;
  /// The device's queue; it lives as long as the device.
  virtual Queue &queue() = 0;

  /// Memory that both sides see (HostBuffer); the caller frees it with
  /// free_host() before the device is destroyed.
  virtual llvm::Expected<HostBuffer> allocate_host(uint64_t size) = 0;
  virtual void free_host(const HostBuffer &buffer) = 0;
  /// Device memory, zeroed, not reachable by the host; the caller frees it with
  /// free_device() before the device is destroyed.
  virtual llvm::Expected<DeviceAddress> allocate_device(uint64_t size) = 0;
  virtual void free_device(DeviceAddress address) = 0;
  /// Whether the memory of allocate_host() is a copy (HostBuffer).
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
  /// thread of the device in this process calls `confine_thread`; a device in a
  /// process of its own confines that process.
  virtual llvm::Error
  confine(llvm::function_ref<llvm::Error()> confine_thread) {
    return llvm::Error::success();
  }

  // Null where the device lacks the capability.
  virtual Leasable *leasable() { return nullptr; }
  virtual Observable *observable() { return nullptr; }
  virtual Lockstep *lockstep() { return nullptr; }
  virtual SelfServing *self_serving() { return nullptr; }
};

/// The capability of a device, for a caller that needs it. Error: the device
/// lacks it.
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

  /// Reads the value of --device. Error: Failure with what is accepted.
  static llvm::Expected<DeviceRequest> parse(llvm::StringRef text);
  /// True for a device that the user may have meant.
  bool matches(const DeviceInfo &info) const;
};

/// What processes have in common that run programs side by side on a GPU: it
/// lies in memory that all of them have mapped. A fault of one ends all of
/// them.
struct SharedContext {
  std::atomic<uint32_t> running =
      0; ///< programs; one that faulted still counts
  /// A process was ended while a kernel of it ran, which ends the others' too.
  std::atomic<uint32_t> was_killed = 0;
  uint32_t most = 1; ///< programs at a time
};

/// How a device is opened.
struct OpenSettings {
  /// Report the place of a fault. NVIDIA's driver must be told so before it is
  /// initialised.
  bool fault_report = false;
  /// Make the driver load all kernels of a library at once, so that a vendor's
  /// library can run kernels beside the program's. By default NVIDIA's driver
  /// loads a kernel at its first launch, and may wait until no other kernel
  /// runs.
  bool load_code_ahead = false;
  /// Other processes use the GPU beside this one, with the same SharedContext;
  /// it lives longer than the device. Null: no others that matter.
  SharedContext *shared = nullptr;
  /// The memory that the emulated device must use, owned by the caller; empty:
  /// any.
  llvm::MutableArrayRef<std::byte> memory;
};

struct OpenedDevice {
  std::unique_ptr<Device> device;
  const Image *image = nullptr; ///< that the device will run; null: not asked
};

struct OpenRequest;
/// A function by which open_device() opens a device of a back end: open_here(),
/// or one that opens it outside this process (lending/open.h).
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

/// Opens a device for images that are not known yet: the one with the requested
/// index, or the first. The request names a back end. Errors: as above.
llvm::Expected<std::unique_ptr<Device>>
open_device(const DeviceRequest &request, const OpenSettings &settings);

/// Every device of this machine, those of the best back end first. A driver
/// that is installed and fails is reported through `warn`.
std::vector<DeviceInfo>
list_devices(llvm::function_ref<void(llvm::Twine)> warn);

} // namespace gpuexec

#endif
