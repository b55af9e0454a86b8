//===-- lending/server/worker.cpp - A process that lends a device ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/worker.h"
#include "lending/cuda/worker/lender.h"
#include "lending/peer/lent_peer.h"
#include "lending/server/mps.h"
#include "lending/server/worker_process.h"
#include "lending/wire/shared_memory.h"
#include "loader/device/backend.h"
#include "loader/device/cuda/library.h"
#include "support/fixed_addresses.h"
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gpuexec::serve {

using wire::Channel;
using wire::Message;

namespace {

/// Bytes of address space for the memory of an emulated device: a page takes
/// memory only once it is touched.
constexpr uint64_t ARENA_SIZE = uint64_t(256) << 30;
/// Where memory is limited, the arena has the bytes that a session may allocate
/// and ARENA_ALLOWANCE more, rounded up to ARENA_STEP. The allowance is for the
/// loaded image with its zeroed variables, queues, and gaps between large
/// pages.
constexpr uint64_t ARENA_ALLOWANCE = uint64_t(64) << 20;
constexpr uint64_t ARENA_STEP = uint64_t(2) << 20;

uint64_t arena_size(uint64_t most_heap) {
  const uint64_t most = lending::LentPeer::most_of_session(most_heap);
  if (most >= ARENA_SIZE - ARENA_ALLOWANCE)
    return ARENA_SIZE;
  return (most + ARENA_ALLOWANCE + ARENA_STEP - 1) / ARENA_STEP * ARENA_STEP;
}

/// Bytes of an emulated device's memory that a client of another machine gets
/// at once, for its mailboxes.
constexpr uint64_t FIRST = uint64_t(1) << 20;

/// The SharedContext of a file, mapped until the process ends; null: there is
/// none.
SharedContext *map_context(const UniqueFd &file) {
  void *memory = ::mmap(nullptr, sizeof(SharedContext), PROT_READ | PROT_WRITE,
                        MAP_SHARED, file.get(), 0);
  return memory == MAP_FAILED ? nullptr : static_cast<SharedContext *>(memory);
}

class Worker {
public:
  explicit Worker(Channel server) : server(std::move(server)) {}
  void run();

private:
  llvm::Error list(const wire::ListDevices &request);
  llvm::Error open(const wire::OpenDevice &request);
  bool lend(Message message);
  bool lend_kept(UniqueFd client, bool is_far);
  bool lend_emulated(UniqueFd client, bool is_far);
  llvm::Error prepare_cuda();
  bool lend_cuda(UniqueFd client, bool is_far);
  template <typename T>
  llvm::Error carry_out(llvm::StringRef body,
                        llvm::Error (Worker::*function)(const T &));

  Channel server;
  std::vector<UniqueFd> files; ///< that came with the last message
  DeviceRequest request;
  OpenSettings settings;
  uint64_t most_heap = UINT64_MAX;
  DeviceInfo info;
  // In this order: `kept` is destroyed before `memory`, which the device has
  // registered, is unmapped.
  std::unique_ptr<lending::HostMemory> memory; ///< that `kept` can access
  std::unique_ptr<Device> kept;                ///< null for an emulated device
  Leasable *leasable = nullptr;                ///< `kept`, as a Leasable
  std::unique_ptr<lent_cuda::Lender> cuda; ///< for CUDA programs; may be null
};

llvm::Error Worker::list(const wire::ListDevices &request) {
  llvm::Expected<DeviceRequest> wanted = DeviceRequest::parse(request.device);
  if (!wanted)
    return wanted.takeError();
  std::string warnings;
  std::vector<DeviceInfo> found, real;
  for (DeviceInfo &info : list_devices([&](const llvm::Twine &text) {
         warnings += (warnings.empty() ? "" : "; ") + text.str();
       })) {
    if (!wanted->matches(info))
      continue;
    if (!info.emulated)
      real.push_back(info);
    found.push_back(std::move(info));
  }
  // Without a named device the server lends the machine's GPUs, if it has any.
  if (!wanted->backend && !real.empty())
    found = std::move(real);
  if (found.empty())
    return failure(Reason::failed, "no device '{0}' to lend{1}{2}",
                   wanted->text, warnings.empty() ? "" : ": ", warnings);
  if (found.size() > wire::MOST_DEVICES)
    found.resize(wire::MOST_DEVICES);
  server.send(wire::DeviceList{std::move(found)});
  return llvm::Error::success();
}

llvm::Error Worker::open(const wire::OpenDevice &wanted) {
  settings.fault_report = wanted.fault_report;
  if (wanted.most_heap)
    most_heap = wanted.most_heap;
  llvm::Expected<DeviceRequest> parsed = DeviceRequest::parse(wanted.backend);
  if (!parsed)
    return parsed.takeError();
  request = std::move(*parsed);
  request.index = wanted.index;
  if (wanted.is_shared) {
    settings.shared = files.size() == 1 ? map_context(files[0]) : nullptr;
    if (!settings.shared)
      return failure(Reason::failed, "its server gives it no shared memory");
  }
  llvm::Expected<std::unique_ptr<Device>> device =
      open_device(request, settings);
  if (!device)
    return device.takeError();
  info = (*device)->info();
  if (!info.emulated) {
    kept = std::move(*device);
    llvm::Expected<Leasable &> found = need_leasable(*kept);
    if (!found)
      return found.takeError();
    leasable = &*found;
    memory = std::make_unique<lending::HostMemory>(*leasable);
    if (llvm::Error error = leasable->keep_open())
      return error;
    if (llvm::Error error = memory->prepare())
      return error;
    // A driver that is too old for CUDA programs runs others.
    if (llvm::StringRef(info.backend) == "cuda" && !settings.shared)
      llvm::consumeError(prepare_cuda());
  }
  server.send(wire::Ready{});
  return llvm::Error::success();
}

/// Sends the client Part and Lent, then serves it. `memory`: all of the
/// device's memory, or host memory for mailboxes.
void serve_client(lending::LentPeer &peer, Device &device, UniqueFd client,
                  const lending::HostMemory::Part &memory, bool all_is_shared) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return; // the client sees the connection's end
  UniqueFd launches(ends[0]), theirs(ends[1]);
  Channel to(client.get());
  const wire::Facts facts{device.info(), device.clock_frequency(),
                          all_is_shared, device.info().is_shared};
  if (!to.send(wire::Part{memory.begin, memory.size, memory.offset},
               {memory.file}) ||
      !to.send(wire::Lent{facts}, {theirs.get()}))
    return;
  theirs.close(); // so that `launches` ends when the client does
  peer.serve_client(client.get(), launches.get());
}

/// False when the device cannot be lent again.
bool Worker::lend_kept(UniqueFd client, bool is_far) {
  lending::LentPeer peer(*kept, memory.get(), most_heap);
  if (is_far)
    peer.serve_far(std::nullopt);
  bool ended_alone = false;
  if (settings.shared) {
    peer.set_end_kernel(
        [&] { return ended_alone = end_mps_client(environ, ::getpid()); });
    peer.set_before_end([this] {
      settings.shared->was_killed = 1;
      server.send(wire::ContextFaulted{});
    });
  }
  serve_client(peer, *kept, std::move(client), memory->first(),
               /*all_is_shared=*/false);
  peer.clean_up();
  if (llvm::Error error = leasable->clear()) {
    llvm::consumeError(std::move(error)); // the client has been told of a fault
    if (!ended_alone)
      server.send(wire::ContextFaulted{});
    return false;
  }
  return memory->clear();
}

/// Each client of an emulated device has a new one, in memory of its own.
bool Worker::lend_emulated(UniqueFd client, bool is_far) {
  const uint64_t size = arena_size(most_heap);
  UniqueFd arena = wire::sealed_memory("gpuexec-device", size);
  if (!arena)
    return false;
  void *bytes = ::mmap(
      reinterpret_cast<void *>(FIXED_ARENA), size, PROT_READ | PROT_WRITE,
      MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, arena.get(), 0);
  if (bytes == MAP_FAILED)
    return false;
  ::madvise(bytes, size, MADV_DONTDUMP);
  settings.memory = {static_cast<std::byte *>(bytes), size};
  bool reusable = false;
  if (llvm::Expected<std::unique_ptr<Device>> device =
          open_device(request, settings)) {
    lending::LentPeer peer(**device, nullptr, most_heap);
    lending::HostMemory::Part memory{DeviceAddress::of(bytes), size,
                                     arena.get()};
    if (is_far) {
      peer.serve_far(memory);
      if (llvm::Expected<HostBuffer> first = (*device)->allocate_host(FIRST))
        memory = peer.part_of_arena(first->address, first->size);
      else
        llvm::consumeError(first.takeError()); // AllocateHost will fail, too
    }
    serve_client(peer, **device, std::move(client), memory,
                 /*all_is_shared=*/!is_far);
    peer.clean_up();
    reusable = !peer.has_set_options();
  } else {
    Channel(client.get())
        .send(wire::Refused{llvm::toString(device.takeError()),
                            /*again=*/false});
  }
  ::munmap(bytes, size);
  return reusable;
}

/// Opens CUDA's driver for CUDA programs: the system's or gpuexec's own.
llvm::Error Worker::prepare_cuda() {
  auto lender = std::make_unique<lent_cuda::Lender>();
  const std::string library = cuda::driver_library(info);
  if (library.empty())
    return failure(Reason::failed, "{0} is no device of NVIDIA's", info.spec());
  if (llvm::Error error =
          lender->prepare(library, info.emulated ? 0 : int(info.index)))
    return error;
  cuda = std::move(lender);
  return llvm::Error::success();
}

/// Lends the driver to a CUDA program. False: as lend_kept().
bool Worker::lend_cuda(UniqueFd client, bool is_far) {
  auto refuse = [&](const llvm::Twine &why) {
    Channel(client.get()).send(wire::Refused{why.str(), /*again=*/false});
  };
  if (is_far) {
    refuse("CUDA programs of other machines are not served yet");
    return true;
  }
  if (!cuda)
    if (llvm::Error error = prepare_cuda()) {
      refuse(llvm::toString(std::move(error)));
      return true;
    }
  const bool reusable =
      cuda->serve(client.get(), lending::LentPeer::most_of_session(most_heap));
  return reusable && !info.emulated;
}

bool Worker::lend(Message message) {
  std::optional<wire::LendTo> to = wire::decode<wire::LendTo>(message.body);
  if (!to || message.descriptors.size() != 1)
    return false;
  UniqueFd client = std::move(message.descriptors.front());
  if (to->cuda)
    return lend_cuda(std::move(client), to->is_far);
  return info.emulated ? lend_emulated(std::move(client), to->is_far)
                       : lend_kept(std::move(client), to->is_far);
}

template <typename T>
llvm::Error Worker::carry_out(llvm::StringRef body,
                              llvm::Error (Worker::*function)(const T &)) {
  std::optional<T> message = wire::decode<T>(body);
  return message ? (this->*function)(*message)
                 : failure(Reason::failed, "its server says nonsense");
}

void Worker::run() {
  while (std::optional<Message> message = server.receive()) {
    llvm::Error error = llvm::Error::success();
    switch (message->kind) {
    case wire::ListDevices::KIND:
      error = carry_out(message->body, &Worker::list);
      break;
    case wire::OpenDevice::KIND:
      files = std::move(message->descriptors);
      error = carry_out(message->body, &Worker::open);
      break;
    case wire::LendTo::KIND:
      if (!lend(std::move(*message)))
        return;
      server.send(wire::Ready{});
      break;
    default:
      return;
    }
    if (error) {
      server.send(wire::WorkerFailed{llvm::toString(std::move(error))});
      return;
    }
  }
}

} // namespace

void run_worker() { Worker(Channel(WORKER_SOCKET)).run(); }

} // namespace gpuexec::serve
