//===-- emulator/cuda/driver/dispatcher.cpp - See dispatcher.h ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/dispatcher.h"
#include "emulator/cuda/driver/services.h"
#include "emulator/cuda/host/workers.h"
#include "support/printable.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <hsa/amd_hsa_queue.h>

namespace gpuexec::cuda {

namespace {

constexpr uint32_t QUEUE_PACKETS = 64;
constexpr uint64_t TICKS_BETWEEN_LOOKS = 100000; // 1 ms

unsigned dimensions(const Launch &launch) {
  if (launch.threads[2] > 1 || launch.blocks[2] > 1)
    return 3;
  return launch.threads[1] > 1 || launch.blocks[1] > 1 ? 2 : 1;
}

uint64_t value_of(const HiddenFacts &hidden, const Launch &launch,
                  const void *queue) {
  switch (hidden.kind) {
  case HiddenFacts::block_count:
    return launch.blocks[hidden.dimension];
  case HiddenFacts::group_size:
    return launch.threads[hidden.dimension];
  case HiddenFacts::grid_dimensions:
    return dimensions(launch);
  case HiddenFacts::dynamic_shared:
    return launch.dynamic_shared;
  case HiddenFacts::queue:
    return reinterpret_cast<uint64_t>(queue);
  default:
    return 0;
  }
}

/// What CUDA calls a fault of the emulator.
CUresult error_of(int status) {
  switch (status) {
  case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  case HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION:
    return CUDA_ERROR_ILLEGAL_INSTRUCTION;
  case HSA_STATUS_ERROR_EXCEPTION: // a trap
    return CUDA_ERROR_LAUNCH_FAILED;
  case HSA_STATUS_ERROR_MEMORY_FAULT:
  case HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION:
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  default:
    return CUDA_ERROR_LAUNCH_FAILED;
  }
}

} // namespace

Dispatcher::~Dispatcher() {
  drop_queue();
  if (kernarg)
    hsa.free(kernarg);
}

bool Dispatcher::make_queue() {
  if (queue)
    return true;
  queue_status = HSA_STATUS_SUCCESS;
  auto on_error = [](hsa_status_t status, hsa_queue_t *, void *data) {
    Dispatcher &self = *static_cast<Dispatcher *>(data);
    self.queue_status = status;
    self.hsa.api.hsa_signal_store_screlease(self.completion, -1);
  };
  if (hsa.api.hsa_signal_create(1, 0, nullptr, &completion) !=
      HSA_STATUS_SUCCESS)
    return false;
  if (hsa.api.hsa_queue_create(hsa.agent, QUEUE_PACKETS, HSA_QUEUE_TYPE_SINGLE,
                               on_error, this, UINT32_MAX, UINT32_MAX,
                               &queue) == HSA_STATUS_SUCCESS)
    return true;
  queue = nullptr;
  drop_queue();
  return false;
}

void Dispatcher::drop_queue() {
  if (queue)
    hsa.api.hsa_queue_destroy(queue);
  if (completion.handle)
    hsa.api.hsa_signal_destroy(completion);
  queue = nullptr;
  completion = {};
}

bool Dispatcher::set_arguments(const Launch &launch) {
  const KernelFacts &facts = *launch.facts;
  if (facts.kernarg_size > kernarg_size) {
    if (kernarg)
      hsa.free(kernarg);
    kernarg_size = (facts.kernarg_size + 4095) / 4096 * 4096;
    kernarg = static_cast<char *>(hsa.allocate(kernarg_size));
    if (!kernarg) {
      kernarg_size = 0;
      return false;
    }
  }
  if (!facts.kernarg_size)
    return true;
  std::string block(facts.kernarg_size, '\0');
  memcpy(block.data(), launch.arguments.data(),
         std::min(launch.arguments.size(), block.size()));
  for (const HiddenFacts &hidden : facts.hidden) {
    const uint64_t value = value_of(hidden, launch, queue);
    memcpy(block.data() + hidden.offset, &value,
           std::min<size_t>(hidden.size, sizeof(value)));
  }
  return hsa.copy(kernarg, block.data(), block.size());
}

void Dispatcher::enqueue(const Launch &launch) {
  hsa_kernel_dispatch_packet_t packet{};
  packet.setup = uint16_t(dimensions(launch)
                          << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS);
  packet.workgroup_size_x = uint16_t(launch.threads[0]);
  packet.workgroup_size_y = uint16_t(launch.threads[1]);
  packet.workgroup_size_z = uint16_t(launch.threads[2]);
  packet.grid_size_x = launch.threads[0] * launch.blocks[0];
  packet.grid_size_y = launch.threads[1] * launch.blocks[1];
  packet.grid_size_z = launch.threads[2] * launch.blocks[2];
  const KernelFacts &facts = *launch.facts;
  packet.private_segment_size = facts.dynamic_stack
                                    ? std::max(launch.stack, facts.private_size)
                                    : facts.private_size;
  packet.group_segment_size = facts.shared_size + launch.dynamic_shared;
  packet.kernel_object = launch.kernel_object;
  packet.kernarg_address = kernarg;
  packet.completion_signal = completion;

  const uint64_t index = hsa.api.hsa_queue_add_write_index_relaxed(queue, 1);
  auto *slot =
      static_cast<hsa_kernel_dispatch_packet_t *>(queue->base_address) +
      index % queue->size;
  memcpy(reinterpret_cast<char *>(slot) + 4,
         reinterpret_cast<const char *>(&packet) + 4, sizeof(packet) - 4);
  const uint32_t header =
      (HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE) |
      (1 << HSA_PACKET_HEADER_BARRIER) |
      (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE) |
      (HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE);
  // Release: the device sees the packet's other words with its header.
  __atomic_store_n(reinterpret_cast<uint32_t *>(slot),
                   header | uint32_t(packet.setup) << 16, __ATOMIC_RELEASE);
  hsa.api.hsa_signal_store_screlease(queue->doorbell_signal,
                                     hsa_signal_value_t(index));
}

CUresult Dispatcher::run_on_host(const Launch &launch) {
  host::Grid grid;
  grid.kernel = launch.host;
  grid.name = launch.name.c_str();
  grid.arguments = reinterpret_cast<const uint8_t *>(launch.arguments.data());
  grid.variables = launch.variables;
  grid.blocks = launch.blocks;
  grid.threads = launch.threads;
  grid.dynamic_shared = launch.dynamic_shared;
  const host::Ending ending = host::run_grid(grid);
  if (ending.outcome == host::Outcome::done)
    return CUDA_SUCCESS;
  if (ending.outcome == host::Outcome::no_memory)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  const host::Fault &fault = ending.fault;
  const bool is_memory = fault.signal == SIGSEGV || fault.signal == SIGBUS;
  fprintf(stderr, "gpuexec cuda: kernel '%s' failed\n",
          printable(launch.name).c_str());
  if (is_memory)
    fprintf(stderr,
            "memory fault: block (%u, %u, %u) accesses address 0x%llx, which "
            "is in no allocation (GPUEXEC_CUDA_CODE=waves says where)\n",
            ending.block[0], ending.block[1], ending.block[2],
            static_cast<unsigned long long>(fault.address));
  else
    fprintf(stderr, "trap: in block (%u, %u, %u)\n", ending.block[0],
            ending.block[1], ending.block[2]);
  return is_memory ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_ERROR_LAUNCH_FAILED;
}

CUresult Dispatcher::run(const Launch &launch) {
  if (launch.host)
    return run_on_host(launch);
  if (!make_queue() || !set_arguments(launch))
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  hsa.api.hsa_signal_store_relaxed(completion, 1);
  enqueue(launch);
  return wait(launch);
}

CUresult Dispatcher::wait(const Launch &launch) {
  hsa_signal_value_t value = 1;
  while (value > 0) {
    value = hsa.api.hsa_signal_wait_scacquire(
        completion, HSA_SIGNAL_CONDITION_LT, 1,
        launch.services ? TICKS_BETWEEN_LOOKS : UINT64_MAX,
        HSA_WAIT_STATE_BLOCKED);
    if (launch.services)
      launch.services->serve();
  }
  if (queue_status != HSA_STATUS_SUCCESS)
    return fault(launch);
  return CUDA_SUCCESS;
}

CUresult Dispatcher::fault(const Launch &launch) {
  CUresult error = error_of(queue_status);
  std::string report = hsa.fault_report();
  if (launch.services && launch.services->asserted()) {
    error = CUDA_ERROR_ASSERT; // its message is printed already
  } else {
    fprintf(stderr, "gpuexec cuda: kernel '%s' failed\n%s",
            printable(launch.name).c_str(), report.c_str());
  }
  drop_queue(); // it takes no packets any more
  return error;
}

} // namespace gpuexec::cuda
