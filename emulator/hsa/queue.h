//===-- emulator/hsa/queue.h - User-mode queues -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three threads may take packets from the ring: the one that rings the
// doorbell, the worker that ends the kernel a barrier bit waits for, and the
// events' thread when a barrier packet's signals are zero. Kernels without a
// barrier bit run concurrently. HSA 1.2, sections 2.5 to 2.8.
//
// The device can read hsa_queue_t, amd_queue_t and the ring, and cannot write
// them: it cannot enqueue. The host keeps its own state in the Queue. Of the
// shared memory it reads only the write index and the packets, which the client
// writes: each once, and then checks it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_HSA_QUEUE_H
#define GPUEXEC_EMULATOR_HSA_QUEUE_H

#include "emulator/hsa/agent.h"
#include "emulator/machine/launch.h"

#include <hsa/amd_hsa_queue.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace gpuexec::emulator {

class Runtime;
struct ExecutableSymbol;

using QueueCallback = void (*)(hsa_status_t status, hsa_queue_t *queue,
                               void *data);

class Queue : public std::enable_shared_from_this<Queue> {
public:
  /// Null when there is no memory for it. `size` is a power of two between the
  /// agent's limits.
  static std::shared_ptr<Queue> create(Runtime &runtime, const Agent &agent,
                                       uint32_t size, hsa_queue_type32_t type,
                                       QueueCallback callback, void *data);
  ~Queue();
  /// Stops the kernels that run and waits for their end. The owner must call
  /// this before it drops the queue.
  void close();

  hsa_queue_t *handle() { return &shared->hsa_queue; }
  /// Takes all packets that can start now.
  void process();
  /// Takes no further packet and stops the kernels that run.
  void inactivate();

private:
  union Packet {
    uint32_t first_word; // header and setup; the client writes it last, and
                         // the packet is valid from then on
    hsa_kernel_dispatch_packet_t kernel;
    hsa_barrier_and_packet_t barrier;
    hsa_amd_barrier_value_packet_t value;
  };
  struct Failure {
    hsa_status_t status = HSA_STATUS_SUCCESS;
    std::string message; // a line or more, for FaultReports
  };
  Queue(Runtime &runtime, const Agent &agent)
      : runtime(runtime), agent(agent) {}

  /// Starts the packets that can start. The lock is held. After a failure the
  /// queue is inactive.
  Failure take_packets();
  struct KernelLaunch;
  static Failure set_grid(const hsa_kernel_dispatch_packet_t &packet,
                          Dispatch &dispatch);
  Failure set_memory(const hsa_kernel_dispatch_packet_t &packet,
                     const ExecutableSymbol &symbol,
                     KernelLaunch &launch) const;
  Failure prepare(const hsa_kernel_dispatch_packet_t &packet,
                  KernelLaunch &launch) const;
  /// Makes a launch of packet `index`. The caller starts it.
  Failure prepare_launch(const hsa_kernel_dispatch_packet_t &packet,
                         uint64_t index, std::shared_ptr<Launch> &ready);
  void ended(Launch &launch, hsa_signal_t completion, Packet *copy);
  /// Both return true if the barrier packet's condition holds. If not, they see
  /// to it that process() is called when it may hold.
  bool barrier_holds(const Packet &packet, bool is_and);
  bool value_holds(const Packet &packet);
  void call_when_due(hsa_signal_t signal,
                     std::function<bool(hsa_signal_value_t)> is_due);
  Packet *take_copy(const hsa_kernel_dispatch_packet_t &packet);
  bool kernarg_visible(uint64_t begin, uint64_t size) const;
  void tell(const Failure &failure, bool handled);

  Runtime &runtime;
  const Agent &agent;
  amd_queue_t *shared = nullptr; // the host reads only its write index
  Packet *ring = nullptr;
  uint32_t slots = 0;     // of the ring, a power of two
  uint64_t next_read = 0; // index of the packet to be taken next
  hsa_signal_t doorbell = {0}, inactive_signal = {0};
  uint64_t memory_begin = 0, memory_size = 0;
  QueueCallback callback = nullptr;
  void *callback_data = nullptr;

  std::mutex lock;
  std::condition_variable idle;
  std::vector<std::shared_ptr<Launch>> in_flight;
  std::vector<Packet *>
      copies; // places for copies of packets (take_copy) that are free
  std::vector<uint64_t> copy_pages;
  bool waiting_for_signals = false, inactive = false;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_HSA_QUEUE_H
