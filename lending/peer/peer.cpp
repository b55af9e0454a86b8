//===-- lending/peer/peer.cpp - Requests about a device -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/peer/peer.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuexec::remote {

llvm::Error Peer::nonsense() {
  return failure(Reason::failed, "a request that makes no sense");
}

llvm::Error Peer::too_much(uint64_t size) {
  return failure(Reason::failed,
                 "{0} bytes are more than the server's --memory-limit leaves "
                 "this program",
                 size);
}

static llvm::ArrayRef<std::byte> as_bytes(llvm::StringRef text) {
  return {reinterpret_cast<const std::byte *>(text.data()), text.size()};
}

llvm::Error Peer::launch(Reader body, Response &reply) {
  if (!loaded)
    return nonsense();
  std::vector<KernelLaunch> launches(
      std::min(body.take<uint32_t>(), MOST_LAUNCHES));
  for (KernelLaunch &launch : launches) {
    const uint32_t index = body.take<uint32_t>();
    launch.grid = body.take<Grid>();
    launch.arguments = as_bytes(body.text());
    if (index >= image->kernels().size())
      return nonsense();
    launch.kernel = &image->kernels()[index];
  }
  struct Awaited {
    DeviceAddress address;
    uint64_t size;
  };
  std::vector<Awaited> awaited(
      std::min<uint32_t>(body.take<uint32_t>(), Queue::MOST_AWAITED));
  for (Awaited &each : awaited) {
    each = body.take<Awaited>();
    if (each.size > Queue::LARGEST_AWAITED ||
        !may_copy(each.address, each.size, /*writable=*/false))
      return nonsense();
    device->queue().will_read(each.address, each.size);
  }
  if (!body.done() || launches.empty())
    return nonsense();
  if (llvm::Error error = device->queue().launch(*module, launches))
    return error;
  for (const Awaited &each : awaited) {
    std::byte bytes[Queue::LARGEST_AWAITED];
    if (llvm::Error error =
            device->queue().copy_from_device({bytes, each.size}, each.address))
      return error;
    reply.body.raw({reinterpret_cast<const char *>(bytes), each.size});
  }
  return llvm::Error::success();
}

void Peer::free_everything() {
  loaded = false;
  module.reset();
  if (device)
    for (DeviceAddress address : std::exchange(allocated, {})) {
      session.leave(address);
      device->free_device(address);
    }
}

llvm::Error Peer::allocate_host(uint64_t size, Response &reply) {
  llvm::Expected<HostBuffer> buffer = device->allocate_host(size);
  if (!buffer)
    return buffer.takeError();
  reply.body.put(buffer->address)
      .put(DeviceAddress())
      .put(uint64_t(0))
      .put(uint64_t(0));
  return llvm::Error::success();
}

llvm::Error Peer::allocate_device(uint64_t size, Response &reply) {
  if (!session.fits(size))
    return too_much(size);
  llvm::Expected<DeviceAddress> address = device->allocate_device(size);
  if (!address)
    return address.takeError();
  session.enter(*address, size);
  allocated.push_back(*address);
  reply.body.put(*address);
  return llvm::Error::success();
}

llvm::Error Peer::load(Reader body, Response &reply) {
  LaunchSettings settings = take_settings(body);
  std::vector<llvm::StringRef> names(
      std::min<uint32_t>(body.take<uint32_t>(), MOST_NAMES));
  for (llvm::StringRef &name : names)
    name = body.text();
  if (!body.done() || !image || module)
    return nonsense();
  limit(settings);
  llvm::Expected<std::unique_ptr<Module>> made = device->load(*image, settings);
  if (!made)
    return made.takeError();
  module = std::move(*made);
  loaded = true;
  if (llvm::Error error = allocate_device(SMALL_AHEAD, reply))
    return error;
  for (llvm::StringRef name : names) {
    llvm::Expected<std::optional<DeviceAddress>> found =
        module->find_global(name);
    if (!found)
      return found.takeError();
    put_optional(reply.body, *found);
  }
  return llvm::Error::success();
}

llvm::Error Peer::reply_to(Request request, Reader body, Response &reply) {
  if (!device)
    return failure(Reason::failed, "no device is open");
  switch (request) {
  case Request::set_option: {
    llvm::StringRef name = body.text(), value = body.text();
    llvm::Expected<Observable &> observable = need_observable(*device);
    return observable ? observable->set_option(name, value)
                      : observable.takeError();
  }
  case Request::load:
    return load(body, reply);
  case Request::find_global: {
    if (!module)
      return nonsense();
    llvm::Expected<std::optional<DeviceAddress>> found =
        module->find_global(body.text());
    if (!found)
      return found.takeError();
    put_optional(reply.body, *found);
    return llvm::Error::success();
  }
  case Request::resources: {
    uint32_t index = body.take<uint32_t>();
    if (!body.done() || !module || index >= image->kernels().size())
      return nonsense();
    Resources known = module->resources(image->kernels()[index]);
    put_optional(reply.body, known.vgprs);
    put_optional(reply.body, known.private_size);
    return llvm::Error::success();
  }
  case Request::where:
  case Request::statistics: {
    llvm::Expected<Observable &> observable = need_observable(*device);
    if (!observable)
      return observable.takeError();
    reply.body.text(shortened(request == Request::where
                                  ? observable->where()
                                  : observable->statistics(body.take_flag())));
    return llvm::Error::success();
  }
  case Request::launch:
    return launch(body, reply);
  case Request::ended:
    reply.body.put(uint32_t(loaded ? device->queue().ended() : 0));
    return llvm::Error::success();
  case Request::allocate_host:
    return allocate_host(body.take<uint64_t>(), reply);
  default:
    return reply_about_memory(request, body, reply);
  }
}

