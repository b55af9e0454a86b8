//===-- loader/device/hsa/dispatch.cpp - Launching a kernel ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The AQL packet (HSA runtime specification 1.2, 2.6), its completion, and the
// message when a kernel breaks.
//===----------------------------------------------------------------------===//
#include "loader/device/hsa/device.h"
#include <cstring>

namespace gpuexec::hsa {

/// A wait looks for faults at least this often, in case wake() came too early.
static constexpr double RECHECK_SECONDS = 0.25;

/// The grid in threads; a packet holds 16 bits per block size and 32 per grid.
static llvm::Error check_grid(const Kernel &kernel, const Grid &grid) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (grid.threads[axis] > UINT16_MAX)
      return failure(
          Reason::failed,
          "--threads-{0}: {1} threads in a block, where a launch can "
          "have {2}",
          "xyz"[axis], grid.threads[axis], UINT16_MAX);
    if (uint64_t(grid.threads[axis]) * grid.blocks[axis] > UINT32_MAX)
      return failure(Reason::failed,
                     "--blocks-{0}: {1} blocks of {2} threads exceed what one "
                     "launch can count",
                     "xyz"[axis], grid.blocks[axis], grid.threads[axis]);
  }
  if (kernel.max_threads && grid.threads_per_block() > kernel.max_threads)
    return failure(Reason::failed,
                   "--threads: kernel '{0}' was compiled for at most {1} "
                   "threads in a block, not {2}",
                   kernel.name, kernel.max_threads, grid.threads_per_block());
  return llvm::Error::success();
}

/// A block of kernel arguments with these contents; null if they are empty.
llvm::Expected<void *>
HsaDevice::kernarg_block(llvm::ArrayRef<std::byte> contents) {
  if (contents.empty())
    return nullptr;
  void *&block = kernargs[contents.size()];
  if (!block) {
    void *memory = nullptr;
    if (llvm::Error error =
            api.check(api.hsa_amd_memory_pool_allocate(
                          *kernarg_pool, contents.size(), 0, &memory),
                      "allocating kernel arguments"))
      return std::move(error);
    if (llvm::Error error = api.check(
            api.hsa_amd_agents_allow_access(1, &agent, nullptr, memory),
            "giving the device access to kernel arguments")) {
      api.hsa_amd_memory_pool_free(memory);
      return std::move(error);
    }
    block = memory;
    device_heap->protect(DeviceAddress::of(memory), contents.size());
  }
  std::memcpy(block, contents.data(), contents.size());
  return block;
}

/// Only this thread writes to the queue and each launch is waited for, so a
/// slot is free.
void HsaDevice::enqueue(const hsa_kernel_dispatch_packet_t &packet,
                        uint16_t header) {
  uint64_t index = packets.next++;
  hsa_kernel_dispatch_packet_t *slot = packets.ring + (index & packets.mask);
  std::memcpy(reinterpret_cast<char *>(slot) + 4,
              reinterpret_cast<const char *>(&packet) + 4, sizeof(packet) - 4);
  // Header and setup are written last, in one store: then the device owns the
  // packet.
  __atomic_store_n(reinterpret_cast<uint32_t *>(slot),
                   uint32_t(header) | uint32_t(packet.setup) << 16,
                   __ATOMIC_RELEASE);
  api.hsa_queue_store_write_index_screlease(packets.handle, packets.next);
  api.hsa_signal_store_screlease(packets.doorbell, hsa_signal_value_t(index));
}

llvm::Error HsaDevice::launch(Module &module,
                              llvm::ArrayRef<KernelLaunch> kernels) {
  kernels_ended = 0;
  for (const KernelLaunch &each : kernels) {
    if (llvm::Error error = static_cast<HsaModule &>(module).launch(each))
      return error;
    ++kernels_ended;
  }
  return llvm::Error::success();
}

