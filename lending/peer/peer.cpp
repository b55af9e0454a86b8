//===-- lending/peer/peer.cpp - Requests about a device -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/peer/peer.h"
#include "lending/wire/errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuexec::lending {

/// Defines the function that answers one request.
#define SERVE(NAME)                                                            \
  llvm::Error Peer::serve([[maybe_unused]] const wire::NAME &request,          \
                          [[maybe_unused]] wire::NAME::Reply &reply,           \
                          [[maybe_unused]] Response &response)

llvm::Error Peer::too_much(uint64_t size) {
  return failure(Reason::failed,
                 "{0} bytes are more than the server's --memory-limit leaves "
                 "this program",
                 size);
}

llvm::Error Peer::check(uint32_t kind) {
  if (device || kind == wire::Open::KIND)
    return llvm::Error::success();
  return failure(Reason::failed, "no device is open");
}

static llvm::ArrayRef<std::byte> as_bytes(llvm::StringRef text) {
  return {reinterpret_cast<const std::byte *>(text.data()), text.size()};
}

/// Reads `size` bytes into the reply. The table limits the size.
static llvm::Error read_into(
    wire::Bytes &reply, uint64_t size, Response &response,
    llvm::function_ref<llvm::Error(llvm::MutableArrayRef<std::byte>)> read) {
  std::string &bytes = response.keep(std::string(size, '\0'));
  reply = bytes;
  return read({reinterpret_cast<std::byte *>(bytes.data()), bytes.size()});
}

//===-- Program and kernels -----------------------------------------------===//

SERVE(SetOption) {
  llvm::Expected<Observable &> observable = need_observable(*device);
  return observable ? observable->set_option(request.name, request.value)
                    : observable.takeError();
}

SERVE(Load) {
  if (!image || module)
    return nonsense();
  LaunchSettings settings = request.settings;
  limit(settings);
  llvm::Expected<std::unique_ptr<Module>> made = device->load(*image, settings);
  if (!made)
    return made.takeError();
  module = std::move(*made);
  loaded = true;
  llvm::Expected<DeviceAddress> small = allocate(wire::SMALL_AHEAD);
  if (!small)
    return small.takeError();
  reply.small = *small;
  for (llvm::StringRef name : request.names) {
    llvm::Expected<std::optional<DeviceAddress>> found =
        module->find_global(name);
    if (!found)
      return found.takeError();
    reply.addresses.push_back(*found);
  }
  return llvm::Error::success();
}

SERVE(FindGlobal) {
  if (!module)
    return nonsense();
  llvm::Expected<std::optional<DeviceAddress>> found =
      module->find_global(request.name);
  if (!found)
    return found.takeError();
  reply.address = *found;
  return llvm::Error::success();
}

SERVE(KernelResources) {
  if (!module || request.kernel >= image->kernels().size())
    return nonsense();
  const Resources known = module->resources(image->kernels()[request.kernel]);
  reply = {known.vgprs, known.private_size};
  return llvm::Error::success();
}

SERVE(Launch) {
  if (!loaded || request.kernels.empty())
    return nonsense();
  std::vector<KernelLaunch> launches;
  for (const wire::KernelCall &call : request.kernels) {
    if (call.kernel >= image->kernels().size())
      return nonsense();
    launches.push_back(
        {&image->kernels()[call.kernel], call.grid, as_bytes(call.arguments)});
  }
  for (const wire::AwaitedPiece &each : request.awaited) {
    if (!may_copy(each.address, each.size, /*writable=*/false))
      return nonsense();
    device->queue().will_read(each.address, each.size);
  }
  if (llvm::Error error = device->queue().launch(*module, launches))
    return error;
  std::string &bytes = response.keep({});
  for (const wire::AwaitedPiece &each : request.awaited) {
    std::byte piece[Queue::LARGEST_AWAITED];
    if (llvm::Error error =
            device->queue().copy_from_device({piece, each.size}, each.address))
      return error;
    bytes.append(reinterpret_cast<const char *>(piece), each.size);
  }
  reply.bytes.bytes = bytes;
  return llvm::Error::success();
}

