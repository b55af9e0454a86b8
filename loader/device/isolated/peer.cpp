//===-- loader/device/isolated/peer.cpp - The device's own process --------===//
#include "loader/device/isolated/peer.h"
#include "loader/device/hsa/runtime.h"
#include "loader/device/isolated/facts.h"
#include "loader/sandbox/sandbox.h"
#include "support/thread.h"
#include "llvm/Support/Path.h"

namespace gpuexec::isolated {
namespace {

class Peer {
public:
  Peer(llvm::ArrayRef<Image> images, const Opener &open,
       llvm::MutableArrayRef<std::byte> memory)
      : images(images), open(open), memory(memory) {}
  /// Replies to one request; false when the channel is closed.
  bool answer(const Message &asked, Channel &channel);
  /// The kernel takes everything away from this process but what is open, its
  /// memory and its threads. When that fails no launch succeeds.
  void confine();

private:
  llvm::Error reply_to(Request request, Reader body, Writer &reply);
  llvm::Error reply_about_memory(Request request, Reader body, Writer &reply);
  llvm::Error open_device(Writer &reply);
  llvm::Error launch(Reader body);

  llvm::ArrayRef<Image> images;
  const Opener &open;
  const llvm::MutableArrayRef<std::byte> memory;
  const Image *image = nullptr;
  std::unique_ptr<Device> device;
  std::unique_ptr<Module> module;
  std::string unconfined = "not confined yet"; ///< why not; empty when it is
};

llvm::Error nonsense() {
  return failure(Reason::failed, "a request that makes no sense");
}

llvm::Error Peer::open_device(Writer &reply) {
  llvm::Expected<OpenedDevice> opened = open(memory);
  if (!opened)
    return opened.takeError();
  device = std::move(opened->device);
  image = opened->image;
  put(reply, device->info());
  reply.put(uint32_t(image - images.data())).put(device->clock_frequency());
  return llvm::Error::success();
}

llvm::Error Peer::launch(Reader body) {
  uint32_t index = body.take<uint32_t>();
  Grid grid = body.take<Grid>();
  llvm::StringRef arguments = body.text();
  if (!unconfined.empty())
    return failure(Reason::failed, "{0}", unconfined);
  if (!body.done() || !module || index >= image->kernels().size())
    return failure(Reason::failed, "a launch that makes no sense");
  return module->launch(image->kernels()[index], grid,
                        {reinterpret_cast<const std::byte *>(arguments.data()),
                         arguments.size()});
}

llvm::Error Peer::reply_to(Request request, Reader body, Writer &reply) {
  if (request == Request::open)
    return open_device(reply);
  if (!device)
    return failure(Reason::failed, "no device is open");
  switch (request) {
  case Request::set_option: {
    llvm::StringRef name = body.text(), value = body.text();
    return device->set_option(name, value);
  }
  case Request::load: {
    llvm::Expected<std::unique_ptr<Module>> loaded =
        device->load(*image, body.take<LaunchSettings>());
    if (!loaded)
      return loaded.takeError();
    module = std::move(*loaded);
    return llvm::Error::success();
  }
  case Request::find_global: {
    if (!module)
      return nonsense();
    llvm::Expected<std::optional<DeviceAddress>> found =
        module->find_global(body.text());
    if (!found)
      return found.takeError();
    reply.put(uint8_t(found->has_value()))
        .put(found->value_or(DeviceAddress()));
    return llvm::Error::success();
  }
  case Request::where:
    reply.text(shortened(device->where()));
    return llvm::Error::success();
  case Request::statistics:
    reply.text(shortened(device->statistics(body.take<uint8_t>())));
    return llvm::Error::success();
  case Request::launch:
    return launch(body);
  default:
    return reply_about_memory(request, body, reply);
  }
}

llvm::Error Peer::reply_about_memory(Request request, Reader body,
                                     Writer &reply) {
  auto put_address = [&](llvm::Expected<DeviceAddress> address) -> llvm::Error {
    if (!address)
      return address.takeError();
    reply.put(*address);
    return llvm::Error::success();
  };
  switch (request) {
  case Request::allocate_host: {
    llvm::Expected<HostBuffer> buffer =
        device->allocate_host(body.take<uint64_t>());
    return put_address(buffer ? llvm::Expected<DeviceAddress>(buffer->address)
                              : buffer.takeError());
  }
  case Request::free_host: {
    DeviceAddress address = body.take<DeviceAddress>();
    device->free_host(
        {address.shared<std::byte>(), address, body.take<uint64_t>()});
    return llvm::Error::success();
  }
  case Request::allocate_device:
    return put_address(device->allocate_device(body.take<uint64_t>()));
  case Request::free_device:
    device->free_device(body.take<DeviceAddress>());
    return llvm::Error::success();
  case Request::write: {
    DeviceAddress to = body.take<DeviceAddress>();
    llvm::StringRef bytes = body.text();
    return device->copy_to_device(
        to, {reinterpret_cast<const std::byte *>(bytes.data()), bytes.size()});
  }
  case Request::heap_allocate: {
    uint64_t size = body.take<uint64_t>();
    reply.put(device->heap().allocate(size, body.take<uint64_t>()));
    return llvm::Error::success();
  }
  case Request::heap_free:
    device->heap().free(body.take<DeviceAddress>());
    return llvm::Error::success();
  case Request::heap_write: {
    DeviceAddress to = body.take<DeviceAddress>();
    llvm::StringRef bytes = body.text();
    return device->heap().write(to, bytes.data(), bytes.size());
  }
  case Request::range:
    put(reply,
        device->range_of(body.take<DeviceAddress>()).value_or(MemoryRange()));
    return llvm::Error::success();
  case Request::holds: {
    DeviceAddress address = body.take<DeviceAddress>();
    uint64_t size = body.take<uint64_t>();
    reply.put(uint8_t(
        device->heap().holds(address, size, body.take<uint8_t>() != 0)));
    return llvm::Error::success();
  }
  default:
    return nonsense();
  }
}

/// The kind of reply that an error is, which is put into `reply`.
Reply put_error(llvm::Error error, Writer &reply) {
  Reply kind = Reply::failure;
  auto put_failure = [&](Reason reason, const std::string &text) {
    reply.put(int32_t(reason)).text(shortened(text));
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const DeviceFault &fault) {
        kind = Reply::fault;
        reply.text(shortened(fault.message())).text(shortened(fault.report()));
      },
      [&](const Failure &failed) {
        put_failure(failed.reason(), failed.message());
      },
      [&](const ImageError &bad) {
        put_failure(Reason::not_runnable, bad.message());
      },
      [&](const llvm::ErrorInfoBase &other) {
        put_failure(Reason::failed, other.message());
      });
  return kind;
}

void Peer::confine() {
  sandbox::Grants grants;
  // Its compiler, when code gets hot: one file, which needs no other library.
  grants.readable = {
      llvm::sys::path::parent_path(hsa::emulator_library()).str()};
  grants.calls = sandbox::Calls::machine;
  llvm::Error error = sandbox::confine(grants);
  unconfined = error ? "--sandbox: " + llvm::toString(std::move(error)) : "";
}

bool Peer::answer(const Message &asked, Channel &channel) {
  Writer reply;
  Reply kind = Reply::done;
  if (llvm::Error error =
          reply_to(Request(asked.kind), Reader(asked.body), reply)) {
    reply = Writer();
    kind = put_error(std::move(error), reply);
  }
  return channel.send(uint32_t(kind), reply.bytes());
}

} // namespace

void serve(Channel control, Channel launches, llvm::ArrayRef<Image> images,
           const Opener &open, llvm::MutableArrayRef<std::byte> memory) {
  Peer peer(images, open, memory);
  Thread launcher;
  while (std::optional<Message> asked = control.receive()) {
    if (Request(asked->kind) != Request::confine) {
      if (!peer.answer(*asked, control))
        break;
      continue;
    }
    // This is the only thread so far. No launch is served before.
    if (launcher.joinable())
      break;
    peer.confine();
    if (!launcher.start([&] {
          while (std::optional<Message> launch = launches.receive())
            if (!peer.answer(*launch, launches))
              return;
        }))
      break;
  }
  if (launcher.joinable())
    launcher.detach(); // a kernel may still run: the process ends with it
}

} // namespace gpuexec::isolated
