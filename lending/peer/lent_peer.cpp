//===-- lending/peer/lent_peer.cpp - One client of a worker ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/peer/lent_peer.h"
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
/// Of the memory for large copies.
static constexpr uint64_t LARGEST_HALF = uint64_t(1) << 30;

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
  if (!session.take(size))
    return too_much(size);
  image_name = name.str();
  image_size = size;
  return continue_image(bytes);
}

llvm::Error LentPeer::set_option(Reader body) {
  llvm::StringRef name = body.text(), value = body.text();
  options_set |= name != "jit-cache";
  // Another machine's client does not choose files of this one.
  if (is_far && name == "jit-cache" && value != "off")
    value = "default";
  llvm::Expected<Observable &> observable = need_observable(*device);
  return observable ? observable->set_option(name, value)
                    : observable.takeError();
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
  in_arena.push_back(*buffer);
  put_part(buffer->address, part_of_arena(buffer->address, buffer->size),
           reply);
  return llvm::Error::success();
}

llvm::Error LentPeer::allocate_host(uint64_t size, Response &reply) {
  // The relay of another machine's client keeps a copy.
  if (size > UINT64_MAX / 2 || !session.take(is_far ? 2 * size : size))
    return too_much(size);
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

/// Where this process sees what allocate_host() has given the client.
std::byte *LentPeer::host_view(DeviceAddress address, uint64_t size) const {
  if (memory)
    return memory->view(address, size);
  for (const HostBuffer &buffer : in_arena)
    if (lies_in(address, size, buffer.address, buffer.size))
      return buffer.host + (address - buffer.address);
  return nullptr;
}

/// The halves are in host memory that the client has mapped, or its relay: the
/// client reads and writes them itself.
llvm::Error LentPeer::open_copies(Reader body, Response &reply) {
  const DeviceAddress address = body.take<DeviceAddress>();
  const uint64_t half = body.take<uint64_t>();
  if (!body.done() || copies || !half || half > LARGEST_HALF ||
      half % rpc::COPY_END_WORD)
    return nonsense();
  std::byte *bytes = host_view(address, rpc::copy_memory_size(half));
  if (!bytes)
    return nonsense();
  copies.emplace(*device, bytes, address, half, is_far);
  reply.body.put(uint8_t(copies->has_end_words()));
  return llvm::Error::success();
}

llvm::Error LentPeer::launch(Reader body, Response &reply) {
  running = true;
  llvm::Error error = Peer::launch(body, reply);
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
    return open_copies(body, reply);
  case Request::copy_read:
    return copies ? copies->read(body, reply) : nonsense();
  case Request::copy_write:
    return copies ? copies->write(body, reply) : nonsense();
  case Request::copy_finish:
    return copies ? copies->finish(body) : nonsense();
  default:
    return Peer::reply_to(request, body, reply);
  }
}

void LentPeer::serve(int connection, int launches) {
  Thread launcher;
  const bool started = launcher.start([this, launches] {
    if (Leasable *leasable = device->leasable())
      leasable->enter_thread();
    Channel channel(launches);
    while (std::optional<Message> asked = channel.receive())
      if (Request(asked->kind) != Request::launch || !answer(*asked, channel))
        return;
  });
  Channel control(connection, is_far);
  control.take_no_descriptors();
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
