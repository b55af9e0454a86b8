//===-- replay/player/hsa_launch.c - Kernels on an AMD GPU ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel at a time (HSA runtime specification 1.2, 2.6). A real GPU can
// write to the queue's structure; therefore the host reads it only before the
// first kernel.
//===----------------------------------------------------------------------===//
#include "gpu/start_up.h"
#include "replay/player/hsa.h"
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <signal.h>
#include <string.h>

static void on_queue_error(hsa_status_t result, hsa_queue_t *queue,
                           void *data) {
  struct hsa_device *hsa = data;
  (void)queue;
  if (result == HSA_STATUS_SUCCESS)
    return;
  hsa->queue_status = result;
  __atomic_store_n(&hsa->happened, 1, __ATOMIC_RELEASE);
}

/// Returns success, or ROCm would end the process before the fault is reported.
static hsa_status_t on_system_event(const hsa_amd_event_t *event, void *data) {
  struct hsa_device *hsa = data;
  if (event->event_type != HSA_AMD_GPU_MEMORY_FAULT_EVENT)
    return HSA_STATUS_SUCCESS;
  hsa->memory_fault = true;
  hsa->fault_address = event->memory_fault.virtual_address;
  hsa->fault_reason = event->memory_fault.fault_reason_mask;
  __atomic_store_n(&hsa->happened, 1, __ATOMIC_RELEASE);
  return HSA_STATUS_SUCCESS;
}

void create_queue(struct hsa_device *hsa) {
  enum { PACKETS = 64 };
  uint32_t minimum = 0;
  hsa->api.hsa_agent_get_info(hsa->gpu, HSA_AGENT_INFO_QUEUE_MIN_SIZE,
                              &minimum);
  check_hsa(hsa,
            hsa->api.hsa_queue_create(hsa->gpu,
                                      minimum > PACKETS ? minimum : PACKETS,
                                      HSA_QUEUE_TYPE_MULTI, on_queue_error, hsa,
                                      UINT32_MAX, UINT32_MAX, &hsa->queue),
            "a queue");
  hsa->ring = hsa->queue->base_address;
  hsa->ring_mask = hsa->queue->size - 1;
  hsa->doorbell = hsa->queue->doorbell_signal;
  hsa->next = hsa->api.hsa_queue_load_write_index_relaxed(hsa->queue);
  check_hsa(hsa, hsa->api.hsa_signal_create(0, 0, NULL, &hsa->completion),
            "a signal");
  // The queue may lie in an allocation that hsa_holds() takes for the
  // program's.
  protect_range(hsa, (uint64_t)hsa->queue, sizeof(amd_queue_t));
  protect_range(hsa, (uint64_t)hsa->ring,
                (hsa->ring_mask + 1) * sizeof *hsa->ring);
  protect_range(hsa, hsa->doorbell.handle, sizeof(amd_signal_t));
  protect_range(hsa, hsa->completion.handle, sizeof(amd_signal_t));
  hsa->api.hsa_amd_register_system_event_handler(on_system_event, hsa);
}

//===-- What a kernel is given --------------------------------------------===//

static uint16_t dimensions(const struct grid *grid) {
  if (grid->threads[2] > 1 || grid->blocks[2] > 1)
    return 3;
  return grid->threads[1] > 1 || grid->blocks[1] > 1 ? 2 : 1;
}

/// The value of an implicit argument; 0 for kinds that gpu-replay does not
/// know.
static uint64_t value_of(enum hidden_kind kind, const struct grid *grid,
                         const hsa_queue_t *queue) {
  switch (kind) {
  case HIDDEN_block_count_x:
  case HIDDEN_block_count_y:
  case HIDDEN_block_count_z:
    return grid->blocks[kind - HIDDEN_block_count_x];
  case HIDDEN_group_size_x:
  case HIDDEN_group_size_y:
  case HIDDEN_group_size_z:
    return grid->threads[kind - HIDDEN_group_size_x];
  case HIDDEN_grid_dims:
    return dimensions(grid);
  case HIDDEN_queue_ptr:
    return (uint64_t)queue;
  default:
    return 0;
  }
}

