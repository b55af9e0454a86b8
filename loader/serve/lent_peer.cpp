//===-- loader/serve/lent_peer.cpp - One client of a worker ---------------===//
#include "loader/serve/lent_peer.h"
#include "support/thread.h"
#include <sys/socket.h>
#include <unistd.h>

namespace gpuexec::serve {

using remote::Channel;
using remote::Message;
using remote::Reader;
using remote::Request;
using remote::Response;

/// Larger images are nobody's.
static constexpr uint64_t LARGEST_IMAGE = uint64_t(4) << 30;

llvm::Error LentPeer::continue_image(llvm::StringRef bytes) {
  if (bytes.size() > image_size - image_bytes.size())
    return nonsense();
  image_bytes.append(bytes.begin(), bytes.end());
  if (image_bytes.size() < image_size)
    return llvm::Error::success();
  llvm::Expected<Image> parsed = Image::parse({image_bytes, image_name});
  if (!parsed)
    return parsed.takeError();
  if (llvm::Error error = parsed->runs_on(device->info().target_id))
    return error;
  images.push_back(std::move(*parsed));
  image = &images.front();
  return llvm::Error::success();
}

llvm::Error LentPeer::begin_image(Reader body) {
  llvm::StringRef name = body.text();
  uint64_t size = body.take<uint64_t>();
  llvm::StringRef bytes = body.text();
  if (!body.done() || !size || size > LARGEST_IMAGE || image_size)
    return nonsense();
  image_name = name.str();
  image_size = size;
  return continue_image(bytes);
}

llvm::Error LentPeer::set_option(Reader body) {
  llvm::StringRef name = body.text(), value = body.text();
  options_set |= name != "jit-cache";
  // Another machine's client does not choose files of this one.
  if (shared && name == "jit-cache" && value != "off")
    value = "default";
  return device->set_option(name, value);
}

static void put_part(DeviceAddress address, const HostMemory::Part &part,
                     Response &reply) {
  reply.body.put(address).put(part.begin).put(part.size).put(part.offset);
  if (part.file >= 0)
    reply.descriptors.push_back(part.file);
}

/// Each allocation is a part of its own.
llvm::Error LentPeer::allocate_in_arena(uint64_t size, Response &reply) {
  llvm::Expected<HostBuffer> buffer = device->allocate_host(size);
  if (!buffer)
    return buffer.takeError();
  put_part(buffer->address, part_of_arena(buffer->address, buffer->size),
           reply);
  return llvm::Error::success();
}

llvm::Error LentPeer::allocate_host(uint64_t size, Response &reply) {
  if (!memory && !shared)
    return Peer::allocate_host(size, reply);
  if (!memory)
    return allocate_in_arena(size, reply);
  llvm::Expected<HostMemory::Piece> piece = memory->allocate(size);
  if (!piece)
    return piece.takeError();
  HostMemory::Part part = piece->part.value_or(HostMemory::Part());
  put_part(piece->address, part, reply);
  return llvm::Error::success();
}

/// The halves are in host memory that the client has mapped: it reads and
/// writes them itself.
llvm::Error LentPeer::open_copies(Reader body) {
  DeviceAddress address = body.take<DeviceAddress>();
  const uint64_t half = body.take<uint64_t>();
  if (!body.done() || !memory || copies || !half || half > UINT64_MAX / 2)
    return nonsense();
  std::byte *bytes = memory->view(address, 2 * half);
  if (!bytes)
    return nonsense();
  copies = device->heap().copy_buffer_in(reinterpret_cast<char *>(bytes), half);
  if (!copies)
    return failure(Reason::failed, "the device has nothing for large copies");
  return llvm::Error::success();
}

llvm::Error LentPeer::begin_read(Reader body) {
  const uint32_t half = body.take<uint32_t>();
  const uint64_t offset = body.take<uint64_t>();
  DeviceAddress from = body.take<DeviceAddress>();
  const uint64_t size = body.take<uint64_t>();
  if (!body.done() || !copies || half > 1 || offset > copies->size() ||
      size > copies->size() - offset || !size)
    return nonsense();
  return copies->start_read(half, offset, from, size);
}

llvm::Error LentPeer::begin_write(Reader body) {
  const uint32_t half = body.take<uint32_t>();
  DeviceAddress to = body.take<DeviceAddress>();
  const uint64_t size = body.take<uint64_t>();
  if (!body.done() || !copies || half > 1 || size > copies->size() || !size)
    return nonsense();
  return copies->start_write(half, to, size);
}

llvm::Error LentPeer::finish_copies(Reader body) {
  const uint32_t half = body.take<uint32_t>();
  if (!body.done() || !copies || half > 1)
    return nonsense();
  copies->no_more(half);
  return copies->finish(half);
}

llvm::Error LentPeer::launch(Reader body) {
  running = true;
  llvm::Error error = Peer::launch(body);
  running = false;
  return error;
}

void LentPeer::limit(LaunchSettings &settings) {
  if (most_heap != UINT64_MAX)
    settings.heap_size =
        std::min(settings.heap_size.value_or(UINT64_MAX), most_heap);
}

llvm::Error LentPeer::reply_to(Request request, Reader body, Response &reply) {
  switch (request) {
  case Request::image:
    return begin_image(body);
  case Request::bytes:
    return image ? nonsense() : continue_image(body.text());
  case Request::set_option:
    return set_option(body);
  case Request::copies:
    return open_copies(body);
  case Request::copy_read:
    return begin_read(body);
  case Request::copy_write:
    return begin_write(body);
  case Request::copy_finish:
    return finish_copies(body);
  default:
    return Peer::reply_to(request, body, reply);
  }
}

void LentPeer::serve(int connection, int launches) {
  Thread launcher;
  const bool started = launcher.start([this, launches] {
    device->enter_thread();
    Channel channel(launches);
    while (std::optional<Message> asked = channel.receive())
      if (Request(asked->kind) != Request::launch || !answer(*asked, channel))
        return;
  });
  Channel control(connection);
  while (std::optional<Message> asked = control.receive())
    if (!started || Request(asked->kind) == Request::launch ||
        !answer(*asked, control))
      break;
  // A launch that has been sent and not read yet is not read any more.
  ::shutdown(launches, SHUT_RDWR);
  if (running)
    ::_exit(0); // the kernel, and all that it uses, ends with the process
  if (started)
    launcher.join();
}

} // namespace gpuexec::serve