/// Reads a range into the reply.
static llvm::Error reply_with(
    uint64_t size, Response &reply,
    llvm::function_ref<llvm::Error(llvm::MutableArrayRef<std::byte>)> read) {
  std::string bytes(size, '\0');
  if (llvm::Error error =
          read({reinterpret_cast<std::byte *>(bytes.data()), bytes.size()}))
    return error;
  reply.body.text(bytes);
  return llvm::Error::success();
}

llvm::Error Peer::reply_about_memory(Request request, Reader body,
                                     Response &reply) {
  DeviceAddress address;
  switch (request) {
  case Request::allocate_device:
    return allocate_device(body.take<uint64_t>(), reply);
  case Request::free_device:
    address = body.take<DeviceAddress>();
    if (!llvm::is_contained(allocated, address))
      return nonsense();
    llvm::erase(allocated, address);
    session.leave(address);
    device->free_device(address);
    return llvm::Error::success();
  case Request::write: {
    address = body.take<DeviceAddress>();
    llvm::StringRef bytes = body.text();
    if (!body.done() || !may_copy(address, bytes.size(), /*writable=*/true))
      return nonsense();
    return device->queue().copy_to_device(address, as_bytes(bytes));
  }
  case Request::read: {
    address = body.take<DeviceAddress>();
    uint64_t size = body.take<uint64_t>();
    if (!body.done() || size > LARGEST_SOCKET_COPY ||
        !may_copy(address, size, /*writable=*/false))
      return nonsense();
    return reply_with(size, reply, [&](llvm::MutableArrayRef<std::byte> to) {
      return device->queue().copy_from_device(to, address);
    });
  }
  default:
    return reply_about_heap(request, body, reply);
  }
}

llvm::Error Peer::reply_about_heap(Request request, Reader body,
                                   Response &reply) {
  rpc::DeviceMemory &heap = device->heap();
  switch (request) {
  case Request::heap_allocate: {
    uint64_t size = body.take<uint64_t>();
    uint64_t alignment = body.take<uint64_t>();
    if (!body.done() || !llvm::isPowerOf2_64(alignment))
      return nonsense();
    const DeviceAddress address =
        session.fits(size) ? heap.allocate(size, alignment) : DeviceAddress();
    session.enter(address, size);
    reply.body.put(address);
    return llvm::Error::success();
  }
  case Request::heap_free: {
    const DeviceAddress address = body.take<DeviceAddress>();
    // The heap frees nothing of allocate_device(): that still counts.
    if (!llvm::is_contained(allocated, address))
      session.leave(address);
    heap.free(address);
    return llvm::Error::success();
  }
  case Request::heap_write: {
    DeviceAddress to = body.take<DeviceAddress>();
    llvm::StringRef bytes = body.text();
    if (!body.done() || bytes.empty())
      return nonsense();
    return heap.write(to, bytes.data(), bytes.size());
  }
  case Request::heap_read: {
    DeviceAddress from = body.take<DeviceAddress>();
    uint64_t size = body.take<uint64_t>();
    if (!body.done() || size > LARGEST_SOCKET_COPY)
      return nonsense();
    return reply_with(size, reply, [&](llvm::MutableArrayRef<std::byte> to) {
      return heap.read(to.data(), from, to.size());
    });
  }
  case Request::range:
    put(reply.body,
        device->range_of(body.take<DeviceAddress>()).value_or(MemoryRange()));
    return llvm::Error::success();
  case Request::holds: {
    DeviceAddress address = body.take<DeviceAddress>();
    uint64_t size = body.take<uint64_t>();
    reply.body.put(uint8_t(heap.holds(address, size, body.take_flag())));
    return llvm::Error::success();
  }
  default:
    return nonsense();
  }
}

bool Peer::answer(const Message &asked, Channel &channel) {
  Response reply;
  reply.carry = [&](DeviceAddress address, uint64_t size) {
    channel.send(uint32_t(Request::carry),
                 Writer().put(address).put(size).bytes());
  };
  Reply kind = Reply::done;
  if (llvm::Error error = carry_out(asked, reply)) {
    reply = Response();
    kind = put_error(reply.body, std::move(error));
  }
  if (reply.is_silent)
    return true;
  return channel.send(uint32_t(kind), reply.body.bytes(), reply.descriptors);
}

} // namespace gpuexec::remote