static void *make_arguments(struct hsa_device *hsa, const struct kernel *kernel,
                            const struct grid *grid, const void *arguments) {
  uint8_t *block = NULL;
  if (!kernel->kernarg_size)
    return NULL;
  check_hsa(hsa,
            hsa->api.hsa_amd_memory_pool_allocate(
                hsa->kernarg_pool, kernel->kernarg_size, 0, (void **)&block),
            "allocating kernel arguments");
  check_hsa(hsa,
            hsa->api.hsa_amd_agents_allow_access(1, &hsa->gpu, NULL, block),
            "giving the device access to kernel arguments");
  protect_range(hsa, (uint64_t)block, kernel->kernarg_size);
  memset(block, 0, kernel->kernarg_size);
  memcpy(block, arguments, kernel->arguments_size);
  for (unsigned i = 0; i < kernel->hidden_count; ++i) {
    const struct hidden_argument *hidden = &kernel->hidden[i];
    const uint64_t value = value_of(hidden->kind, grid, hsa->queue);
    memcpy(block + hidden->offset, &value,
           hidden->size < sizeof value ? hidden->size : sizeof value);
  }
  return block;
}

//===-- Stack -------------------------------------------------------------===//

/// The stack of a thread if neither the compiler nor the user knows its size:
/// as loader/device/hsa/kernarg.cpp.
static uint64_t default_stack(struct hsa_device *hsa, const struct grid *grid) {
  const uint64_t budget = 256u << 20, lanes = 64;
  uint32_t units = 0, waves_per_unit = 0;
  hsa->api.hsa_agent_get_info(
      hsa->gpu, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT,
      &units);
  hsa->api.hsa_agent_get_info(
      hsa->gpu, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU,
      &waves_per_unit);
  const uint64_t resident = (uint64_t)units * waves_per_unit,
                 blocks = blocks_of(grid);
  uint64_t waves = (threads_of(grid) + lanes - 1) / lanes;
  if (hsa->emulated && blocks == 1 && threads_of(grid) == 1)
    return 8 << 20;
  waves = resident && blocks > resident / waves ? resident : blocks * waves;
  const uint64_t share = budget / lanes / waves & ~(uint64_t)15,
                 least = hsa->emulated ? 64 << 10 : 16 << 10,
                 most = hsa->emulated ? 1 << 20 : 64 << 10;
  return share < least ? least : share > most ? most : share;
}

/// Tells a program that recurses how much stack its threads have, as
/// loader/device/stack_limits.cpp does.
static void write_stack_limits(struct device *device, uint64_t size) {
  uint64_t address;
  if (!device->find_global(device, GPUEXEC_STACK_LIMITS, &address))
    return;
  const uint64_t least = size / 2 < 16 << 10 ? size / 2 : 16 << 10,
                 for_functions = least > size / 4 ? least : size / 4,
                 for_message = size / 4 < 2 << 10 ? size / 4 : 2 << 10;
  const uint32_t limits[] = {(uint32_t)(size - for_functions),
                             (uint32_t)(size - for_message), (uint32_t)size};
  if (device->write(device, address, limits, sizeof limits))
    fail(STATUS_FAILED, "%s: writing the limits of the stack", device->name);
}

static uint32_t stack_of(struct hsa_device *hsa, const struct kernel *kernel,
                         const struct grid *grid,
                         hsa_executable_symbol_t symbol) {
  const uint64_t largest = hsa->emulated ? 32u << 20 : 131056;
  uint32_t fixed = 0;
  check_hsa(hsa,
            hsa->api.hsa_executable_symbol_get_info(
                symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
                &fixed),
            "the stack of a kernel");
  if (!kernel->dynamic_stack)
    return fixed;
  uint64_t wanted =
      hsa->plan->stack_size ? hsa->plan->stack_size : default_stack(hsa, grid);
  wanted = wanted < fixed ? fixed : wanted > largest ? largest : wanted;
  wanted = (wanted + 15) / 16 * 16;
  write_stack_limits(&hsa->device, wanted);
  write_recursion_limit(&hsa->device, hsa->plan->recursion_size);
  return (uint32_t)wanted;
}

//===-- Launching ---------------------------------------------------------===//

