//===-- emulator/hsa/queue.cpp - User-mode queues -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/hsa/queue.h"
#include "emulator/amdgpu/abi/apertures.h"
#include "emulator/hsa/runtime.h"
#include "support/printable.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gpuexec::emulator {

static std::atomic<uint64_t> &atomic_of(volatile uint64_t &word) {
  return *reinterpret_cast<std::atomic<uint64_t> *>(
      const_cast<uint64_t *>(&word));
}

static std::atomic<uint32_t> &atomic_of(uint32_t &word) {
  return *reinterpret_cast<std::atomic<uint32_t> *>(&word);
}

std::shared_ptr<Queue> Queue::create(Runtime &runtime, const Agent &agent,
                                     uint32_t size, hsa_queue_type32_t type,
                                     QueueCallback callback, void *data) {
  static_assert(sizeof(Packet) == 64);
  std::shared_ptr<Queue> queue(new Queue(runtime, agent));
  uint64_t ring_begin = (sizeof(amd_queue_t) + 4095) & ~uint64_t(4095);
  uint64_t bytes = ring_begin + uint64_t(size) * sizeof(Packet);
  uint64_t begin = runtime.machine.pages.allocate(bytes);
  if (!begin)
    return nullptr;
  Region region;
  region.begin = begin;
  region.end = begin + bytes;
  region.kind = MemoryKind::runtime;
  region.writable = false;
  region.name = "queue";
  runtime.machine.memory.add(std::move(region));
  queue->memory_begin = begin;
  queue->memory_size = bytes;
  queue->shared = reinterpret_cast<amd_queue_t *>(begin);
  queue->ring = reinterpret_cast<Packet *>(
      begin + ring_begin); // all zeros: see take_packets
  queue->slots = size;
  queue->callback = callback;
  queue->callback_data = data;
  amd_queue_t &shared = *queue->shared;
  shared.hsa_queue.type = type;
  shared.hsa_queue.features = HSA_QUEUE_FEATURE_KERNEL_DISPATCH;
  shared.hsa_queue.base_address = queue->ring;
  shared.hsa_queue.size = size;
  static std::atomic<uint64_t> next_id{1};
  shared.hsa_queue.id = next_id++;
  shared.group_segment_aperture_base_hi =
      uint32_t(amdgpu::SHARED_APERTURE >> 32);
  shared.private_segment_aperture_base_hi =
      uint32_t(amdgpu::PRIVATE_APERTURE >> 32);
  shared.max_cu_id = agent.model->compute_units - 1;
  shared.max_wave_id = agent.model->waves_per_cu() - 1;
  shared.read_dispatch_id_field_base_byte_offset =
      offsetof(amd_queue_t, read_dispatch_id);
  shared.queue_properties = AMD_QUEUE_PROPERTIES_IS_PTR64;
  queue->doorbell =
      runtime.signals.create(-1, Signals::Writers::host, queue.get());
  queue->inactive_signal = runtime.signals.create(0, Signals::Writers::host);
  shared.hsa_queue.doorbell_signal = queue->doorbell;
  shared.queue_inactive_signal = queue->inactive_signal;
  if (!queue->doorbell.handle || !queue->inactive_signal.handle)
    return nullptr;
  return queue;
}

Queue::~Queue() {
  if (!memory_begin)
    return;
  runtime.signals.destroy(doorbell);
  runtime.signals.destroy(inactive_signal);
  auto release = [](void *context, uint64_t begin, uint64_t end) {
    static_cast<PageAllocator *>(context)->free(begin, end - begin);
  };
  runtime.machine.memory.remove(memory_begin, release, &runtime.machine.pages);
  for (uint64_t page : copy_pages)
    runtime.machine.memory.remove(page, release, &runtime.machine.pages);
}

void Queue::inactivate() {
  std::vector<std::shared_ptr<Launch>> running;
  {
    std::lock_guard guard(lock);
    inactive = true;
    running = in_flight;
  }
  for (auto &launch : running)
    runtime.machine.scheduler().stop(*launch);
}

void Queue::close() {
  inactivate();
  std::unique_lock guard(lock);
  idle.wait(guard, [&] { return in_flight.empty(); });
}

void Queue::process() {
  std::unique_lock guard(lock);
  Failure failure = take_packets();
  guard.unlock();
  if (failure.status != HSA_STATUS_SUCCESS) {
    runtime.machine.reports.add(failure.message);
    tell(failure, false);
  }
}

