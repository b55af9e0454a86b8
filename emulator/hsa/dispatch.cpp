//===-- emulator/hsa/dispatch.cpp - From a packet to a launch and back ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel dispatches of a queue. A packet is checked and becomes a Launch. When
// that has ended, the packet's signal is decremented or, after a fault, the
// client is told.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/abi/launch_payload.h"
#include "emulator/hsa/executable.h"
#include "emulator/hsa/queue.h"
#include "emulator/hsa/runtime.h"

#include <algorithm>

namespace gpuexec::emulator {

/// A launch and what the instruction set needs to know of it.
struct Queue::KernelLaunch : Launch {
  amdgpu::LaunchPayload payload;
};

/// Copies the packet to memory that kernels may read; null if there is none.
/// The packet's slot in the ring is the client's again while the kernel runs.
Queue::Packet *Queue::take_copy(const hsa_kernel_dispatch_packet_t &packet) {
  if (copies.empty()) {
    uint64_t page = runtime.machine.pages.allocate(PageAllocator::PAGE_SIZE);
    if (!page)
      return nullptr;
    Region region;
    region.begin = page;
    region.end = page + PageAllocator::PAGE_SIZE;
    region.kind = MemoryKind::runtime;
    region.writable = false;
    region.name = "dispatch packets";
    runtime.machine.memory.add(std::move(region));
    copy_pages.push_back(page);
    for (uint64_t i = 0; i < PageAllocator::PAGE_SIZE / sizeof(Packet); ++i)
      copies.push_back(reinterpret_cast<Packet *>(page) + i);
  }
  Packet *copy = copies.back();
  copies.pop_back();
  copy->kernel = packet;
  return copy;
}

/// True if one region that the device sees holds all of the range. The rest of
/// the region's last page counts as the region: hardware maps whole pages.
bool Queue::kernarg_visible(uint64_t begin, uint64_t size) const {
  auto nearest = runtime.machine.memory.nearest(begin);
  return nearest && nearest->distance == 0 &&
         size <= nearest->region.mapped_end - begin;
}

/// Checks the packet's grid and block sizes and copies them to the dispatch.
Queue::Failure Queue::set_grid(const hsa_kernel_dispatch_packet_t &packet,
                               Dispatch &dispatch) {
  unsigned dimensions =
      packet.setup >> HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS & 3;
  if (!dimensions)
    return {HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, "no dimensions"};
  uint32_t grid[3] = {packet.grid_size_x, packet.grid_size_y,
                      packet.grid_size_z};
  uint16_t block[3] = {packet.workgroup_size_x, packet.workgroup_size_y,
                       packet.workgroup_size_z};
  uint64_t threads = 1, blocks = 1;
  for (unsigned i = 0; i < 3; ++i) {
    dispatch.grid[i] = i < dimensions ? grid[i] : 1;
    dispatch.block[i] = i < dimensions ? block[i] : 1;
    if (!dispatch.grid[i] || !dispatch.block[i])
      return {HSA_STATUS_ERROR_INVALID_ARGUMENT,
              "a grid or block size is zero"};
    threads *= dispatch.block[i];
    if (__builtin_mul_overflow(
            blocks,
            (uint64_t(dispatch.grid[i]) + dispatch.block[i] - 1) /
                dispatch.block[i],
            &blocks))
      return {HSA_STATUS_ERROR_INVALID_ARGUMENT,
              "the grid has more than 2^64 blocks"};
  }
  if (threads > MAX_GROUP_SIZE)
    return {HSA_STATUS_ERROR_INVALID_ARGUMENT,
            "a block of " + std::to_string(threads) + " threads, at most " +
                std::to_string(MAX_GROUP_SIZE)};
  return {};
}

/// Checks the packet's shared memory, stack and arguments and copies them to
/// the launch.
Queue::Failure Queue::set_memory(const hsa_kernel_dispatch_packet_t &packet,
                                 const ExecutableSymbol &symbol,
                                 KernelLaunch &launch) const {
  Dispatch &dispatch = launch.dispatch;
  const KernelCode::Sizes &sizes = launch.kernel->sizes();
  const uint32_t most_shared = agent.model->processor.limits.lds_of_block();
  dispatch.shared_size = std::max(packet.group_segment_size, sizes.shared_size);
  dispatch.stack_size = std::max(packet.private_segment_size, sizes.stack_size);
  if (dispatch.shared_size > most_shared)
    return {HSA_STATUS_ERROR_OUT_OF_RESOURCES,
            std::to_string(dispatch.shared_size) +
                " bytes of group segment, at most " +
                std::to_string(most_shared)};
  if (dispatch.stack_size > sizes.largest_stack)
    return {HSA_STATUS_ERROR_OUT_OF_RESOURCES,
            std::to_string(dispatch.stack_size) +
                " bytes of private segment per thread, at most " +
                std::to_string(sizes.largest_stack)};
  launch.payload.kernarg = reinterpret_cast<uint64_t>(packet.kernarg_address);
  // Kernels that read no arguments need no address. One that reads some without
  // an address ends with a fault.
  if (symbol.kernarg_size && packet.kernarg_address &&
      !kernarg_visible(launch.payload.kernarg, symbol.kernarg_size))
    return {HSA_STATUS_ERROR_INVALID_ARGUMENT,
            std::to_string(symbol.kernarg_size) +
                " bytes of kernel arguments are not in memory that the device "
                "sees"};
  return {};
}

/// Checks the packet and fills in the launch from it.
Queue::Failure Queue::prepare(const hsa_kernel_dispatch_packet_t &packet,
                              KernelLaunch &launch) const {
  Dispatch &dispatch = launch.dispatch;
  if (Failure failure = set_grid(packet, dispatch);
      failure.status != HSA_STATUS_SUCCESS)
    return failure;
  std::shared_ptr<Executable> executable =
      runtime.executable_of_kernel(packet.kernel_object);
  if (!executable || !executable->frozen())
    return {HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
            "kernel object is no kernel of a frozen executable"};
  auto ready = executable->kernel(packet.kernel_object);
  if (!ready)
    return {HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
            llvm::toString(ready.takeError())};
  if (ready->symbol->agent != &agent)
    return {HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
            "the kernel was loaded for another agent"};
  launch.kernel = std::move(ready->code);
  launch.symbols = std::move(ready->symbols);
  if (Failure failure = set_memory(packet, *ready->symbol, launch);
      failure.status != HSA_STATUS_SUCCESS)
    return failure;
  if (packet.completion_signal.handle &&
      !runtime.signals.completes(packet.completion_signal))
    return {HSA_STATUS_ERROR_INVALID_SIGNAL, "its completion signal is none"};
  launch.payload.known = ready->symbol->object->image->known;
  dispatch.payload = &launch.payload;
  dispatch.count = runtime.machine.options.statistics;
  dispatch.check_uninitialized = runtime.machine.options.check_uninitialized;
  return {};
}

Queue::Failure Queue::prepare_launch(const hsa_kernel_dispatch_packet_t &packet,
                                     uint64_t index,
                                     std::shared_ptr<Launch> &ready) {
  auto launch = std::make_shared<KernelLaunch>();
  Failure failure = prepare(packet, *launch);
  Packet *copy = nullptr;
  if (failure.status == HSA_STATUS_SUCCESS) {
    if (!runtime.machine.scheduler().ready())
      failure = {HSA_STATUS_ERROR_OUT_OF_RESOURCES, "no thread to run it"};
    else if (!(copy = take_copy(packet)))
      failure = {HSA_STATUS_ERROR_OUT_OF_RESOURCES, "no memory"};
  }
  if (failure.status != HSA_STATUS_SUCCESS) {
    failure.message = "queue packet " + std::to_string(index) +
                      ": kernel dispatch: " + failure.message + "\n";
    return failure;
  }
  launch->payload.packet = reinterpret_cast<uint64_t>(copy);
  launch->payload.queue = reinterpret_cast<uint64_t>(shared);
  launch->payload.dispatch_id = index;
  launch->done = [self = shared_from_this(),
                  completion = packet.completion_signal, copy](Launch &launch) {
    self->ended(launch, completion, copy);
  };
  ready = std::move(launch);
  return {};
}

static hsa_status_t status_of(Fault::Kind kind) {
  switch (kind) {
  case Fault::Kind::none: // the host had no memory for a block
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  case Fault::Kind::illegal_instruction:
  case Fault::Kind::unsupported_instruction:
  case Fault::Kind::bad_register:
    return hsa_status_t(HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION);
  case Fault::Kind::trap:
  case Fault::Kind::uninitialized: // not a wrong access to memory
    return HSA_STATUS_ERROR_EXCEPTION;
  case Fault::Kind::out_of_shared:
  case Fault::Kind::out_of_stack:
  case Fault::Kind::misaligned:
    return hsa_status_t(HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION);
  default:
    return hsa_status_t(HSA_STATUS_ERROR_MEMORY_FAULT);
  }
}

void Queue::ended(Launch &launch, hsa_signal_t completion, Packet *copy) {
  Failure failure;
  bool handled = false;
  if (launch.dispatch.count)
    runtime.machine.statistics.add(launch);
  if (launch.report) {
    failure = {status_of(launch.report->fault.kind), launch.report->text};
    {
      std::lock_guard guard(lock);
      inactive = true;
    }
    runtime.machine.reports.add(failure.message,
                                signal_of(launch.report->fault));
    if (failure.status == hsa_status_t(HSA_STATUS_ERROR_MEMORY_FAULT))
      handled = runtime.tell_memory_fault(launch.report->fault, agent);
    tell(failure, handled);
  } else if (!launch.dispatch.stop) {
    runtime.signals.complete(completion, launch.started, launch.ended);
  }
  std::unique_lock guard(lock);
  std::erase_if(in_flight,
                [&](const auto &running) { return running.get() == &launch; });
  copies.push_back(copy);
  failure = take_packets();
  idle.notify_all();
  guard.unlock();
  if (failure.status != HSA_STATUS_SUCCESS) {
    runtime.machine.reports.add(failure.message);
    tell(failure, false);
  }
}

} // namespace gpuexec::emulator