llvm::Error HsaDevice::dispatch(const Kernel &kernel, const Grid &grid,
                                uint64_t kernel_object, uint32_t private_size,
                                llvm::ArrayRef<std::byte> arguments) {
  if (llvm::Error error = check_grid(kernel, grid))
    return error;
  if (!packets.handle)
    return failure(Reason::failed, "an earlier kernel was given up");
  KernargFacts kernarg_facts;
  kernarg_facts.queue_address = reinterpret_cast<uint64_t>(packets.handle);
  llvm::Expected<std::vector<std::byte>> block =
      fill_kernarg(kernel, grid, kernarg_facts, arguments);
  if (!block)
    return block.takeError();
  llvm::Expected<void *> kernarg = kernarg_block(*block);
  if (!kernarg)
    return kernarg.takeError();

  hsa_signal_t completion = completions[packets.next & 1];
  api.hsa_signal_store_screlease(completion, 1);
  fault->waiting_signal.store(completion.handle);

  hsa_kernel_dispatch_packet_t packet{};
  packet.workgroup_size_x = grid.threads[0];
  packet.workgroup_size_y = grid.threads[1];
  packet.workgroup_size_z = grid.threads[2];
  packet.grid_size_x = grid.threads[0] * grid.blocks[0];
  packet.grid_size_y = grid.threads[1] * grid.blocks[1];
  packet.grid_size_z = grid.threads[2] * grid.blocks[2];
  packet.private_segment_size = private_size;
  packet.group_segment_size = uint32_t(kernel.shared_size);
  packet.kernel_object = kernel_object;
  packet.kernarg_address = *kernarg;
  packet.completion_signal = completion;
  packet.setup = dimensions(grid)
                 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
  enqueue(
      packet,
      (HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE) |
          (1 << HSA_PACKET_HEADER_BARRIER) |
          (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE) |
          (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE));

  uint64_t hertz = 0;
  api.hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &hertz);
  uint64_t ticks = uint64_t(double(hertz) * RECHECK_SECONDS);
  hsa_signal_value_t value = 1;
  while (value > 0 && !fault->happened.load())
    value = api.hsa_signal_wait_scacquire(completion, HSA_SIGNAL_CONDITION_LT,
                                          1, ticks, HSA_WAIT_STATE_BLOCKED);
  fault->waiting_signal.store(0);
  if (fault->happened.load()) {
    give_up();
    return fault_error(kernel);
  }
  return llvm::Error::success();
}

/// Errors of a queue that say that a kernel could not be launched, not that it
/// broke (HSA 1.2, 2.6, "Queue error handling").
static bool is_refusal(hsa_status_t status) {
  switch (status) {
  case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
  case HSA_STATUS_ERROR_INVALID_ARGUMENT:
  case HSA_STATUS_ERROR_INVALID_ALLOCATION:
  case HSA_STATUS_ERROR_INVALID_CODE_OBJECT:
  case HSA_STATUS_ERROR_INVALID_PACKET_FORMAT:
    return true;
  default:
    return false;
  }
}

/// Destroying the emulator's queue ends its waves. A GPU's would wait for them.
void HsaDevice::give_up() {
  hung = !facts.emulated;
  if (facts.emulated)
    api.hsa_queue_destroy(std::exchange(packets.handle, nullptr));
}

bool HsaDevice::stop() {
  if (!facts.emulated)
    return false;
  fault->stopped = true;
  fault->wake();
  return true;
}

llvm::Error HsaDevice::fault_error(const Kernel &kernel) {
  std::lock_guard lock(fault->mutex);
  if (fault->stopped)
    return failure(Reason::failed, "kernel '{0}' was stopped", kernel.name);
  std::string report;
  if (api.fault_report)
    if (const char *text = api.fault_report())
      report = text;
  std::string message = llvm::formatv("kernel '{0}': ", kernel.name).str();
  if (fault->memory) {
    message += llvm::formatv("memory fault at {0:x16}", fault->address).str();
    if (fault->reason & HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT)
      message += ", not mapped";
    if (fault->reason & HSA_AMD_MEMORY_FAULT_READ_ONLY)
      message += ", read-only";
    if (fault->reason & HSA_AMD_MEMORY_FAULT_NX)
      message += ", not executable";
  } else {
    message += api.describe(fault->queue_status);
    if (is_refusal(fault->queue_status))
      return failure(Reason::failed, "{0}{1}{2}", message,
                     report.empty() ? "" : ": ",
                     llvm::StringRef(report).rtrim());
  }
  const int signal = api.fault_signal ? api.fault_signal() : 0;
  return llvm::make_error<DeviceFault>(std::move(message), std::move(report),
                                       signal ? signal : SIGSEGV);
}

} // namespace gpuexec::hsa