void hsa_launch(struct device *device, const struct kernel *kernel,
                const struct grid *grid, const void *arguments) {
  struct hsa_device *hsa = hsa_of(device);
  bool found;
  const hsa_executable_symbol_t symbol =
      find_symbol(hsa, kernel->symbol, &found);
  hsa_kernel_dispatch_packet_t packet = {0};
  if (!found || hsa->api.hsa_executable_symbol_get_info(
                    symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT,
                    &packet.kernel_object) != HSA_STATUS_SUCCESS)
    fail(STATUS_NOT_RUNNABLE, "%s: no kernel '%s'", hsa->plan->program,
         kernel->symbol);
  if (!hsa->kernel) // earlier allocations do not count for the heap's limit
    hsa->used = 0;
  hsa->kernel = kernel->name;
  packet.workgroup_size_x = (uint16_t)grid->threads[0];
  packet.workgroup_size_y = (uint16_t)grid->threads[1];
  packet.workgroup_size_z = (uint16_t)grid->threads[2];
  packet.grid_size_x = grid->threads[0] * grid->blocks[0];
  packet.grid_size_y = grid->threads[1] * grid->blocks[1];
  packet.grid_size_z = grid->threads[2] * grid->blocks[2];
  packet.private_segment_size = stack_of(hsa, kernel, grid, symbol);
  packet.group_segment_size = kernel->shared_size;
  packet.kernarg_address = make_arguments(hsa, kernel, grid, arguments);
  packet.completion_signal = hsa->completion;
  hsa->api.hsa_signal_store_screlease(hsa->completion, 1);
  const uint16_t header =
      HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
      1 << HSA_PACKET_HEADER_BARRIER |
      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
      HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
  const uint16_t setup =
      (uint16_t)(dimensions(grid)
                 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS);
  const uint64_t index = hsa->next++;
  hsa_kernel_dispatch_packet_t *slot = hsa->ring + (index & hsa->ring_mask);
  memcpy((char *)slot + 4, (const char *)&packet + 4, sizeof packet - 4);
  // Header and setup are written last, in one store: then the device owns the
  // packet.
  __atomic_store_n((uint32_t *)slot, header | (uint32_t)setup << 16,
                   __ATOMIC_RELEASE);
  hsa->api.hsa_queue_store_write_index_screlease(hsa->queue, hsa->next);
  hsa->api.hsa_signal_store_screlease(hsa->doorbell, (hsa_signal_value_t)index);
}

_Noreturn static void report_fault(struct hsa_device *hsa) {
  const char *report = hsa->api.fault_report ? hsa->api.fault_report() : NULL;
  const char *text = NULL;
  int signal = hsa->api.fault_signal ? hsa->api.fault_signal() : 0;
  report = report ? report : "";
  signal = signal ? signal : SIGSEGV;
  if (hsa->memory_fault)
    end_by_fault(
        &hsa->device, signal, report,
        "%s: kernel '%s': memory fault at 0x%016llx%s%s%s", hsa->plan->program,
        hsa->kernel, (unsigned long long)hsa->fault_address,
        hsa->fault_reason & HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT
            ? ", not mapped"
            : "",
        hsa->fault_reason & HSA_AMD_MEMORY_FAULT_READ_ONLY ? ", read-only" : "",
        hsa->fault_reason & HSA_AMD_MEMORY_FAULT_NX ? ", not executable" : "");
  hsa->api.hsa_status_string(hsa->queue_status, &text);
  switch (hsa->queue_status) { // a kernel that could not be launched
  case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
  case HSA_STATUS_ERROR_INVALID_ARGUMENT:
  case HSA_STATUS_ERROR_INVALID_ALLOCATION:
  case HSA_STATUS_ERROR_INVALID_CODE_OBJECT:
  case HSA_STATUS_ERROR_INVALID_PACKET_FORMAT:
    fail(STATUS_FAILED, "kernel '%s': %s", hsa->kernel,
         text ? text : "unknown status");
  default:
    end_by_fault(&hsa->device, signal, report, "%s: kernel '%s': %s",
                 hsa->plan->program, hsa->kernel,
                 text ? text : "unknown status");
  }
}

bool hsa_runs(struct device *device) {
  struct hsa_device *hsa = hsa_of(device);
  if (__atomic_load_n(&hsa->happened, __ATOMIC_ACQUIRE))
    report_fault(hsa);
  return hsa->api.hsa_signal_load_scacquire(hsa->completion) > 0;
}