SERVE(CountEnded) {
  reply.kernels = uint32_t(loaded ? device->queue().ended() : 0);
  return llvm::Error::success();
}

SERVE(Where) {
  llvm::Expected<Observable &> observable = need_observable(*device);
  if (!observable)
    return observable.takeError();
  reply.text = wire::shortened(observable->where());
  return llvm::Error::success();
}

SERVE(Statistics) {
  llvm::Expected<Observable &> observable = need_observable(*device);
  if (!observable)
    return observable.takeError();
  reply.text = wire::shortened(observable->statistics(request.json));
  return llvm::Error::success();
}

//===-- Memory ------------------------------------------------------------===//

void Peer::free_everything() {
  loaded = false;
  module.reset();
  if (device)
    for (DeviceAddress address : std::exchange(allocated, {})) {
      session.leave(address);
      device->free_device(address);
    }
}

SERVE(AllocateHost) {
  llvm::Expected<HostBuffer> buffer = device->allocate_host(request.size);
  if (!buffer)
    return buffer.takeError();
  reply.address = buffer->address;
  return llvm::Error::success();
}

llvm::Expected<DeviceAddress> Peer::allocate(uint64_t size) {
  if (!session.fits(size))
    return too_much(size);
  llvm::Expected<DeviceAddress> address = device->allocate_device(size);
  if (address) {
    session.enter(*address, size);
    allocated.push_back(*address);
  }
  return address;
}

SERVE(AllocateDevice) {
  llvm::Expected<DeviceAddress> address = allocate(request.size);
  if (!address)
    return address.takeError();
  reply.address = *address;
  return llvm::Error::success();
}

SERVE(FreeDevice) {
  if (!llvm::is_contained(allocated, request.address))
    return nonsense();
  llvm::erase(allocated, request.address);
  session.leave(request.address);
  device->free_device(request.address);
  return llvm::Error::success();
}

SERVE(Write) {
  if (!may_copy(request.address, request.bytes.size(), /*writable=*/true))
    return nonsense();
  return device->queue().copy_to_device(request.address,
                                        as_bytes(request.bytes));
}

SERVE(Read) {
  if (!may_copy(request.address, request.size, /*writable=*/false))
    return nonsense();
  return read_into(reply.bytes, request.size, response,
                   [&](llvm::MutableArrayRef<std::byte> to) {
                     return device->queue().copy_from_device(to,
                                                             request.address);
                   });
}

SERVE(HeapAllocate) {
  if (!llvm::isPowerOf2_64(request.alignment))
    return nonsense();
  if (session.fits(request.size))
    reply.address = device->heap().allocate(request.size, request.alignment);
  session.enter(reply.address, request.size);
  return llvm::Error::success();
}

SERVE(HeapFree) {
  // The heap frees nothing of AllocateDevice: that still counts.
  if (!llvm::is_contained(allocated, request.address))
    session.leave(request.address);
  device->heap().free(request.address);
  return llvm::Error::success();
}

SERVE(HeapWrite) {
  if (request.bytes.empty())
    return nonsense();
  return device->heap().write(request.address, request.bytes.data(),
                              request.bytes.size());
}

SERVE(HeapRead) {
  return read_into(reply.bytes, request.size, response,
                   [&](llvm::MutableArrayRef<std::byte> to) {
                     return device->heap().read(to.data(), request.address,
                                                to.size());
                   });
}

SERVE(FindRange) {
  reply.range = device->range_of(request.address).value_or(MemoryRange());
  return llvm::Error::success();
}

SERVE(Holds) {
  reply.holds =
      device->heap().holds(request.address, request.size, request.writable);
  return llvm::Error::success();
}

} // namespace gpuexec::lending
