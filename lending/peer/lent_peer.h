//===-- lending/peer/lent_peer.h - One client of a worker -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Carries out what a client asks of the device that is lent to it, until the
// client has gone.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_PEER_LENT_PEER_H
#define GPUEXEC_LENDING_PEER_LENT_PEER_H

#include "lending/peer/copies.h"
#include "lending/peer/host_memory.h"
#include "lending/peer/peer.h"
#include "lending/wire/copy_slot.h"
#include "lending/wire/shared_memory.h"
#include <atomic>
#include <chrono>

namespace gpuexec::lending {

class LentPeer final : public Peer {
public:
  /// `memory`: for mailboxes; null: all of the device's memory is shared
  /// already. `most_heap`: bytes that a program may allocate.
  LentPeer(Device &device, HostMemory *memory, uint64_t most_heap)
      : Peer(wire::LENT, most_of_session(most_heap)), memory(memory),
        most_heap(most_heap) {
    this->device = &device;
  }
  /// What a client has besides its program's heap: the image, its mailbox,
  /// arguments, memory for copies.
  static constexpr uint64_t SESSION_ALLOWANCE = uint64_t(64) << 20;
  /// Bytes that a client may have the worker allocate, its heap included.
  static constexpr uint64_t most_of_session(uint64_t most_heap) {
    return most_heap > UINT64_MAX - SESSION_ALLOWANCE
               ? UINT64_MAX
               : most_heap + SESSION_ALLOWANCE;
  }
  /// The client is another machine's. `arena`: all of an emulated device's
  /// memory, of which it sees parts only; nothing for another device.
  void serve_far(std::optional<HostMemory::Part> arena) {
    is_far = true;
    shared = arena;
  }
  /// Where in the arena's file the device's address is.
  HostMemory::Part part_of_arena(DeviceAddress address, uint64_t size) const {
    return {address, size, shared->file, address - shared->begin};
  }
  /// `function` ends the kernels of this process and of no other; false: it
  /// cannot. For programs that run beside others.
  void set_end_kernel(std::function<bool()> function) {
    end_kernel = std::move(function);
  }
  /// `function` is called before serve_client() ends the process.
  void set_before_end(std::function<void()> function) {
    before_end = std::move(function);
  }
  /// Whether a thread may poll for requests: by default where it takes no
  /// processor from the client.
  void set_polls(bool value) { polls = value; }
  /// Serves until the client closes its connection. Ends the process when a
  /// kernel runs then: nothing else ends that.
  void serve_client(int connection, int launches);
  /// Gives back what the client has left.
  void clean_up() {
    slot.reset();
    copies.reset();
    free_everything();
  }
  /// The client has set options that stay with the process.
  bool has_set_options() const { return options_set; }

protected:
  using Peer::serve;
#define SERVE(NAME)                                                            \
  llvm::Error serve(const wire::NAME &request, wire::NAME::Reply &reply,       \
                    Response &response) override;
  SERVE(SetOption)
  SERVE(AllocateHost)
  SERVE(UseCopies)
  SERVE(CopyRead)
  SERVE(CopyWrite)
  SERVE(CopyFinish)
  SERVE(Launch)
  SERVE(SendImage)
  SERVE(ImageBytes)
#undef SERVE
  void limit(LaunchSettings &settings) override;
  bool may_copy(DeviceAddress address, uint64_t size, bool writable) override {
    return device->heap().holds(address, size, writable);
  }

private:
  using Clock = std::chrono::steady_clock;
  std::optional<wire::Message> next_request(wire::Channel &control);
  void expect_copy();
  void wait_for_kernel();
  llvm::Error continue_image(llvm::StringRef bytes);
  llvm::Error parse_image(llvm::StringRef bytes);
  std::byte *host_view(DeviceAddress address, uint64_t size) const;
  llvm::Expected<DeviceAddress> allocate_in_arena(uint64_t size,
                                                  Response &response);

  HostMemory *const memory;
  bool is_far = false;
  std::optional<HostMemory::Part> shared; ///< for a far client
  const uint64_t most_heap;
  std::atomic<bool> running = false; ///< a kernel
  std::function<bool()> end_kernel;
  std::function<void()> before_end;
  std::vector<HostBuffer> in_arena;   ///< of allocate_in_arena()
  std::optional<Copies> copies;       ///< in memory of allocate_host()
  std::optional<wire::CopySlot> slot; ///< behind that memory
  bool polls = wire::has_processors_to_poll();
  bool is_polling = false; ///< the slot, until `poll_until`
  Clock::time_point poll_until;
  std::optional<wire::Message> held; ///< came over the socket; its turn is next
  bool options_set = false;
  std::string image_name;
  std::string image_bytes;
  uint64_t image_size = 0;
  bool in_file = false; ///< the image, in place of image_bytes
  wire::SealedBytes mapped_image;
  std::vector<Image> images; ///< at most one, in one of these two
};

} // namespace gpuexec::lending

#endif