Queue::Failure Queue::take_packets() {
  while (!inactive && !waiting_for_signals) {
    uint64_t index = next_read;
    if (index >=
        atomic_of(shared->write_dispatch_id).load(std::memory_order_acquire))
      return {};
    Packet &slot = ring[index & (slots - 1)];
    uint32_t first_word =
        atomic_of(slot.first_word).load(std::memory_order_acquire);
    auto type = hsa_packet_type_t(first_word >> HSA_PACKET_HEADER_TYPE & 0xff);
    // A slot that was never used is all zeros; a vendor packet names its format
    // in the third byte.
    if (type == HSA_PACKET_TYPE_INVALID || first_word == 0)
      return {};
    bool barrier = first_word >> HSA_PACKET_HEADER_BARRIER & 1;
    if (barrier && !in_flight.empty())
      return {}; // ended() will call this again
    Packet packet;
    // Read once, then only the copy is used: the client may write to the slot.
    memcpy(&packet, &slot, sizeof(packet));
    packet.first_word = first_word;
    Failure failure;
    hsa_signal_t completion = {0};
    std::shared_ptr<Launch> launch;
    switch (type) {
    case HSA_PACKET_TYPE_KERNEL_DISPATCH:
      failure = prepare_launch(packet.kernel, index, launch);
      break;
    case HSA_PACKET_TYPE_BARRIER_AND:
    case HSA_PACKET_TYPE_BARRIER_OR:
      if (!barrier_holds(packet, type == HSA_PACKET_TYPE_BARRIER_AND))
        return {};
      completion = packet.barrier.completion_signal;
      break;
    case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
      if (packet.value.header.AmdFormat == HSA_AMD_PACKET_TYPE_BARRIER_VALUE) {
        if (!value_holds(packet))
          return {};
        completion = packet.value.completion_signal;
        break;
      }
      [[fallthrough]];
    default:
      failure = {HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
                 "queue packet " + std::to_string(index) +
                     ": unknown packet type " + std::to_string(type) + "\n"};
    }
    if (completion.handle && !runtime.signals.completes(completion))
      failure = {HSA_STATUS_ERROR_INVALID_SIGNAL,
                 "queue packet " + std::to_string(index) +
                     ": its completion signal is none\n"};
    if (failure.status != HSA_STATUS_SUCCESS) {
      inactive = true;
      return failure;
    }
    // The slot is the client's again.
    atomic_of(slot.first_word)
        .store(HSA_PACKET_TYPE_INVALID << HSA_PACKET_HEADER_TYPE,
               std::memory_order_relaxed);
    next_read = index + 1;
    atomic_of(shared->read_dispatch_id)
        .store(next_read, std::memory_order_release);
    // Only now is the packet launched or completed: who sees it complete also
    // sees that the read index is behind it.
    if (launch) {
      in_flight.push_back(launch);
      runtime.machine.scheduler().launch(launch);
    }
    if (completion.handle) {
      uint64_t now = clock_now();
      runtime.signals.complete(completion, now, now);
    }
  }
  return {};
}

void Queue::call_when_due(hsa_signal_t signal,
                          std::function<bool(hsa_signal_value_t)> is_due) {
  waiting_for_signals = true;
  runtime.events.must_watch(runtime.signals, signal, std::move(is_due),
                            [weak = weak_from_this()](hsa_signal_value_t) {
                              if (std::shared_ptr<Queue> queue = weak.lock()) {
                                {
                                  std::lock_guard guard(queue->lock);
                                  queue->waiting_for_signals = false;
                                }
                                queue->process();
                              }
                              return false;
                            });
}

bool Queue::barrier_holds(const Packet &packet, bool is_and) {
  bool any = false, all = true;
  std::vector<hsa_signal_t> pending;
  for (hsa_signal_t signal : packet.barrier.dep_signal) {
    if (!runtime.signals.state(signal))
      continue; // null handles do not count
    bool zero = Signals::value(signal).load() == 0;
    any |= zero;
    all &= zero;
    if (!zero)
      pending.push_back(signal);
  }
  if (is_and ? all : any || pending.empty())
    return true;
  auto is_zero = [](hsa_signal_value_t value) { return value == 0; };
  if (is_and)
    pending.resize(1); // when this one is zero, process() looks at the others
  for (hsa_signal_t signal : pending)
    call_when_due(signal, is_zero);
  return false;
}

bool Queue::value_holds(const Packet &packet) {
  const hsa_amd_barrier_value_packet_t &wanted = packet.value;
  if (!runtime.signals.state(wanted.signal))
    return true;
  auto is_due = [condition = hsa_signal_condition_t(wanted.cond),
                 mask = wanted.mask,
                 value = wanted.value](hsa_signal_value_t now) {
    return holds(condition, now & mask, value);
  };
  if (is_due(Signals::value(wanted.signal).load()))
    return true;
  call_when_due(wanted.signal, is_due);
  return false;
}

// Tells the client of an error through the queue's inactive signal and its
// callback. Without a callback, and unless an event handler has `handled` the
// error, prints the report and ends the process.
void Queue::tell(const Failure &failure, bool handled) {
  Signals &signals = runtime.signals;
  if (Signals::State *state = signals.state(inactive_signal)) {
    Signals::value(inactive_signal).store(failure.status);
    signals.changed(inactive_signal, *state);
  }
  if (callback) {
    ClientCall call;
    callback(failure.status, handle(), callback_data);
    return;
  }
  if (handled)
    return;
  if (!runtime.machine.reports.prints)
    fputs(printable_lines(failure.message).c_str(), stderr);
  abort();
}

} // namespace gpuexec::emulator
